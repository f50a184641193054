import { randomUUID } from "node:crypto";
import type { Venue } from "../../contract/resources.ts";
import { type Db, execute, prepared, queryRow, type Sql, sql } from "../../db/sql.ts";
import type { FoundVenues } from "../../directory-client/client.ts";
import { t } from "../../language/translate.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { storable } from "../../shared/storable.ts";
import { assess } from "../run/candidates.ts";
import type { Problem, ProblemOf } from "../run/problems/problems.ts";
import type { Reason } from "../run/problems/reasons.ts";
import { wordsOf } from "../run/problems/words.ts";
import { HAS_CHANGED, type ListingId } from "../run/rows.ts";
import { BEFORE, decidedNow, keepSteps, UNLOCKED, type Written, writeDecisions } from "../run/write-decisions.ts";
import type { BegunAdd } from "./rules.ts";

export interface AddRow {
  decision: "matched" | "added" | "rejected" | null;
  venueId: string | null;
  venueName: string | null;
  adding: BegunAdd | null;
  age: number | null;
}

export async function addRow(db: Db, { id, number }: ListingId): Promise<AddRow> {
  const row = await queryRow<AddRow>(prepared(db))`
    SELECT decision, venue_id AS "venueId", venue_name AS "venueName", adding,
           extract(epoch FROM now() - (adding->>'since')::timestamptz)::float8 AS age
      FROM app.listing WHERE harmonization_id = ${id} AND number = ${number}`;
  if (!row) throw notFound(t("There is no such row."));
  return row;
}

/** SQL: a listing `l` that may still be added: nobody has decided that it is a venue. */
export const IS_OPEN = sql`(l.decision IS NULL OR l.decision = 'rejected')`;

export async function claimAdd(
  db: Db,
  { id, number }: ListingId,
  add: Omit<BegunAdd, "since">,
  runner: string | undefined,
): Promise<boolean> {
  const ownsTask = runner ? sql`state = 'adding' AND paused_for IS NULL AND task->>'runner' = ${runner}` : sql`true`;
  // The lock makes a new run wait, so that it sees this add and finishes it first.
  const claimed = await execute(prepared(db))`
    WITH h AS (SELECT id FROM app.harmonization WHERE id = ${id} AND ${ownsTask} FOR SHARE)
    UPDATE app.listing l SET adding = ${JSON.stringify(add)}::jsonb || jsonb_build_object('since', now())
      FROM h WHERE l.harmonization_id = h.id AND l.number = ${number} AND l.adding IS NULL AND ${IS_OPEN}`;
  return claimed === 1;
}

export async function countAgain(db: Db, { id, number }: ListingId, key: string): Promise<boolean> {
  const counted = await execute(db)`
    UPDATE app.listing SET adding = jsonb_set(adding, '{again}', to_jsonb((adding->>'again')::int + 1))
     WHERE harmonization_id = ${id} AND number = ${number} AND adding->>'key' = ${key}`;
  return counted === 1;
}

export async function clearAdd(db: Db, { id, number }: ListingId, key: string): Promise<void> {
  await execute(db)`
    UPDATE app.listing SET adding = NULL
     WHERE harmonization_id = ${id} AND number = ${number} AND adding->>'key' = ${key}`;
}

const WHY = { person: "added", many: "added_with_others" } as const;

export const whyAdded = (how: BegunAdd["how"], { held }: Pick<Venue, "held">): Reason => ({
  code: WHY[how],
  ...(held && { held }),
});

interface AddedRows extends Pick<Written, "rows" | "where"> {
  run: string;
  how: BegunAdd["how"];
  accountId: string;
}

/** SQL: writes that listings were added, each as the venue of its row `d`: `venue`, `name` and `why`. */
export const writeAdded = ({ how, accountId, ...written }: AddedRows): Sql =>
  writeDecisions({
    ...written,
    decision: {
      decision: "added",
      venueId: sql`d.venue`,
      venueName: sql`d.name`,
      decidedHow: how,
      ...decidedNow(accountId),
      why: sql`d.why || CASE WHEN l.decision = 'rejected' THEN '{"wasRejected":true}'::jsonb ELSE '{}'::jsonb END`,
    },
    also: [sql`problem = NULL`, sql`adding = NULL`, ...UNLOCKED],
  });

/** Throws KnownError 409 if the listing was decided otherwise meanwhile; the venue then stays in the directory. */
export async function commitAdd(
  db: Db,
  listing: ListingId,
  { key, how, accountId }: Pick<BegunAdd, "key" | "how" | "accountId">,
  venue: Venue,
): Promise<void> {
  const { id, number } = listing;
  const venueId = storable(venue.id);
  const why = JSON.stringify(whyAdded(how, venue));
  const written = await execute(prepared(db))`
    WITH d AS MATERIALIZED (
      SELECT l.number, ${BEFORE} AS before, ${venueId}::text AS venue, ${storable(venue.name)}::text AS name, ${why}::jsonb AS why
        FROM app.listing l
       WHERE l.harmonization_id = ${id} AND l.number = ${number} AND l.adding->>'key' = ${key} AND ${IS_OPEN} FOR UPDATE),
    kept AS (${keepSteps({ via: "add", run: id, accountId, group: randomUUID(), rows: sql`d WHERE ${how}::text = 'person'` })})
    ${writeAdded({ run: id, rows: sql`d`, how, accountId })}`;
  if (written === 1) return;
  const row = await addRow(db, listing);
  if (row.decision === "added" && row.venueId === venueId) return; // another process finished the same add
  await clearAdd(db, listing, key);
  throw alreadyDecided({ code: "decided_meanwhile", venue: storable(venue.name) });
}

export function alreadyDecided({ code, ...params }: ProblemOf<"decided" | "decided_meanwhile">): KnownError {
  const message = wordsOf({ code, ...params } as Problem);
  return new KnownError(409, code, message, { title: t("This row is decided"), params });
}

/** Workers do not retry it, and pages must not say that it was not added. */
export const ADD_UNKNOWN = { code: "add_unknown" } as const satisfies Problem & Reason;

export async function parkAdd(db: Db, { id, number }: ListingId, key: string, found: FoundVenues): Promise<void> {
  const unknown = JSON.stringify(ADD_UNKNOWN);
  const { score, isClear, bestId, candidates, pattern } = assess(found);
  const hadDecision = HAS_CHANGED;
  await execute(db)`
    ${writeDecisions({
      run: id,
      rows: sql`(SELECT ${number}::int AS number) d`,
      where: sql`l.adding->>'key' = ${key}`,
      decision: { why: unknown },
      also: [
        sql`status = 'asked'`,
        sql`matched_at = now()`,
        sql`adding = NULL`,
        sql`problem = ${unknown}::jsonb`,
        sql`score = CASE WHEN NOT (${hadDecision}) THEN ${score}::real END`,
        sql`is_clear = ${isClear} AND NOT (${hadDecision})`,
        sql`best_id = ${bestId}`,
        sql`pattern = ${pattern}`,
        sql`candidates = ${JSON.stringify(candidates)}::jsonb`,
      ],
    })}`;
}
