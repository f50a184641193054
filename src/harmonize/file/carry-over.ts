import type { ClientBase } from "pg";
import { MATCHED_VENUE, OUTCOME } from "../run/rows.ts";

/**
 * Copies each decision of the previous edition to the listing with the same id in the file and the same values. Matches that the previous
 * edition's limits accepted without review count as decided.
 */
export async function carryOver(
  client: ClientBase,
  { id, previousId }: { id: string; previousId: string },
): Promise<void> {
  await carryMends(client, { id, previousId });
  const decided = `SELECT DISTINCT ON (l.own_id, l.print) l.*,
      coalesce(l.decision, 'matched') AS kept, ${MATCHED_VENUE} AS kept_venue,
      coalesce(l.venue_name, (SELECT c->>'name' FROM jsonb_array_elements(l.candidates) AS c
        WHERE c->>'id' = ${MATCHED_VENUE} LIMIT 1)) AS kept_name
    FROM app.listing l JOIN app.harmonization h ON h.id = l.harmonization_id
    WHERE h.id = $2 AND h.state <> 'deleting' AND l.own_id IS NOT NULL AND (l.decision IS NOT NULL OR ${OUTCOME} = 'matched')
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
    [id, previousId],
  );
}

/**
 * Copies the category that a person chose, and the name and position that a person has corrected, to the listing with the same id in the file and the same values, which is
 * then asked about again.
 */
async function carryMends(client: ClientBase, { id, previousId }: { id: string; previousId: string }): Promise<void> {
  await client.query(
    `UPDATE app.listing n SET category_id = p.category_id FROM app.listing p
      WHERE n.harmonization_id = $1 AND p.harmonization_id = $2 AND p.category_id IS NOT NULL AND n.own_id = p.own_id AND n.print = p.print`,
    [id, previousId],
  );
  await client.query(
    `UPDATE app.listing n SET query = p.query, place = p.place, status = 'pending', problem = NULL
      FROM (SELECT DISTINCT ON (l.own_id, l.print) l.own_id, l.print, l.query, l.place
              FROM app.listing l JOIN app.harmonization h ON h.id = l.harmonization_id
             WHERE h.id = $2 AND h.state <> 'deleting' AND l.own_id IS NOT NULL AND l.query ? 'mended'
             ORDER BY l.own_id, l.print, l.matched_at DESC NULLS LAST) p
     WHERE n.harmonization_id = $1 AND n.own_id = p.own_id AND n.print = p.print`,
    [id, previousId],
  );
}
