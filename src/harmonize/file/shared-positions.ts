import type { ClientBase } from "pg";
import { execute, queryRows, rawSql, sql } from "../../db/sql.ts";
import { haveManyAddresses, MANY_AT_ONE_POINT } from "../../matching/contradiction.ts";
import { prepare } from "../../matching/prepare.ts";
import { placeOf } from "../match/place.ts";
import { type HowRead, repairedRow } from "../query/repaired-row.ts";
import { withoutPosition } from "../query/shared.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { Query } from "../run/rows.ts";

/** Rows rewritten at once. */
const STRETCH = 5000;

/** Rows read at once, and addresses of one name and point that are looked at: other work runs between. */
const COMPARED = 1000;

/**
 * Takes their position from listings whose name several other rows have at the same point, each with another address: somebody
 * put all branches at the headquarters. They are then searched for in their towns. Call it in a transaction, with planForMany().
 */
export async function leaveOutShared(client: ClientBase, h: HowRead & Pick<Harmonization, "id">): Promise<void> {
  const numbers = await findShared(client, h.id);
  for (let at = 0; at < numbers.length; at += STRETCH) {
    const rows = await queryRows<{ number: number; cells: string[]; query: Query }>(client)`
        SELECT l.number, to_json(l.cells) AS cells, l.query FROM app.listing l
  WHERE l.harmonization_id = ${h.id} AND l.number = ANY (${numbers.slice(at, at + STRETCH)}::int[])`;
    const queries = rows.map(({ number, cells, query }) => {
      const asked = withoutPosition(query, repairedRow(cells, h).given);
      return { number, query: asked, place: asked.ll ? String(placeOf(asked.ll)) : null };
    });
    await execute(client)`
      UPDATE app.listing l SET query = w.query, place = w.place
        FROM jsonb_to_recordset(${JSON.stringify(queries)}::jsonb) AS w(number int, query jsonb, place bigint)
       WHERE l.harmonization_id = ${h.id} AND l.number = w.number`;
  }
}

/** Returns the numbers of the rows. */
async function findShared(client: ClientBase, id: string): Promise<number[]> {
  const found: number[] = [];
  let group = newGroup();
  const close = () => {
    if (isShared(group)) for (const number of group.numbers) found.push(number);
  };
  // Spelled in many ways, an address is still one: this only leaves out groups of which nothing needs to be read.
  await execute(client)`
    DECLARE near NO SCROLL CURSOR FOR
     WITH crowded AS (SELECT place FROM app.listing WHERE harmonization_id = ${id} AND place IS NOT NULL GROUP BY place HAVING count(*) >= ${MANY_AT_ONE_POINT}),
          near AS (SELECT l.number, l.query->>'address' AS address, l.query->>'city' AS city, l.query->>'zip' AS zip,
                          lower(concat_ws(', ', l.query->>'address', l.query->>'city', l.query->>'zip')) AS spelling,
                          concat(l.query->>'ll', ${CHAIN}) AS "group"
                     FROM app.listing l JOIN crowded USING (place) WHERE l.harmonization_id = ${id} AND l.status = 'pending'),
          spelled AS (SELECT "group" FROM near GROUP BY "group" HAVING count(DISTINCT spelling) >= ${MANY_AT_ONE_POINT})
     SELECT * FROM near JOIN spelled USING ("group") ORDER BY "group", number`;
  for (let isMore = true; isMore; ) {
    const rows = (await queryRows(client)`FETCH ${rawSql(COMPARED)} FROM near`) as Near[];
    for (const { number, group: of, spelling, ...place } of rows) {
      if (of !== group.of) {
        close();
        group = newGroup(of);
      }
      group.numbers.push(number);
      if (group.places.size < COMPARED) group.places.set(spelling, place);
    }
    isMore = rows.length > 0;
  }
  close();
  await execute(client)`CLOSE near`;
  return found;
}

/** The rows of a name and point so far; `places`: by the spelling of their address. */
const newGroup = (of = "") => ({ of, numbers: [] as number[], places: new Map<string, Place>() });

const isShared = ({ places }: ReturnType<typeof newGroup>): boolean =>
  haveManyAddresses([...places.values()].map((place) => prepare({ ...place, name: "" })));

type Place = Pick<Query, "address" | "city" | "zip">;
type Near = { number: number; group: string; spelling: string } & Place;

// SQL: the name without town, digits and spaces, as "Quillon & Marsh 12 – Brookton" is a branch of "Quillon & Marsh".
const CHAIN = sql`regexp_replace(replace(lower(l.query->>'name'), coalesce(lower(l.query->>'city'), ''), ''), '[\\s\\d–—-]+', '', 'g')`;
