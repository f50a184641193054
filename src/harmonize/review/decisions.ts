import { randomUUID } from "node:crypto";
import type { Venue } from "../../contract/resources.ts";
import { unlessTooSlow } from "../../db/bulk/stretches.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { t } from "../../language/translate.ts";
import { distanceBetween, metresInWords } from "../../matching/distance.ts";
import { compareFields } from "../../matching/fields.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { storable } from "../../shared/storable.ts";
import { within } from "../../shared/within.ts";
import { reasonsOf, toCandidate } from "../run/candidates.ts";
import type { Harmonizer } from "../run/deps.ts";
import { isGone, noteFound, noteGone } from "../run/gone-venues.ts";
import { NOT_DELETED } from "../run/problems/problems.ts";
import type { Reason } from "../run/problems/reasons.ts";
import type { Candidate, Query } from "../run/rows.ts";
import { lookUpVenues } from "../run/venues.ts";
import { CHANGED_AT, type Reviewed, type ReviewListing, reviewListing } from "./listing.ts";
import { isFree } from "./locks.ts";

type Deps = Pick<Harmonizer, "pool" | "directory" | "directoryUrl">;

export interface Decision {
  decision: "matched" | "rejected" | "skip";
  venueId?: string | undefined;
  /** Of the person; without it a candidate is taken as it was. */
  auth?: Auth | undefined;
  /** `changedAt` of the ReviewListing that the person saw. */
  seen: Date | null;
}

/**
 * Decides or skips a listing as an undoable step. Repeating it, as by a double click, does nothing.
 * @throws KnownError 409 if another person has locked or decided it, or the directory no longer has the venue (attacks F79); 400 without a
 *   venue; DirectoryError
 */
export async function decide(
  deps: Deps,
  reviewed: Reviewed,
  { decision, venueId, auth, seen }: Decision,
): Promise<void> {
  const { h, person, number } = reviewed;
  const listing = await reviewListing(deps, reviewed);
  if (!listing) throw notFound(t("There is no such listing."));
  const chosen = decision === "matched" ? await venueOf(deps, listing, venueId, auth) : undefined;
  const why = chosen ? chosen.why : decision === "rejected" ? noneOf(listing.candidates) : null;
  const common = [h.id, person.id, randomUUID(), number, seen];
  const { rowCount } = await deps.pool.query(
    decision === "skip"
      ? { name: "skip-listing", text: step("skipped_at = now()"), values: common }
      : {
          name: "decide-listing",
          text: step(DECIDED, `AND NOT ${isGone("$7::text", "$1")}`),
          values: [...common, decision, chosen?.id, chosen?.name, why],
        },
  );
  if (rowCount === 0) await explain(deps, reviewed, { decision, venueId, seen }, chosen);
}

/** Listings per statement: one for a whole family would time out. */
export const AT_ONCE = 1000;

/** SQL: the decision of a listing `l`, for undo. */
export const BEFORE = `jsonb_build_object('decision', l.decision, 'venueId', l.venue_id, 'venueName', l.venue_name,
  'decidedHow', l.decided_how, 'decidedBy', l.decided_by, 'decidedAt', l.decided_at, 'why', l.why,
  'skippedAt', l.skipped_at, 'isClear', l.is_clear)`;

/** What else of a listing changes when it is moved and matched again, with the types of the columns. */
export const OF_MATCH = {
  query: "jsonb",
  place: "bigint",
  status: "app.listing_status",
  problem: "jsonb",
  matched_at: "timestamptz",
  score: "real",
  best_id: "text",
  candidates: "jsonb",
  pattern: "text",
} as const;

/** SQL: the decision of a listing `l` and its match, for undo. */
export const BEFORE_MOVE = `${BEFORE} || jsonb_build_object(${Object.keys(OF_MATCH).map((column) => `'${column}', l.${column}`)})`;

// Changes listing $4 if it is as person $2 saw it, and keeps its old values as step $3, dated the same.
const step = (set: string, isAllowed = ""): string => `WITH c AS (
  SELECT ${BEFORE} AS before FROM app.listing l
   WHERE l.harmonization_id = $1 AND l.number = $4 AND ${CHANGED_AT} IS NOT DISTINCT FROM $5::timestamptz(3)
     AND l.status <> 'pending' AND l.adding IS NULL AND ${isFree({ person: "$2" })} ${isAllowed} FOR UPDATE),
  kept AS (
    INSERT INTO app.decision_step (harmonization_id, group_id, account_id, number, before)
    SELECT $1, $3, $2, $4, c.before FROM c)
  UPDATE app.listing l SET ${set}, locked_by = NULL, locked_until = NULL
    FROM c WHERE l.harmonization_id = $1 AND l.number = $4`;

