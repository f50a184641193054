import type { LatLng } from "../../contract/parameters.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type Finding, findGroups, type Group, type Look, SHOWN } from "./look.ts";

export interface Misplaced {
  number: number;
  slip: "swapped" | "lat sign" | "lng sign" | "both signs";
  is: LatLng;
  wouldBe: LatLng;
}

interface MisplacedRow extends LatLng, Pick<Misplaced, "number" | "slip"> {
  toLat: number;
  toLng: number;
  total: number;
}

/**
 * Finds listings in sparse one-degree cells that a slip would move into a cell with many times as many: without a match, or with one
 * that is not there either.
 */
export async function findMisplaced(
  { from, ask }: Look,
  { id }: Pick<Harmonization, "id">,
): Promise<Finding<Misplaced>> {
  const rows = await ask<MisplacedRow>(`
    WITH cells AS MATERIALIZED (
      SELECT floor(lat) AS y, floor(lng) AS x, count(*)::int AS listings FROM ${from} AS l WHERE lat IS NOT NULL GROUP BY 1, 2),
    lonely AS MATERIALIZED (
      SELECT l.*, c.listings FROM ${from} AS l JOIN cells c ON c.y = floor(l.lat) AND c.x = floor(l.lng)
       WHERE c.listings <= (SELECT max(listings) FROM cells) / ${TIMES_AS_MANY}),
    found AS (SELECT DISTINCT ON (s.number) s.number, s.venue, o.slip, s.lat, s.lng, o.lat AS "toLat", o.lng AS "toLng"
                FROM lonely s
               CROSS JOIN LATERAL (VALUES ('lng sign', s.lat, -s.lng), ('lat sign', -s.lat, s.lng), ('swapped', s.lng, s.lat),
                  ('both signs', -s.lat, -s.lng), ('swapped', -s.lng, s.lat), ('swapped', s.lng, -s.lat)) AS o (slip, lat, lng)
                JOIN cells c ON c.y = floor(o.lat) AND c.x = floor(o.lng)
               WHERE c.listings >= greatest(${LEAST_THERE}, ${TIMES_AS_MANY} * s.listings)
                 AND greatest(abs(o.lat - s.lat), abs(o.lng - s.lng)) > 1
               ORDER BY s.number, c.listings DESC)
    SELECT f.*, count(*) OVER ()::int AS total FROM found f
     WHERE f.venue IS NULL OR EXISTS (
       SELECT FROM app.listing m, jsonb_to_recordset(m.candidates) AS v (id text, lat float8, lng float8)
        WHERE m.harmonization_id = '${id}' AND m.number = f.number AND v.id = f.venue
          AND greatest(abs(v.lat - f.lat), abs(v.lng - f.lng)) > 1)
     ORDER BY number LIMIT ${SHOWN}`);
  const shown = rows.map(({ number, slip, lat, lng, toLat, toLng }) => {
    return { number, slip, is: { lat, lng }, wouldBe: { lat: toLat, lng: toLng } };
  });
  return { total: rows[0]?.total ?? 0, shown };
}

const TIMES_AS_MANY = 5;
const LEAST_THERE = 3;

/** Listings on exactly one point, such as a town's centre used for unknown positions. */
export type SamePoint = LatLng & Omit<Group, "key">;

const MANY_ON_A_POINT = 5;

export async function findSamePoints(look: Look): Promise<Finding<SamePoint>> {
  const { total, shown } = await findGroups(look, "l.lat::text || ' ' || l.lng::text", MANY_ON_A_POINT);
  return {
    total,
    shown: shown.map(({ key, ...group }) => {
      const [lat = 0, lng = 0] = key.split(" ").map(Number);
      return { lat, lng, ...group };
    }),
  };
}
