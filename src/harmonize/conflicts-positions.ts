import type { LatLng } from "../contract/parameters.ts";
import {
  type ConflictListing,
  type Found,
  listingsOf,
  loadListings,
  MOST_LOOKED_AT,
  SHOWN,
} from "./conflicts-listings.ts";
import { SHOWN_OF_GROUP } from "./conflicts-venues.ts";
import type { Harmonizer } from "./deps.ts";
import type { Harmonization } from "./harmonizations.ts";
import { OUTCOME } from "./rows.ts";

type Deps = Pick<Harmonizer, "pool">;

/** The listings with a position, in SQL: number, lat, lng. */
const SPOTS = `SELECT number, (query -> 'll' ->> 'lat')::float8 AS lat, (query -> 'll' ->> 'lng')::float8 AS lng
  FROM app.listing WHERE harmonization_id = $1 AND number <= ${MOST_LOOKED_AT} AND query ? 'll'`;

/** A listing far from the others of its file, which would be among them if its position were read otherwise. */
export interface Misplaced {
  listing: ConflictListing;
  slip: "swapped" | "lat sign" | "lng sign" | "both signs";
  is: LatLng;
  wouldBe: LatLng;
}

interface MisplacedRow {
  number: number;
  slip: Misplaced["slip"];
  lat: number;
  lng: number;
  toLat: number;
  toLng: number;
  total: number;
}

/**
 * The map is laid out in cells of one degree. A listing that is not matched where it is, and stands in a cell with few others,
 * is suspected when a slip of the pen would have brought it there from a cell that has many times as many.
 */
export async function findMisplaced(deps: Deps, harmonization: Harmonization): Promise<Found<Misplaced>> {
  const { rows } = await deps.pool.query<MisplacedRow>({
    name: "conflicts-misplaced",
    text: `
      WITH spots AS MATERIALIZED (${SPOTS}),
      cells AS MATERIALIZED (SELECT floor(lat) AS y, floor(lng) AS x, count(*)::int AS listings FROM spots GROUP BY 1, 2),
      lonely AS MATERIALIZED (SELECT s.*, c.listings FROM spots s JOIN cells c ON c.y = floor(s.lat) AND c.x = floor(s.lng)
                               WHERE c.listings <= (SELECT max(listings) FROM cells) / ${TIMES_AS_MANY}),
      found AS (SELECT DISTINCT ON (s.number) s.number, o.slip, s.lat, s.lng, o.lat AS "toLat", o.lng AS "toLng"
                  FROM lonely s
                 CROSS JOIN LATERAL (VALUES ('lng sign', s.lat, -s.lng), ('lat sign', -s.lat, s.lng), ('swapped', s.lng, s.lat),
                    ('both signs', -s.lat, -s.lng), ('swapped', -s.lng, s.lat), ('swapped', s.lng, -s.lat)) AS o (slip, lat, lng)
                  JOIN cells c ON c.y = floor(o.lat) AND c.x = floor(o.lng)
                 WHERE c.listings >= greatest(${LEAST_THERE}, ${TIMES_AS_MANY} * s.listings)
                   AND greatest(abs(o.lat - s.lat), abs(o.lng - s.lng)) > 1
                 ORDER BY s.number, c.listings DESC)
      SELECT f.*, count(*) OVER ()::int AS total
        FROM found f JOIN app.listing l ON l.harmonization_id = $1 AND l.number = f.number
        CROSS JOIN (SELECT $2::real AS accept_from, $3::real AS review_from) AS h
       WHERE ${OUTCOME} <> 'matched' ORDER BY f.number LIMIT ${SHOWN}`,
    values: [harmonization.id, harmonization.acceptFrom, harmonization.reviewFrom],
  });
  const known = await loadListings(
    deps,
    harmonization,
    rows.map(({ number }) => number),
  );
  const shown = rows.flatMap(({ number, slip, lat, lng, toLat, toLng }) => {
    const listing = known.get(number);
    return listing ? [{ listing, slip, is: { lat, lng }, wouldBe: { lat: toLat, lng: toLng } }] : [];
  });
  return { total: rows[0]?.total ?? 0, shown };
}

/** How much fuller the cell must be, and how many it must hold. */
const TIMES_AS_MANY = 5;
const LEAST_THERE = 3;

/** Listings on exactly the same point, as when a town's middle stands for what is not known. */
export interface SamePoint extends LatLng {
  count: number;
  listings: ConflictListing[];
}

/** A mall may have a few. */
const MANY_ON_A_POINT = 5;

export async function findSamePoints(deps: Deps, harmonization: Harmonization): Promise<Found<SamePoint>> {
  const { rows } = await deps.pool.query<LatLng & { count: number; numbers: number[]; total: number }>({
    name: "conflicts-points",
    text: `SELECT lat, lng, count(*)::int AS count, (array_agg(number))[1:${SHOWN_OF_GROUP}] AS numbers, count(*) OVER ()::int AS total
             FROM (${SPOTS}) AS spots
            GROUP BY lat, lng HAVING count(*) >= ${MANY_ON_A_POINT} ORDER BY count DESC, lat, lng LIMIT ${SHOWN}`,
    values: [harmonization.id],
  });
  const known = await loadListings(
    deps,
    harmonization,
    rows.flatMap(({ numbers }) => numbers),
  );
  const shown = rows.map(({ lat, lng, count, numbers }) => ({ lat, lng, count, listings: listingsOf(numbers, known) }));
  return { total: rows[0]?.total ?? 0, shown };
}
