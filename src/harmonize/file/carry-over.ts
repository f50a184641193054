import type { ClientBase } from "pg";
import { type Db, execute, queryRow, rawSql, type Sql, sql } from "../../db/sql.ts";
import { isGone } from "../run/gone-venues.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { firstColumn, MATCHED_VENUE, OUTCOME } from "../run/rows.ts";
import { writeDecisions } from "../run/write-decisions.ts";
import { carryMends } from "./carry-corrections.ts";

/**
 * Copies each correction, decision and note of the previous edition to the listing with the same id in the file and the same values.
 * Matches that the previous edition's limits accepted without review count as decided. A match with a venue that is gone is not kept.
 * Notes of the others whether they are new or have changed, and what those were that had a decision or a venue with their id.
 */
export async function carryDecisionsOver(client: ClientBase, h: Harmonization, previousId: string): Promise<void> {
  await writeIdsAsBefore(client, h.id, previousId);
  await carryMends(client, h, previousId);
  await execute(client)`WITH decided AS (${asDecidedIn(previousId, h.id)}) SELECT`;
  await noteEdition(client, h.id, previousId);
  await carryNotes(client, h.id, previousId);
}

/** A question that waits is asked here from now on, and no longer in the previous edition (review/notes.ts). */
async function carryNotes(client: ClientBase, run: string, previousId: string): Promise<void> {
  await execute(client)`
    INSERT INTO app.note (harmonization_id, number, account_id, text, asked_id, created_at, answered_at)
    SELECT l.harmonization_id, l.number, o.account_id, o.text, o.asked_id, o.created_at, o.answered_at
      FROM app.note o JOIN app.listing d USING (harmonization_id, number)
      JOIN app.listing l ON l.harmonization_id = ${run} AND l.own_id = d.own_id AND l.print = d.print
     WHERE o.harmonization_id = ${previousId} AND d.own_id <> '' ORDER BY o.id, l.number`;
}

function asDecidedIn(previousId: string, run: string): Sql {
  const decided = sql`SELECT DISTINCT ON (l.own_id, l.print) l.*,
      coalesce(l.decision, 'matched') AS kept, ${MATCHED_VENUE} AS kept_venue,
      coalesce(l.venue_name, (SELECT c->>'name' FROM jsonb_array_elements(l.candidates) AS c
        WHERE c->>'id' = ${MATCHED_VENUE} LIMIT 1)) AS kept_name
    FROM app.listing l JOIN app.harmonization h ON h.id = l.harmonization_id
    WHERE h.id = ${previousId} AND h.state <> 'deleting' AND l.own_id IS NOT NULL AND (l.decision IS NOT NULL OR ${IS_MATCHED})
      AND (l.decision = 'rejected' OR NOT ${isGone(MATCHED_VENUE, previousId)})
    ORDER BY l.own_id, l.print, l.decided_at DESC NULLS LAST`;
  const unlessRejected = (value: Sql) => sql`CASE WHEN d.kept = 'rejected' THEN NULL ELSE ${value} END`;
  return writeDecisions({
    run,
    rows: sql`(${decided}) d`,
    isOf: sql`l.own_id = d.own_id AND l.print = d.print`,
    where: sql`l.status = 'pending'`,
    decision: {
      decision: sql`d.kept`,
      decidedHow: "kept",
      decidedBy: sql`d.decided_by`,
      why: sql`d.why`,
      venueId: unlessRejected(sql`d.kept_venue`),
      venueName: unlessRejected(sql`d.kept_name`),
      decidedAt: sql`coalesce(d.decided_at, d.matched_at, now())`,
    },
    also: MATCH.map((column) => sql`${rawSql(column)} = d.${rawSql(column)}`),
  });
}

const IS_MATCHED = sql`${OUTCOME} = 'matched'`;

/** What else is kept of the match. */
const MATCH = [
  "status",
  "problem",
  "score",
  "is_clear",
  "best_id",
  "candidates",
  "pattern",
  "matched_at",
  "annotated_at",
  "annotation_problem",
];

