import type { LatLng } from "../../contract/parameters.ts";
import { queryRows, sql } from "../../db/sql.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { SHARED } from "../run/problems/slips.ts";
import { recentResultOf } from "../run/recent-result.ts";
import type { Query } from "../run/rows.ts";

type Towns = ReadonlyMap<string, LatLng>;

const WAIT_MS = 30_000;
/** Degrees between the rows of a town; those of two towns of one name are farther apart. */
const WIDEST = 0.5;

/** The towns of a file by the rows that have a position of their own, each with the middle of these. */
export async function townsIn({ pool }: Pick<Harmonizer, "pool">, h: Harmonization): Promise<Towns | undefined> {
  const find = async () => {
    const rows = await queryRows<LatLng & { town: string }>(pool)`
      SELECT town, percentile_cont(0.5) WITHIN GROUP (ORDER BY lat) AS lat, percentile_cont(0.5) WITHIN GROUP (ORDER BY lng) AS lng
        FROM (SELECT ${TOWN} AS town, (query->'ll'->>'lat')::float8 AS lat, (query->'ll'->>'lng')::float8 AS lng FROM app.listing
               WHERE harmonization_id = ${h.id} AND query->'ll' IS NOT NULL AND query->>'city' <> '') AS placed
       GROUP BY town HAVING max(lat) - min(lat) < ${WIDEST} AND max(lng) - min(lng) < ${WIDEST}`;
    return new Map(rows.map(({ town, lat, lng }) => [town, { lat, lng }]));
  };
  return (await recentResultOf<Towns>(pool, h, "towns of the file", find, WAIT_MS)).value;
}

const TOWN = sql`lower(concat_ws(',', query->>'city', query->>'state'))`;
const townOf = ({ city, state }: Query): string =>
  [city, state]
    .filter((each) => each !== undefined)
    .join(",")
    .toLowerCase();

/** The query with the position of its town, like one whose own does not count: no score accepts it unless address or phone speak for it. */
export function inTown({ near: _, ...query }: Query, towns: Towns | undefined): Query | undefined {
  const ll = query.city ? towns?.get(townOf(query as Query)) : undefined;
  return ll && { ...query, ll, repaired: { by: SHARED, was: ll } };
}
