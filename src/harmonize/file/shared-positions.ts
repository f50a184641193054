import type { ClientBase } from "pg";
import { placeOf } from "../match/place.ts";
import { withoutPosition } from "../query/shared.ts";
import { givenIn } from "../query/to-query.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { SHARED } from "../run/problems/slips.ts";
import type { Query } from "../run/rows.ts";

/** Addresses of one name at one point that are no neighbours, as in src/matching/contradiction.ts. */
const MANY = 3;

/** Rows rewritten at once. */
const STRETCH = 5000;

/**
 * Takes their position from listings whose name several other rows have at the same point, each with another address: somebody
 * put all branches at the headquarters. They are then searched for in their towns. Call it with planForMany().
 */
export async function leaveOutShared(client: ClientBase, h: Pick<Harmonization, "id" | "columns">): Promise<void> {
  const { rowCount } = await client.query(MARK, [h.id]);
  for (let [left, after] = [rowCount ?? 0, 0]; left > 0; left -= STRETCH) {
    const { rows } = await client.query<{ number: number; cells: string[]; query: Query }>(MARKED, [h.id, after]);
    const queries = rows.map(({ number, cells, query }) => {
      const asked = withoutPosition(query, givenIn(cells, h.columns));
      return { number, query: asked, place: asked.ll ? String(placeOf(asked.ll)) : null };
    });
    await client.query(WRITE, [h.id, JSON.stringify(queries)]);
    after = rows.at(-1)?.number ?? after;
  }
}

// SQL: the name without town, digits and spaces, as "Quillon & Marsh 12 – Brookton" is a branch of "Quillon & Marsh".
const CHAIN = `regexp_replace(replace(lower(l.query->>'name'), coalesce(lower(l.query->>'city'), ''), ''), '[\\s\\d–—-]+', '', 'g')`;

const MARK = `
  WITH crowded AS (SELECT place FROM app.listing WHERE harmonization_id = $1 AND place IS NOT NULL GROUP BY place HAVING count(*) >= ${MANY}),
       near AS (SELECT l.number, l.query->'ll' AS ll, ${CHAIN} AS chain,
                       lower(concat_ws(', ', l.query->>'address', l.query->>'city', l.query->>'zip')) AS address
                  FROM app.listing l JOIN crowded USING (place) WHERE l.harmonization_id = $1 AND l.status = 'pending'),
       shared AS (SELECT ll, chain FROM near GROUP BY ll, chain HAVING count(DISTINCT address) >= ${MANY})
  UPDATE app.listing l SET query = l.query || jsonb_build_object('repaired', jsonb_build_object('by', '${SHARED}', 'was', l.query->'ll'))
    FROM near JOIN shared USING (ll, chain) WHERE l.harmonization_id = $1 AND l.number = near.number`;

const MARKED = `SELECT l.number, to_json(l.cells) AS cells, l.query FROM app.listing l
  WHERE l.harmonization_id = $1 AND l.number > $2 AND l.query->'repaired'->>'by' = '${SHARED}' ORDER BY l.number LIMIT ${STRETCH}`;

const WRITE = `UPDATE app.listing l SET query = w.query, place = w.place
  FROM jsonb_to_recordset($2::jsonb) AS w(number int, query jsonb, place bigint)
 WHERE l.harmonization_id = $1 AND l.number = w.number`;
