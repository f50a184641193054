import type { ClientBase, Pool } from "pg";
import { isGone } from "../run/gone-venues.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { firstColumn, MATCHED_VENUE, OUTCOME } from "../run/rows.ts";
import { carryMends } from "./carry-corrections.ts";

/**
 * Copies each correction and decision of the previous edition to the listing with the same id in the file and the same values.
 * Matches that the previous edition's limits accepted without review count as decided. A match with a venue that is gone is not kept.
 * Notes of the others whether they are new or have changed, and what those were that had a decision or a venue with their id.
 */
export async function carryOver(client: ClientBase, h: Harmonization, previousId: string): Promise<void> {
  await client.query(AS_BEFORE, [h.id, previousId]);
  await carryMends(client, h, previousId);
  const decided = `SELECT DISTINCT ON (l.own_id, l.print) l.*,
      coalesce(l.decision, 'matched') AS kept, ${MATCHED_VENUE} AS kept_venue,
      coalesce(l.venue_name, (SELECT c->>'name' FROM jsonb_array_elements(l.candidates) AS c
        WHERE c->>'id' = ${MATCHED_VENUE} LIMIT 1)) AS kept_name
    FROM app.listing l JOIN app.harmonization h ON h.id = l.harmonization_id
    WHERE h.id = $2 AND h.state <> 'deleting' AND l.own_id IS NOT NULL AND (l.decision IS NOT NULL OR ${OUTCOME} = 'matched')
      AND (l.decision = 'rejected' OR NOT ${isGone(MATCHED_VENUE, "$2")})
    ORDER BY l.own_id, l.print, l.decided_at DESC NULLS LAST`;
  await client.query(
    `UPDATE app.listing n SET
      (status, problem, score, is_clear, best_id, candidates, pattern, matched_at, decision, decided_by, why,
        annotated_at, annotation_problem) =
        ROW(p.status, p.problem, p.score, p.is_clear, p.best_id, p.candidates, p.pattern, p.matched_at, p.kept,
          p.decided_by, p.why, p.annotated_at, p.annotation_problem),
      venue_id = CASE WHEN p.kept = 'rejected' THEN NULL ELSE p.kept_venue END,
      venue_name = CASE WHEN p.kept = 'rejected' THEN NULL ELSE p.kept_name END,
      decided_how = 'kept', decided_at = coalesce(p.decided_at, p.matched_at, now())
    FROM (${decided}) p
    WHERE n.harmonization_id = $1 AND n.own_id = p.own_id AND n.print = p.print AND n.status = 'pending'`,
    [h.id, previousId],
  );
  await client.query(NOTE_EDITION, [h.id, previousId]);
}

/** SQL: what the listing `l` of `h` was, for a row that has changed since; an edition without a decision hands on what an earlier one says. */
const WAS = `CASE
    WHEN l.decision IS NOT NULL OR ${OUTCOME} = 'matched' THEN jsonb_strip_nulls(jsonb_build_object(
      'decision', coalesce(l.decision::text, 'matched'),
      'venueId', CASE WHEN l.decision IS DISTINCT FROM 'rejected' AND NOT ${isGone(MATCHED_VENUE, "$2")} THEN ${MATCHED_VENUE} END))
    WHEN l.annotated_at IS NOT NULL AND l.annotation_problem IS NULL AND ${MATCHED_VENUE} IS NOT NULL THEN jsonb_strip_nulls(
      jsonb_build_object('decision', 'annotated', 'venueId', CASE WHEN NOT ${isGone(MATCHED_VENUE, "$2")} THEN ${MATCHED_VENUE} END))
    ELSE l.edition->'was' END`;

// Of listings with one id the one decided last counts.
const NOTE_EDITION = `WITH before AS MATERIALIZED (
    SELECT l.own_id, array_agg(l.print) AS prints, (array_agg(w.was ORDER BY l.decided_at DESC NULLS LAST, l.number)
             FILTER (WHERE w.was IS NOT NULL))[1] AS was,
           (array_agg(l.edition->'was' ORDER BY l.number) FILTER (WHERE l.decision IS NULL AND l.edition->'was' IS NOT NULL))[1] AS kept
      FROM app.harmonization h JOIN app.listing l ON l.harmonization_id = h.id CROSS JOIN LATERAL (SELECT ${WAS} AS was) AS w
     WHERE h.id = $2 AND h.state <> 'deleting' AND l.own_id <> '' GROUP BY l.own_id)
  UPDATE app.listing n SET edition = noted.edition
    FROM (SELECT l.number, jsonb_strip_nulls(jsonb_build_object(
                   'is', CASE WHEN b.own_id IS NULL THEN 'new' WHEN l.print <> ALL (b.prints) THEN 'changed' END,
                   'was', CASE WHEN l.decision IS NULL THEN CASE WHEN l.print <> ALL (b.prints) THEN b.was ELSE b.kept END END)) AS edition
            FROM app.listing l LEFT JOIN before b ON b.own_id = l.own_id
           WHERE l.harmonization_id = $1 AND l.own_id <> '') AS noted
   WHERE n.harmonization_id = $1 AND n.number = noted.number AND noted.edition <> '{}'`;

// SQL: a number that a data frame or spreadsheet has written, 770.0 or 0770, as 770.
const KEY = (id: string) =>
  `CASE WHEN ${id} ~ '^[0-9]{1,18}([.]0{1,6})?$' THEN coalesce(nullif(ltrim(regexp_replace(${id}, '[.]0+$', ''), '0'), ''), '0') END`;

/**
 * SQL: gives rows the id as the previous edition writes it, 770 for 770.0 or 0770, where each of the two files has one such id: no other
 * id of either is the same number.
 */
const AS_BEFORE = `WITH now AS (SELECT ${KEY("own_id")} AS key, min(own_id) AS id FROM app.listing
      WHERE harmonization_id = $1 AND own_id IS NOT NULL GROUP BY 1 HAVING min(own_id) = max(own_id)),
    before AS (SELECT ${KEY("own_id")} AS key, min(own_id) AS id FROM app.listing
      WHERE harmonization_id = $2 AND own_id IS NOT NULL GROUP BY 1 HAVING min(own_id) = max(own_id))
  UPDATE app.listing l SET own_id = before.id FROM now JOIN before USING (key)
   WHERE l.harmonization_id = $1 AND l.own_id = now.id AND now.id <> before.id`;

/** Counts the rows whose id was written otherwise than in the previous edition. */
export async function idsAsBefore(
  pool: Pool,
  { id, columns, previousId }: Pick<Harmonization, "id" | "columns" | "previousId">,
): Promise<number> {
  if (!previousId) return 0;
  const { rows } = await pool.query<{ count: number }>({
    name: "ids-as-before",
    text: `SELECT count(*)::int AS count FROM app.listing l, LATERAL btrim(l.cells[$2]) AS cell
            WHERE l.harmonization_id = $1 AND l.own_id <> cell AND ${KEY("l.own_id")} = ${KEY("cell")}`,
    values: [id, firstColumn(columns, "id")],
  });
  return rows[0]?.count ?? 0;
}
