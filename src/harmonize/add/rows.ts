import type { Venue } from "../../contract/resources.ts";
import { Prisma } from "../../db/generated/client.ts";
import type { FoundVenues } from "../../directory-client/client.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { BEFORE } from "../review/decisions.ts";
import { assess, storable } from "../run/candidates.ts";
import type { Deps } from "../run/long-task.ts";
import type { ListingId } from "../run/rows.ts";
import type { BegunAdd } from "./rules.ts";

type Database = Pick<Deps, "prisma">;

/** A listing as far as adding is concerned; `age` in seconds since its add began. */
export interface AddRow {
  decision: "matched" | "added" | "rejected" | null;
  venueId: string | null;
  venueName: string | null;
  adding: BegunAdd | null;
  age: number | null;
}

/** @throws KnownError 404 when there is no such listing */
export async function addRow({ prisma }: Database, { id, number }: ListingId): Promise<AddRow> {
  const [row] = await prisma.$queryRaw<AddRow[]>`
    SELECT decision::text, venue_id AS "venueId", venue_name AS "venueName", adding,
           extract(epoch FROM now() - (adding->>'since')::timestamptz)::float8 AS age
      FROM app.listing WHERE harmonization_id = ${id}::uuid AND number = ${number}`;
  if (!row) throw notFound("There is no such listing.");
  return row;
}

/**
 * Takes a listing for an add, before anything is sent: one at a time, and none that is decided. A worker's only while its
 * run is the one that goes on.
 */
export async function claimAdd(
  { prisma }: Database,
  { id, number }: ListingId,
  add: Omit<BegunAdd, "since">,
  runner: string | undefined,
): Promise<boolean> {
  const goesOn = runner
    ? Prisma.sql`AND state = 'adding' AND paused_for IS NULL AND task->>'runner' = ${runner}`
    : Prisma.empty;
  // The lock makes another run's beginning wait, so that it sees this add and finishes it first.
  const claimed = await prisma.$executeRaw`
    WITH h AS (SELECT id FROM app.harmonization WHERE id = ${id}::uuid ${goesOn} FOR SHARE)
    UPDATE app.listing l SET adding = ${JSON.stringify(add)}::jsonb || jsonb_build_object('since', now())
      FROM h WHERE l.harmonization_id = h.id AND l.number = ${number} AND l.adding IS NULL
       AND (l.decision IS NULL OR l.decision = 'rejected')`;
  return claimed === 1;
}

/** Counts that the add is sent once more. False when it has come to its end meanwhile. */
export async function countAgain({ prisma }: Database, { id, number }: ListingId, key: string): Promise<boolean> {
  const counted = await prisma.$executeRaw`
    UPDATE app.listing SET adding = jsonb_set(adding, '{again}', to_jsonb((adding->>'again')::int + 1))
     WHERE harmonization_id = ${id}::uuid AND number = ${number} AND adding->>'key' = ${key}`;
  return counted === 1;
}

/** Ends an add that surely has made nothing. */
export async function clearAdd({ prisma }: Database, { id, number }: ListingId, key: string): Promise<void> {
  await prisma.$executeRaw`
    UPDATE app.listing SET adding = NULL
     WHERE harmonization_id = ${id}::uuid AND number = ${number} AND adding->>'key' = ${key}`;
}

const REASON = { person: "added as new", many: "added as new, with all that had no match" };

/**
 * Writes that the venue is the listing's. With a person's add goes a step that they can undo: the venue stays.
 *
 * @throws KnownError 409 when the listing was decided otherwise meanwhile; the venue is in the directory all the same
 */
export async function commitAdd(
  db: Database,
  listing: ListingId,
  { key, how, accountId }: Pick<BegunAdd, "key" | "how" | "accountId">,
  venue: Venue,
): Promise<void> {
  const { id, number } = listing;
  const venueId = storable(venue.id);
  // One statement is one transaction; `was` locks the row and holds it as it was before.
  const written = await db.prisma.$executeRaw`
    WITH was AS (
      SELECT * FROM app.listing WHERE harmonization_id = ${id}::uuid AND number = ${number} AND adding->>'key' = ${key}
         AND (decision IS NULL OR decision = 'rejected') FOR UPDATE
    ), stepped AS (
      INSERT INTO app.decision_step (harmonization_id, group_id, account_id, number, before)
      SELECT harmonization_id, gen_random_uuid(), ${accountId}::uuid, number, ${Prisma.raw(BEFORE)}
        FROM was l WHERE ${how} = 'person'
    )
    UPDATE app.listing l SET decision = 'added', venue_id = ${venueId}, venue_name = ${storable(venue.name)},
           decided_how = ${how}::app.decided_how, decided_by = ${accountId}::uuid, decided_at = now(),
           reason = ${REASON[how]}, problem = NULL, adding = NULL, locked_by = NULL, locked_until = NULL
      FROM was WHERE l.harmonization_id = was.harmonization_id AND l.number = was.number`;
  if (written === 1) return;
  const row = await addRow(db, listing);
  if (row.decision === "added" && row.venueId === venueId) return; // the same add, finished by somebody else
  await clearAdd(db, listing, key);
  const message = `“${venue.name}” was added to the directory, but somebody decided otherwise about the listing meanwhile.`;
  throw new KnownError(409, "decided", message, { title: "This listing is decided" });
}

/** Nobody may be told that it was not added, and no worker may try again. */
export const UNKNOWN = "It is not known whether this was added. Look before adding it again.";

/** Gives up an add of which nobody knows what came of it: a person looks at it, beside what there is now. */
export async function parkAdd(
  { prisma }: Database,
  { id, number }: ListingId,
  key: string,
  found: FoundVenues,
): Promise<void> {
  const problem = JSON.stringify({ code: "add_unknown", message: UNKNOWN });
  await prisma.$executeRaw`
    UPDATE app.listing SET ${assessed(found)}, adding = NULL, decision = NULL, venue_id = NULL, venue_name = NULL,
           decided_how = NULL, decided_by = NULL, decided_at = NULL, problem = ${problem}::jsonb, reason = ${UNKNOWN}
     WHERE harmonization_id = ${id}::uuid AND number = ${number} AND adding->>'key' = ${key}`;
}

/**
 * Puts a listing, which may have been refused before, in front of a person with what is like it now: also where the cut says
 * that so little need not be looked at. Then it is without a score, which no cut moves.
 */
export async function putToReview({ prisma }: Database, { id, number }: ListingId, found: FoundVenues): Promise<void> {
  await prisma.$executeRaw`
    UPDATE app.listing l SET ${assessed(found, Prisma.sql`h.review_from`)}, decision = NULL, decided_how = NULL,
           decided_by = NULL, decided_at = NULL, reason = NULL, problem = NULL, skipped_at = NULL
      FROM app.harmonization h
     WHERE h.id = l.harmonization_id AND h.id = ${id}::uuid AND l.number = ${number} AND l.adding IS NULL
       AND (l.decision IS NULL OR l.decision = 'rejected')`;
}

/** @param least below it the score is left out */
function assessed(found: FoundVenues, least = Prisma.sql`0`): Prisma.Sql {
  const { score, isClear, bestId, candidates, pattern } = assess(found);
  return Prisma.sql`status = 'asked', matched_at = now(), score = CASE WHEN ${score}::real >= ${least} THEN ${score}::real END,
    is_clear = ${isClear}, best_id = ${bestId}, candidates = ${JSON.stringify(candidates)}::jsonb, pattern = ${pattern}`;
}
