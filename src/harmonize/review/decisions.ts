import { randomUUID } from "node:crypto";
import type { Venue } from "../../contract/resources.ts";
import { unlessTooSlow } from "../../db/bulk.ts";
import { execute, joinSql, prepared, type Sql, sql } from "../../db/sql.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { t } from "../../language/translate.ts";
import { distanceBetween, metresInWords } from "../../matching/distance.ts";
import { compareFields } from "../../matching/fields.ts";
import { badRequest, KnownError, notFound } from "../../shared/errors.ts";
import { storable } from "../../shared/storable.ts";
import { within } from "../../shared/within.ts";
import { reasonsOf, toCandidate } from "../run/candidates.ts";
import type { Harmonizer } from "../run/deps.ts";
import { isGone, noteFound, noteGone } from "../run/gone-venues.ts";
import { NOT_DELETED } from "../run/problems/problems.ts";
import type { Reason } from "../run/problems/reasons.ts";
import type { Candidate, Query } from "../run/rows.ts";
import { lookUpVenues } from "../run/venues.ts";
import {
  BEFORE,
  type DecisionValues,
  decidedNow,
  keepSteps,
  RELEASED,
  UNLOCKED,
  viaOf,
  writeDecisions,
} from "../run/write-decisions.ts";
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
  const { h, person } = reviewed;
  const listing = await reviewListing(deps, reviewed);
  if (!listing) throw notFound(t("There is no such row."));
  const chosen = decision === "matched" ? await venueOf(deps, listing, venueId, auth) : undefined;
  const why = chosen ? chosen.why : decision === "rejected" ? noneOf(listing.candidates) : null;
  const isWritten = await writeStep(
    deps,
    reviewed,
    seen,
    decision === "skip"
      ? { write: skipped(h.id) }
      : {
          isAllowed: sql`NOT ${isGone(sql`${chosen?.id ?? null}::text`, h.id)}`,
          write: decided(h.id, {
            decision,
            venueId: chosen?.id ?? null,
            venueName: chosen?.name ?? null,
            why: why && JSON.stringify(why),
            decidedHow: "person",
            ...decidedNow(person.id),
          }),
        },
  );
  if (!isWritten) await explain(deps, reviewed, { decision, venueId, seen }, chosen);
}

/** Changes a listing if it is as the person saw it, and keeps its old values as a step of the same time. Returns whether it did. */
async function writeStep(
  db: Pick<Harmonizer, "pool">,
  { h, person, number }: Reviewed,
  seen: Date | null,
  { isAllowed = sql`true`, write }: { isAllowed?: Sql; write: Sql },
): Promise<boolean> {
  const written = await execute(prepared(db))`
    WITH d AS (
      SELECT l.number, ${BEFORE} AS before FROM app.listing l
       WHERE l.harmonization_id = ${h.id} AND l.number = ${number} AND ${CHANGED_AT} IS NOT DISTINCT FROM ${seen}::timestamptz(3)
         AND l.status <> 'pending' AND l.adding IS NULL AND ${isFree(person.id)} AND ${isAllowed} FOR UPDATE),
    kept AS (${keepSteps({ via: viaOf(person, "card"), run: h.id, accountId: person.id, group: randomUUID(), rows: sql`d` })})
    ${write}`;
  return written > 0;
}

const skipped = (run: string): Sql => sql`UPDATE app.listing l SET skipped_at = now(), ${joinSql(UNLOCKED)}
  FROM d WHERE l.harmonization_id = ${run} AND l.number = d.number`;

const decided = (run: string, decision: DecisionValues): Sql =>
  writeDecisions({ run, rows: sql`d`, decision, also: [FORGET_NOT_DELETED, ...RELEASED] });

// That a venue could not be deleted is told of a listing that has it.
const FORGET_NOT_DELETED = sql`problem = CASE WHEN l.problem->>'code' = ANY (${NOT_DELETED}::text[]) THEN NULL ELSE l.problem END`;

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
  if (!id || !auth) throw badRequest(t("Choose a venue for the row, or reject all candidates."));
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
    throw notDecided(t("{name} decided this a moment ago. Check it again.", { name: decidedBy ?? t("Somebody") }));
  if (isChanged) throw notDecided(t("This row has changed since you opened it. Check it again."));
  if (lockedBy) throw notDecided(t("{name} is reviewing this row. Take another one.", { name: lockedBy }));
  if (isAdding) throw notDecided(t("A venue is being added for this row now. Try again in a moment."));
  if (chosen && now?.status !== "pending") throw gone(chosen.name);
  throw notDecided(t("The directory has not been asked about this row yet. Try again in a moment."));
}

const gone = (name: string) =>
  notDecided(t("“{name}” is no longer in the directory. Choose another venue, or none.", { name }));

export const notDecided = (message: string) => new KnownError(409, "conflict", message, { title: t("Not decided") });
