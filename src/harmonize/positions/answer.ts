import { execute, sql } from "../../db/sql.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";

/**
 * Stores or clears the owner's answer. Once rows are read, only `right` is possible. Returns false if it was not
 * stored.
 */
export async function answerPositions(
  db: Pick<Harmonizer, "pool">,
  { id }: Pick<Harmonization, "id">,
  answer: "right" | "repair" | undefined,
): Promise<boolean> {
  const chosen = sql`${answer ?? null}::text`;
  const stored = await execute(db)`
    UPDATE app.harmonization
       SET positions = CASE WHEN ${chosen} IS NULL THEN positions - 'answer' ELSE positions || jsonb_build_object('answer', ${chosen}) END
     WHERE id = ${id} AND positions->>'verdict' = 'wrong'
       AND (state = 'draft' OR (${chosen} = 'right' AND positions->>'answer' IS DISTINCT FROM 'repair'))
       AND (${chosen} IS DISTINCT FROM 'repair' OR positions ? 'repair')`;
  return stored === 1;
}
