import type { ClientBase } from "pg";
import { placeOf } from "../match/place.ts";
import { mendQuery } from "../query/mend.ts";
import { givenIn } from "../query/to-query.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { Query } from "../run/rows.ts";

interface Corrected {
  number: number;
  cells: string[];
  query: Query;
  /** Of the listing as read now. */
  own: Query | null;
}

/** Copies what people corrected in a run to the same rows of one begun again with them. */
export const carryCorrections = (client: ClientBase, h: Harmonization, from: string): Promise<void> =>
  carry(client, h, from, "n.line = s.line AND n.cells = s.cells");

/** Copies what people corrected in the previous edition to the listings with the same id in the file and the same values. */
export const carryMends = (client: ClientBase, h: Harmonization, previousId: string): Promise<void> =>
  carry(client, h, previousId, "s.own_id IS NOT NULL AND n.own_id = s.own_id AND n.print = s.print");

/**
 * Copies corrections, read with the columns of `h`, and categories of venues to be added. Such listings are asked about again.
 * Rows that a correction leaves without a name or place stay as they are.
 */
async function carry(client: ClientBase, h: Harmonization, from: string, isSame: string): Promise<void> {
  const { rows } = await client.query<Corrected>(
    `SELECT DISTINCT ON (n.number) n.number, to_json(n.cells) AS cells, s.query, n.query AS own FROM app.listing s
       JOIN app.harmonization e ON e.id = s.harmonization_id AND e.state <> 'deleting'
       JOIN app.listing n ON n.harmonization_id = $1 AND ${isSame} AND n.status IN ('pending', 'failed')
      WHERE s.harmonization_id = $2 AND s.query ? 'mended' ORDER BY n.number, s.matched_at DESC NULLS LAST`,
    [h.id, from],
  );
  const mended = rows.flatMap((row) => {
    const { number } = row;
    const again = mendedAgain(row, h);
    return again ? [{ number, query: again, place: again.ll ? String(placeOf(again.ll)) : null }] : [];
  });
  await client.query(
    `UPDATE app.listing n SET query = m.query, place = m.place, status = 'pending', problem = NULL
       FROM jsonb_to_recordset($2::jsonb) AS m(number int, query jsonb, place bigint)
      WHERE n.harmonization_id = $1 AND n.number = m.number`,
    [h.id, JSON.stringify(mended)],
  );
  await client.query(
    `UPDATE app.listing n SET category_id = s.category_id FROM app.listing s
      WHERE n.harmonization_id = $1 AND s.harmonization_id = $2 AND s.category_id IS NOT NULL AND ${isSame}`,
    [h.id, from],
  );
}

function mendedAgain({ cells, query, own }: Corrected, h: Harmonization): Query | undefined {
  const { name, ll, mended } = query;
  if (!mended) return undefined;
  const isMoved = "ll" in mended.was && ll;
  const mend = {
    name: "name" in mended.was ? name : (givenIn(cells, h.columns).name ?? ""),
    ...(isMoved ? { lat: String(ll.lat), lng: String(ll.lng) } : { lat: "", lng: "" }),
    ...mended.now,
  };
  const made = mendQuery(cells, h, mend, own);
  if (!("query" in made)) return undefined;
  return made.mended && { ...made.query, mended: { ...mended, ...made.mended } };
}