// That a venue could not be deleted is told of a listing that has it.
const DECIDED = `decision = $6::app.listing_decision, venue_id = $7, venue_name = $8, why = $9,
  problem = CASE WHEN l.problem->>'code' = ANY ('{${NOT_DELETED.join(",")}}') THEN NULL ELSE l.problem END,
  decided_how = 'person', decided_by = $2, decided_at = now(), skipped_at = NULL`;

interface Chosen {
  id: string;
  name: string;
  why: Reason | null;
}

/** Milliseconds that a decision waits for the directory; then the venue is taken to be as it was. */
const PATIENCE = 1000;

async function venueOf(
  deps: Deps,
  { candidates, query }: ReviewListing,
  id: string | undefined,
  auth: Auth | undefined,
): Promise<Chosen> {
  const candidate = candidates.find((each) => each.id === id);
  if (candidate) {
    if (auth) await mustExist(deps, candidate, auth);
    const said = reasonsOf(candidate);
    return { id: candidate.id, name: candidate.name, why: said.length > 0 ? { code: "evidence", said } : null };
  }
  if (!id || !auth)
    throw new KnownError(400, "param_error", t("Choose a venue for the listing, or reject all candidates."));
  const venue = await deps.directory.venue(auth, id);
  await noteFound(deps, [id]);
  const said = query ? comparedWith(query, venue) : [];
  const credit = venue.source && { credit: storable(venue.source.attribution) };
  return { id, name: storable(venue.name), why: { code: "found_by_hand", said, ...credit } };
}

/** Asks a directory that has venues/lookup: others may not know a venue by its id alone. */
async function mustExist(deps: Deps, { id, name }: Candidate, auth: Auth): Promise<void> {
  const ask = async () =>
    (await deps.directory.looksUpVenues()) ? lookUpVenues(deps, auth, [id], AbortSignal.timeout(PATIENCE)) : undefined;
  const now = await within(ask(), PATIENCE).catch(unlessSilent);
  if (now?.found.get(id)?.is !== "gone") return;
  await noteGone(deps, [id], { most: AT_MOST }).catch(unlessTooSlow);
  throw gone(name);
}

/** Portions of listings that lose a candidate while a person waits. */
const AT_MOST = 2;

function unlessSilent(error: unknown): undefined {
  if (!(error instanceof KnownError) && (error as Error).name !== "TimeoutError") throw error;
}

/** How a venue that the directory did not propose compares with the listing, the strongest reasons first. */
function comparedWith(query: Query, venue: Venue): string[] {
  const found = toCandidate(venue);
  if (!found) return [];
  const apart = query.ll ? [`${metresInWords(distanceBetween(query.ll, found))} apart`] : [];
  return [...reasonsOf(compareFields(query, found)), ...apart].map((each) => storable(each));
}

const noneOf = ({ length }: ReviewListing["candidates"]): Reason => ({ code: "none_alike", venues: length });

async function explain(deps: Deps, reviewed: Reviewed, wish: Decision, chosen: Chosen | undefined): Promise<void> {
  const now = await reviewListing(deps, reviewed);
  const { decision, changedAt, decidedBy, lockedBy, isAdding, isSkipped } = now ?? {};
  const isChanged = changedAt?.getTime() !== wish.seen?.getTime();
  if (isChanged && decision === wish.decision && (decision !== "matched" || now?.venueId === wish.venueId)) return;
  if (isChanged && decision === null && isSkipped && wish.decision === "skip") return;
  if (isChanged && decision)
    throw stale(t("{name} decided this a moment ago. Check it again.", { name: decidedBy ?? t("Somebody") }));
  if (isChanged) throw stale(t("This listing has changed since you opened it. Check it again."));
  if (lockedBy) throw stale(t("{name} is reviewing this listing. Take another one.", { name: lockedBy }));
  if (isAdding) throw stale(t("A venue is being added for this listing now. Try again in a moment."));
  if (chosen && now?.status !== "pending") throw gone(chosen.name);
  throw stale(t("The directory has not been asked about this listing yet. Try again in a moment."));
}

const gone = (name: string) =>
  stale(t("“{name}” is no longer in the directory. Choose another venue, or none.", { name }));

const stale = (message: string) => new KnownError(409, "conflict", message, { title: t("Not decided") });
