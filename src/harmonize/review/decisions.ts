import { randomUUID } from "node:crypto";
import type { Auth } from "../../directory-client/answers.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { reasonsOf, storable } from "../run/candidates.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Candidate } from "../run/rows.ts";
import { CHANGED_AT, type Reviewed, reviewListing } from "./listing.ts";
import { isFree } from "./locks.ts";

type Deps = Pick<Harmonizer, "pool" | "directory">;

/** What a person wants of a listing. */
export interface Decision {
  decision: "matched" | "rejected" | "skip";
  /** With `matched`: one of its candidates or, with `auth` to look it up, any venue of the directory. */
  venueId?: string | undefined;
  auth?: Auth | undefined;
  /** When what the person saw had last changed (`changedAt` of a ReviewListing). */
  seen: Date | null;
}

/**
 * Decides a listing, or puts it off, as a step that can be undone. The same again, as by a double click, does nothing.
 *
 * @throws KnownError 409 where somebody has it or has decided meanwhile, 400 where the venue is none of its candidates
 * @throws DirectoryError where the venue could not be looked up
 */
export async function decide(
  deps: Deps,
  reviewed: Reviewed,
  { decision, venueId, auth, seen }: Decision,
): Promise<void> {
  const { h, person, number } = reviewed;
  const listing = await reviewListing(deps, reviewed);
  if (!listing) throw notFound("There is no such listing.");
  const chosen = decision === "matched" ? await venueOf(deps, listing.candidates, venueId, auth) : undefined;
  const reason = chosen ? chosen.reason : decision === "rejected" ? noneOf(listing.candidates) : null;
  const common = [h.id, person.id, randomUUID(), number, seen];
  const { rowCount } = await deps.pool.query(
    decision === "skip"
      ? { name: "skip-listing", text: step("skipped_at = now()"), values: common }
      : {
          name: "decide-listing",
          text: step(DECIDED),
          values: [...common, decision, chosen?.id, chosen?.name, reason],
        },
  );
  if (rowCount === 0) await explain(deps, reviewed, { decision, venueId, seen });
}

/** The columns of a decision of a listing `l` as they are, in SQL. */
export const BEFORE = `jsonb_build_object('decision', l.decision, 'venueId', l.venue_id, 'venueName', l.venue_name,
  'decidedHow', l.decided_how, 'decidedBy', l.decided_by, 'decidedAt', l.decided_at, 'reason', l.reason,
  'skippedAt', l.skipped_at)`;

/** Does something to listing $4, if it still is what person $2 saw, and keeps what it was, as step $3. Both have one time. */
const step = (set: string): string => `WITH c AS (
  SELECT ${BEFORE} AS before FROM app.listing l
   WHERE l.harmonization_id = $1 AND l.number = $4 AND ${CHANGED_AT} IS NOT DISTINCT FROM $5::timestamptz(3)
     AND l.status <> 'pending' AND l.adding IS NULL AND ${isFree({ person: "$2" })} FOR UPDATE),
  kept AS (
    INSERT INTO app.decision_step (harmonization_id, group_id, account_id, number, before)
    SELECT $1, $3, $2, $4, c.before FROM c)
  UPDATE app.listing l SET ${set}, locked_by = NULL, locked_until = NULL
    FROM c WHERE l.harmonization_id = $1 AND l.number = $4`;

const DECIDED = `decision = $6::app.listing_decision, venue_id = $7, venue_name = $8, reason = $9,
  decided_how = 'person', decided_by = $2, decided_at = now(), skipped_at = NULL`;

interface Chosen {
  id: string;
  name: string;
  reason: string | null;
}

async function venueOf(
  { directory }: Deps,
  candidates: Candidate[],
  id: string | undefined,
  auth: Auth | undefined,
): Promise<Chosen> {
  const candidate = candidates.find((each) => each.id === id);
  if (candidate) return { id: candidate.id, name: candidate.name, reason: reasonsOf(candidate).join("; ") || null };
  if (!id || !auth) throw new KnownError(400, "param_error", "Choose the venue that the listing is, or none of these.");
  const { name } = await directory.venue(auth, id);
  return { id, name: storable(name), reason: "found by hand" };
}

const noneOf = ({ length }: Candidate[]): string =>
  length === 0
    ? "no venue is like it"
    : length === 1
      ? "not the one venue like it"
      : `none of the ${length} venues like it`;

/** Why nothing was done; returns where it has been done already. */
async function explain(deps: Deps, reviewed: Reviewed, wish: Decision): Promise<void> {
  const now = await reviewListing(deps, reviewed);
  const { decision, changedAt, decidedBy, lockedBy, isAdding, isSkipped } = now ?? {};
  const isChanged = changedAt?.getTime() !== wish.seen?.getTime();
  if (isChanged && decision === wish.decision && (decision !== "matched" || now?.venueId === wish.venueId)) return;
  if (isChanged && decision === null && isSkipped && wish.decision === "skip") return;
  if (isChanged && decision) throw stale(`${decidedBy ?? "Somebody"} decided this a moment ago. Look at it again.`);
  if (isChanged) throw stale("This listing has changed since you opened it. Look at it again.");
  if (lockedBy) throw stale(`${lockedBy} is looking at this listing just now. Take another one.`);
  if (isAdding) throw stale("A venue is being added for this listing just now. Look again in a moment.");
  throw stale("The directory has not been asked about this listing yet. Look again in a moment.");
}

const stale = (message: string) => new KnownError(409, "conflict", message, { title: "Not decided" });
