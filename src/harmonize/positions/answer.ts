import type { Harmonizer } from "../deps.ts";
import type { Harmonization } from "../harmonizations.ts";

/**
 * Notes what the owner says to positions that look wrong, or with `undefined` that they are to be asked again. What is read
 * already stays as it was read: from then on they can only be right, or the file begins again with the repair. False where
 * there is nothing to answer.
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
