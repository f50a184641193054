import { type Bounds, boundsOf, type MapTile, type MapTileAddress } from "../../contract/map.ts";
import { type Db, prepared, queryRows, rawSql } from "../../db/sql.ts";
import { clipRing, decodeLine, encodeLine, thinOut } from "./lines.ts";
import { cellRange } from "./tiles.ts";

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

export async function readTile(db: Db, address: MapTileAddress): Promise<MapTile> {
  const bounds = boundsOf(address);
  const [streets, towns, areas] = await Promise.all([
    readStreets(db, address),
    readTowns(db, bounds),
    address.z < AREAS_FROM ? [] : readAreas(db, address.z, bounds),
  ]);
  const credits = [...new Set(areas.map(({ credit }) => credit))].join(", ");
  const isSpot = ({ metres }: StreetRow) => metres === 0;
  return {
    streets: streets.filter((row) => !isSpot(row)).map(({ name, line }) => ({ name, line: thinned(line, address.z) })),
    spots: spotsOf(streets.filter(isSpot)),
    towns,
    areas: areas.map(({ name, rings }) => ({ name, rings })),
    ...(credits && { credit: credits }),
  };
}

/** From south to north, so that the differences between them are small: half of their bytes. */
function spotsOf(rows: readonly StreetRow[]) {
  const spots = rows.flatMap(({ name, line }) => decodeLine(line).map((point) => ({ name, point })));
  spots.sort(({ point: a }, { point: b }) => a.lat - b.lat || a.lng - b.lng);
  return { names: spots.map(({ name }) => name), line: encodeLine(spots.map(({ point }) => point)) };
}

interface StreetRow {
  name: string;
  line: string;
  /** 0 for a venue at no street. */
  metres: number;
}

async function readStreets(db: Db, address: MapTileAddress): Promise<StreetRow[]> {
  const level = STREETS.find(({ from }) => address.z >= from);
  if (!level) return [];
  const { shortest, most } = level;
  const { first, last } = cellRange(address);
  return queryRows<StreetRow>(prepared(db))`
    SELECT name, line, metres FROM (
      SELECT DISTINCT ON (id) id, name, line, metres FROM directory.street
       WHERE cell BETWEEN ${first} AND ${last} AND metres >= ${shortest}) each
     ORDER BY metres DESC, id LIMIT ${most}`;
}

const thinned = (line: string, z: number): string =>
  z === 12 ? line : encodeLine(thinOut(decodeLine(line), pixelAt(z)));

const readTowns = (db: Db, { south, west, north, east }: Bounds): Promise<MapTile["towns"]> =>
  queryRows<MapTile["towns"][number]>(prepared(db))`
    SELECT name, round(lat::numeric, 5)::float8 AS lat, round(lng::numeric, 5)::float8 AS lng, venues
      FROM directory.place
     WHERE kind = 'city' AND lat BETWEEN ${south} AND ${north} AND lng BETWEEN ${west} AND ${east}
     ORDER BY venues DESC, name LIMIT ${rawSql(MOST_TOWNS)}`;

interface Area {
  name: string;
  rings: string[];
  credit: string;
}

async function readAreas(db: Db, z: number, { south, west, north, east }: Bounds): Promise<Area[]> {
  const areas = await queryRows<Area>(prepared(db))`
    SELECT name, rings, credit FROM directory.area
     WHERE south <= ${north} AND north >= ${south} AND west <= ${east} AND east >= ${west} ORDER BY id`;
  // So wide that the cut edges lie outside the tile.
  const height = (north - south) / 16;
  const width = (east - west) / 16;
  const cut = { south: south - height, west: west - width, north: north + height, east: east + width };
  return areas.flatMap(({ name, rings, credit }) => {
    const shown = rings.map((ring) => clipRing(decodeLine(ring), cut)).filter((ring) => ring.length > 2);
    const lines = shown.map((ring) => encodeLine(z === 12 ? ring : thinOut(ring, pixelAt(z))));
    return lines.length > 0 ? [{ name, rings: lines, credit }] : [];
  });
}
