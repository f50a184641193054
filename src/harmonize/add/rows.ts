import type { Venue } from "../../contract/resources.ts";
import { Prisma } from "../../db/generated/client.ts";
import type { FoundVenues } from "../../directory-client/client.ts";
import { t } from "../../language/translate.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { storable } from "../../shared/storable.ts";
import { BEFORE } from "../review/decisions.ts";
import { assess } from "../run/candidates.ts";
import type { Deps } from "../run/long-task.ts";
import type { Problem, ProblemOf } from "../run/problems/problems.ts";
import type { Reason } from "../run/problems/reasons.ts";
import { wordsOf } from "../run/problems/words.ts";
import { HAS_CHANGED, type ListingId } from "../run/rows.ts";
import type { BegunAdd } from "./rules.ts";

type Database = Pick<Deps, "prisma">;

export interface AddRow {
  decision: "matched" | "added" | "rejected" | null;
  venueId: string | null;
  venueName: string | null;
  adding: BegunAdd | null;
  age: number | null;
}

export async function addRow({ prisma }: Database, { id, number }: ListingId): Promise<AddRow> {
  const [row] = await prisma.$queryRaw<AddRow[]>`
    SELECT decision::text, venue_id AS "venueId", venue_name AS "venueName", adding,
           extract(epoch FROM now() - (adding->>'since')::timestamptz)::float8 AS age
      FROM app.listing WHERE harmonization_id = ${id}::uuid AND number = ${number}`;
  if (!row) throw notFound(t("There is no such listing."));
  return row;
}

export async function claimAdd(
  { prisma }: Database,
  { id, number }: ListingId,
  add: Omit<BegunAdd, "since">,
  runner: string | undefined,
): Promise<boolean> {
  const goesOn = runner
    ? Prisma.sql`AND state = 'adding' AND paused_for IS NULL AND task->>'runner' = ${runner}`
    : Prisma.empty;
  // The lock makes a new run wait, so that it sees this add and finishes it first.
  const claimed = await prisma.$executeRaw`
    WITH h AS (SELECT id FROM app.harmonization WHERE id = ${id}::uuid ${goesOn} FOR SHARE)
    UPDATE app.listing l SET adding = ${JSON.stringify(add)}::jsonb || jsonb_build_object('since', now())
      FROM h WHERE l.harmonization_id = h.id AND l.number = ${number} AND l.adding IS NULL
       AND (l.decision IS NULL OR l.decision = 'rejected')`;
  return claimed === 1;
}

export async function countAgain({ prisma }: Database, { id, number }: ListingId, key: string): Promise<boolean> {
  const counted = await prisma.$executeRaw`
    UPDATE app.listing SET adding = jsonb_set(adding, '{again}', to_jsonb((adding->>'again')::int + 1))
     WHERE harmonization_id = ${id}::uuid AND number = ${number} AND adding->>'key' = ${key}`;
  return counted === 1;
}

export async function clearAdd({ prisma }: Database, { id, number }: ListingId, key: string): Promise<void> {
  await prisma.$executeRaw`
    UPDATE app.listing SET adding = NULL
     WHERE harmonization_id = ${id}::uuid AND number = ${number} AND adding->>'key' = ${key}`;
}

const WHY = { person: "added", many: "added_with_others" } as const;

export const whyAdded = (how: BegunAdd["how"], { held }: Pick<Venue, "held">): Reason => ({
  code: WHY[how],
  ...(held && { held }),
});

/** Throws KnownError 409 if the listing was decided otherwise meanwhile; the venue then stays in the directory. */
export async function commitAdd(
  db: Database,
  listing: ListingId,
  { key, how, accountId }: Pick<BegunAdd, "key" | "how" | "accountId">,
  venue: Venue,
): Promise<void> {
  const { id, number } = listing;
  const venueId = storable(venue.id);
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
           why = ${JSON.stringify(whyAdded(how, venue))}::jsonb || ${Prisma.raw(WAS_REJECTED)}, problem = NULL, adding = NULL, locked_by = NULL, locked_until = NULL
      FROM was WHERE l.harmonization_id = was.harmonization_id AND l.number = was.number`;
  if (written === 1) return;
  const row = await addRow(db, listing);
  if (row.decision === "added" && row.venueId === venueId) return; // another process finished the same add
  await clearAdd(db, listing, key);
  throw decided({ code: "decided_meanwhile", venue: storable(venue.name) });
}

export function decided({ code, ...params }: ProblemOf<"decided" | "decided_meanwhile">): KnownError {
  const message = wordsOf({ code, ...params } as Problem);
  return new KnownError(409, code, message, { title: t("This listing is decided"), params });
}

/** SQL: what the reason of an added listing `l` notes of its decision before. */
export const WAS_REJECTED = `CASE WHEN l.decision = 'rejected' THEN '{"wasRejected":true}'::jsonb ELSE '{}'::jsonb END`;

/** Workers do not retry it, and pages must not say that it was not added. */
export const UNKNOWN = { code: "add_unknown" } as const satisfies Problem & Reason;

export async function parkAdd(
  { prisma }: Database,
  { id, number }: ListingId,
  key: string,
  found: FoundVenues,
): Promise<void> {
  const unknown = JSON.stringify(UNKNOWN);
  await prisma.$executeRaw`
    UPDATE app.listing SET ${assessed(found)}, adding = NULL, decision = NULL, venue_id = NULL, venue_name = NULL,
           decided_how = NULL, decided_by = NULL, decided_at = NULL, problem = ${unknown}::jsonb, why = ${unknown}::jsonb
     WHERE harmonization_id = ${id}::uuid AND number = ${number} AND adding->>'key' = ${key}`;
}

const HAD = Prisma.raw(HAS_CHANGED.replaceAll("l.", ""));

function assessed(found: FoundVenues): Prisma.Sql {
  const { score, isClear, bestId, candidates, pattern } = assess(found);
  return Prisma.sql`status = 'asked', matched_at = now(), score = CASE WHEN NOT ${HAD} THEN ${score}::real END,
    is_clear = ${isClear} AND NOT ${HAD}, best_id = ${bestId}, candidates = ${JSON.stringify(candidates)}::jsonb, pattern = ${pattern}`;
}