async function noteEdition(client: ClientBase, run: string, previousId: string): Promise<void> {
  const isNotGone = sql`NOT ${isGone(MATCHED_VENUE, previousId)}`;
  // What the listing `l` of `h` was, for a row that has changed since; an edition without a decision hands on what an earlier one says.
  const was = sql`CASE
    WHEN l.decision IS NOT NULL OR ${IS_MATCHED} THEN jsonb_strip_nulls(jsonb_build_object(
      'decision', coalesce(l.decision::text, 'matched'),
      'venueId', CASE WHEN l.decision IS DISTINCT FROM 'rejected' AND ${isNotGone} THEN ${MATCHED_VENUE} END))
    WHEN l.annotated_at IS NOT NULL AND l.annotation_problem IS NULL AND ${MATCHED_VENUE} IS NOT NULL THEN jsonb_strip_nulls(
      jsonb_build_object('decision', 'annotated', 'venueId', CASE WHEN ${isNotGone} THEN ${MATCHED_VENUE} END))
    ELSE l.edition->'was' END`;
  // Of listings with one id the one decided last counts.
  await execute(client)`
    WITH before AS MATERIALIZED (
      SELECT l.own_id, array_agg(l.print) AS prints, (array_agg(w.was ORDER BY l.decided_at DESC NULLS LAST, l.number)
               FILTER (WHERE w.was IS NOT NULL))[1] AS was,
             (array_agg(l.edition->'was' ORDER BY l.number) FILTER (WHERE l.decision IS NULL AND l.edition->'was' IS NOT NULL))[1] AS kept
        FROM app.harmonization h JOIN app.listing l ON l.harmonization_id = h.id CROSS JOIN LATERAL (SELECT ${was} AS was) AS w
       WHERE h.id = ${previousId} AND h.state <> 'deleting' AND l.own_id <> '' GROUP BY l.own_id)
    UPDATE app.listing n SET edition = noted.edition
      FROM (SELECT l.number, jsonb_strip_nulls(jsonb_build_object(
                     'is', CASE WHEN b.own_id IS NULL THEN 'new' WHEN l.print <> ALL (b.prints) THEN 'changed' END,
                     'was', CASE WHEN l.decision IS NULL THEN CASE WHEN l.print <> ALL (b.prints) THEN b.was ELSE b.kept END END)) AS edition
              FROM app.listing l LEFT JOIN before b ON b.own_id = l.own_id
             WHERE l.harmonization_id = ${run} AND l.own_id <> '') AS noted
     WHERE n.harmonization_id = ${run} AND n.number = noted.number AND noted.edition <> '{}'`;
}

// SQL: a number that a data frame or spreadsheet has written, 770.0 or 0770, as 770.
const keyOf = (id: Sql): Sql =>
  sql`CASE WHEN ${id} ~ '^[0-9]{1,18}([.]0{1,6})?$' THEN coalesce(nullif(ltrim(regexp_replace(${id}, '[.]0+$', ''), '0'), ''), '0') END`;

/**
 * Gives rows the id as the previous edition writes it, 770 for 770.0 or 0770, where each of the two files has one such id: no other id of
 * either is the same number.
 */
async function writeIdsAsBefore(client: ClientBase, run: string, previousId: string): Promise<void> {
  const singleIds = (file: string) => sql`SELECT ${keyOf(sql`own_id`)} AS key, min(own_id) AS id FROM app.listing
      WHERE harmonization_id = ${file} AND own_id IS NOT NULL GROUP BY 1 HAVING min(own_id) = max(own_id)`;
  await execute(client)`
    WITH now AS (${singleIds(run)}), before AS (${singleIds(previousId)})
    UPDATE app.listing l SET own_id = before.id FROM now JOIN before USING (key)
     WHERE l.harmonization_id = ${run} AND l.own_id = now.id AND now.id <> before.id`;
}

/** Counts the rows whose id was written otherwise than in the previous edition. */
export async function idsAsBefore(
  db: Db,
  { id, columns, previousId }: Pick<Harmonization, "id" | "columns" | "previousId">,
): Promise<number> {
  if (!previousId) return 0;
  const counted = await queryRow<{ count: number }>(db)`
    SELECT count(*)::int AS count FROM app.listing l, LATERAL btrim(l.cells[${firstColumn(columns, "id")}]) AS cell
     WHERE l.harmonization_id = ${id} AND l.own_id <> cell AND ${keyOf(sql`l.own_id`)} = ${keyOf(sql`cell`)}`;
  return counted?.count ?? 0;
}
