import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";

/**
 * Stores or clears the owner's answer. Once rows are read, only `right` is possible. Returns false if it was not
 * stored.
 */
export async function answerPositions(
  { pool }: Pick<Harmonizer, "pool">,
  { id }: Pick<Harmonization, "id">,
  answer: "right" | "repair" | undefined,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE app.harmonization
        SET positions = CASE WHEN $2::text IS NULL THEN positions - 'answer' ELSE positions || jsonb_build_object('answer', $2::text) END
      WHERE id = $1 AND positions->>'verdict' = 'wrong'
        AND (state = 'draft' OR ($2 = 'right' AND positions->>'answer' IS DISTINCT FROM 'repair'))
        AND ($2 IS DISTINCT FROM 'repair' OR positions ? 'repair')`,
    [id, answer ?? null],
  );
  return rowCount === 1;
}
