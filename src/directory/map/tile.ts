import type { Pool } from "pg";
import type { MapTile, MapTileAddress } from "../../contract/map.ts";
import { clipRing, decodeLine, encodeLine, thinOut } from "./lines.ts";
import { type Bounds, boundsOf, cellRange } from "./tiles.ts";

/** Metres between two pixels of a tile that is drawn 512 pixels wide, at the equator. */
const pixelAt = (z: number): number => 40_075_017 / 512 / 2 ** z;

/** Coarser levels have only the longest streets, or none. */
const STREETS = [
  { from: 12, shortest: 0, most: 1_500 },
  { from: 9, shortest: 1_000, most: 250 },
];
const MOST_TOWNS = 60;
/** From this level on areas are shown. */
const AREAS_FROM = 6;

export async function readTile(pool: Pool, address: MapTileAddress): Promise<MapTile> {
  const bounds = boundsOf(address);
  const [streets, towns, areas] = await Promise.all([
    readStreets(pool, address),
    readTowns(pool, bounds),
    address.z < AREAS_FROM ? [] : readAreas(pool, address.z, bounds),
  ]);
  const credits = [...new Set(areas.map(({ credit }) => credit))].join(", ");
  return {
    ...{ streets, towns },
    areas: areas.map(({ name, rings }) => ({ name, rings })),
    ...(credits && { credit: credits }),
  };
}

async function readStreets(pool: Pool, address: MapTileAddress): Promise<MapTile["streets"]> {
  const level = STREETS.find(({ from }) => address.z >= from);
  if (!level) return [];
  const { first, last } = cellRange(address);
  const { rows } = await pool.query<{ name: string; line: string }>({
    name: "map-streets",
    text: `SELECT name, line FROM (
             SELECT DISTINCT ON (id) id, name, line, metres FROM directory.street
              WHERE cell BETWEEN $1 AND $2 AND metres >= $3) each
            ORDER BY metres DESC, id LIMIT $4`,
    values: [first, last, level.shortest, level.most],
  });
  return rows.map(({ name, line }) => ({ name, line: thinned(line, address.z) }));
}

const thinned = (line: string, z: number): string =>
  z === 12 ? line : encodeLine(thinOut(decodeLine(line), pixelAt(z)));

async function readTowns(pool: Pool, { south, west, north, east }: Bounds): Promise<MapTile["towns"]> {
  const { rows } = await pool.query<MapTile["towns"][number]>({
    name: "map-towns",
    text: `SELECT name, round(lat::numeric, 5)::float8 AS lat, round(lng::numeric, 5)::float8 AS lng, venues
             FROM directory.place
            WHERE kind = 'city' AND lat BETWEEN $1 AND $2 AND lng BETWEEN $3 AND $4
            ORDER BY venues DESC, name LIMIT ${MOST_TOWNS}`,
    values: [south, north, west, east],
  });
  return rows;
}

interface Area {
  name: string;
  rings: string[];
  credit: string;
}

async function readAreas(pool: Pool, z: number, { south, west, north, east }: Bounds): Promise<Area[]> {
  const { rows } = await pool.query<Area>({
    name: "map-areas",
    text: `SELECT name, rings, credit FROM directory.area
            WHERE south <= $2 AND north >= $1 AND west <= $4 AND east >= $3 ORDER BY id`,
    values: [south, north, west, east],
  });
  // So wide that the cut edges lie outside the tile.
  const [height, width] = [(north - south) / 16, (east - west) / 16];
  const cut = { south: south - height, west: west - width, north: north + height, east: east + width };
  return rows.flatMap(({ name, rings, credit }) => {
    const shown = rings.map((ring) => clipRing(decodeLine(ring), cut)).filter((ring) => ring.length > 2);
    const lines = shown.map((ring) => encodeLine(z === 12 ? ring : thinOut(ring, pixelAt(z))));
    return lines.length > 0 ? [{ name, rings: lines, credit }] : [];
  });
}
