import type { ClientBase } from "pg";
import { isGone } from "../run/gone-venues.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "../run/rows.ts";
import { carryMends } from "./carry-corrections.ts";

/**
 * Copies each correction and decision of the previous edition to the listing with the same id in the file and the same values.
 * Matches that the previous edition's limits accepted without review count as decided. A match with a venue that is gone is not kept.
 */
export async function carryOver(client: ClientBase, h: Harmonization, previousId: string): Promise<void> {
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
}
