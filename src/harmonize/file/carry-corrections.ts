import type { ClientBase } from "pg";
import { execute, queryRows, type Sql, sql } from "../../db/sql.ts";
import { placeOf } from "../match/place.ts";
import { type Corrected, mendedAgain } from "../query/mend.ts";
import type { Harmonization } from "../run/harmonizations.ts";

/** Copies what people corrected in a run to the same rows of one begun again with them. */
export const carryCorrections = (client: ClientBase, h: Harmonization, from: string): Promise<void> =>
  carry(client, h, from, sql`n.line = s.line AND n.cells = s.cells`);

/** Copies what people corrected in the previous edition to the listings with the same id in the file and the same values. */
export const carryMends = (client: ClientBase, h: Harmonization, previousId: string): Promise<void> =>
  carry(client, h, previousId, sql`s.own_id IS NOT NULL AND n.own_id = s.own_id AND n.print = s.print`);

/**
 * Copies corrections, read with the columns of `h`, and categories of venues to be added. Such listings are asked about again.
 * Rows that a correction leaves without a name or place stay as they are.
 */
async function carry(client: ClientBase, h: Harmonization, from: string, isSame: Sql): Promise<void> {
  const rows = await queryRows<Corrected & { number: number }>(client)`
    SELECT DISTINCT ON (n.number) n.number, to_json(n.cells) AS cells, s.query, n.query AS asked FROM app.listing s
      JOIN app.harmonization e ON e.id = s.harmonization_id AND e.state <> 'deleting'
      JOIN app.listing n ON n.harmonization_id = ${h.id} AND ${isSame} AND n.status IN ('pending', 'failed')
     WHERE s.harmonization_id = ${from} AND s.query ? 'mended' ORDER BY n.number, s.matched_at DESC NULLS LAST`;
  const mended = rows.flatMap((row) => {
    const { number, query } = row;
    const again = query.mended && mendedAgain(row, h);
    if (!query.mended || !again) return [];
    const { ll } = again.query;
    const mended = { ...query.mended, ...again.mended };
    return [{ number, query: { ...again.query, mended }, place: ll ? String(placeOf(ll)) : null }];
  });
  await execute(client)`
    UPDATE app.listing n SET query = m.query, place = m.place, status = 'pending', problem = NULL
      FROM jsonb_to_recordset(${JSON.stringify(mended)}::jsonb) AS m(number int, query jsonb, place bigint)
     WHERE n.harmonization_id = ${h.id} AND n.number = m.number`;
  await execute(client)`
    UPDATE app.listing n SET category_id = s.category_id FROM app.listing s
     WHERE n.harmonization_id = ${h.id} AND s.harmonization_id = ${from} AND s.category_id IS NOT NULL AND ${isSame}`;
}
