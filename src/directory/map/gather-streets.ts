import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { PoolClient } from "pg";
import type { LatLng } from "../../contract/parameters.ts";
import { queryWithoutLimit } from "../../db/bulk.ts";
import { type Db, execute } from "../../db/sql.ts";
import { asWrittenIn, readAddress } from "../../matching/normalize/address.ts";
import { distance, encodeLine, type House, linesThrough, metresOf, offLine, type Point, planeAt } from "./lines.ts";
import { cellsOf } from "./tiles.ts";

const AT_A_TIME = 1_000;
/** In degrees: of venues as close as this, one is noted, since a map has no room for the names of more. */
const SPOT = 0.0012;

/**
 * Draws the streets of all venues anew, town by town, and notes the venues that stand at none. Writes only what has changed. Requires a
 * transaction.
 */
export async function rebuildStreets(client: PoolClient): Promise<void> {
  await client.query("CREATE TEMP TABLE street_now (LIKE directory.street) ON COMMIT DROP");
  await client.query(DECLARE);
  const fetchSome = async () => (await queryWithoutLimit<Venue>(client, `FETCH ${AT_A_TIME} FROM addresses`)).rows;
  const streets = new StreetsByTown();
  for (let venues = await fetchSome(); venues.length > 0; ) {
    const [next, rows] = await Promise.all([fetchSome(), streets.drawEnded(venues)]);
    await insert(client, rows);
    venues = next;
  }
  await insert(client, await streets.draw());
  await client.query("CLOSE addresses");
  await queryWithoutLimit(client, REMOVE);
  await queryWithoutLimit(client, ADD);
}

/** Collects the streets town by town. Expects the venues sorted by town. */
class StreetsByTown {
  #town = "";
  #streets = new Map<string, Street>();
  #spots = new Map<string, Pick<Venue, "name" | "lat" | "lng">>();

  /** Draws each town but the last, of which more venues may come. */
  async drawEnded(venues: readonly Venue[]): Promise<StreetRow[]> {
    let rows: StreetRow[] = [];
    for (const venue of venues) {
      const town = JSON.stringify([venue.cc, venue.state, venue.city]);
      if (town !== this.#town) {
        rows = rows.concat(await this.draw());
        [this.#town, this.#streets, this.#spots] = [town, new Map(), new Map()];
      }
      this.#add(venue);
    }
    return rows;
  }

  #add({ name, lat, lng, ...venue }: Venue): void {
    const square = `${Math.round(lat / SPOT)} ${Math.round(lng / SPOT)}`;
    if (venue.isOpen && !this.#spots.has(square)) this.#spots.set(square, { name, lat, lng });
    const address = /\d/.test(venue.address ?? "") ? houseAddress(venue.address ?? "") : undefined;
    if (!address) return;
    const street: Street = this.#streets.get(address.street) ?? { houses: [], names: new Map() };
    street.houses.push({ number: address.number, lat, lng });
    street.names.set(address.name, (street.names.get(address.name) ?? 0) + 1);
    this.#streets.set(address.street, street);
  }

  async draw(): Promise<StreetRow[]> {
    const drawn: { key: string; name: string; line: LatLng[] }[] = [];
    for (const [key, { houses, names }] of this.#streets) {
      const [name = ""] = [...names].sort(([a, count], [b, other]) => other - count || (a < b ? -1 : 1))[0] ?? [];
      drawn.push(...linesThrough(houses).map((line) => ({ key, name, line })));
      await nextTurn(); // a long street takes a millisecond, and this process serves others
    }
    const town = this.#town;
    const rows: StreetRow[] = [];
    const crossings = createCrossings(drawn.map(({ line }) => line));
    for (const { key, name, line } of drawn) {
      rows.push(...rowsOf(crossings.continued(line), name, `${town} ${key}`));
      await nextTurn();
    }
    for (const { name, lat, lng } of this.#spots.values())
      if (!crossings.isAt({ lat, lng })) rows.push(...rowsOf([{ lat, lng }], name, town));
    return rows;
  }
}

interface Street {
  houses: House[];
  /** How often each spelling occurs. */
  names: Map<string, number>;
}

interface Venue {
  name: string;
  address: string | null;
  isOpen: boolean;
  city: string | null;
  state: string | null;
  cc: string | null;
  lat: number;
  lng: number;
}

const DECLARE = `DECLARE addresses NO SCROLL CURSOR FOR
  SELECT name, CASE WHEN length(address) <= 200 THEN address END AS address, closed_at IS NULL AS "isOpen",
         lower(city) AS city, state, cc, lat, lng
    FROM directory.venue WHERE closed_at IS DISTINCT FROM 'infinity'
   ORDER BY cc COLLATE "C", state COLLATE "C", lower(city) COLLATE "C", id`;

async function insert(db: Db, rows: readonly StreetRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_A_TIME) {
    const json = JSON.stringify(rows.slice(from, from + AT_A_TIME));
    await execute(db)`
      INSERT INTO street_now SELECT * FROM json_populate_recordset(NULL::directory.street, ${json})`;
  }
}

interface StreetRow {
  cell: number;
  id: string;
  name: string;
  metres: number;
  line: string;
}

function rowsOf(line: ReturnType<typeof linesThrough>[number], name: string, street: string): StreetRow[] {
  const encoded = encodeLine(line);
  const id = createHash("sha256").update(`${street} ${name} ${encoded}`).digest("base64url").slice(0, 16);
  const metres = Math.round(metresOf(line));
  return cellsOf(line).map((cell) => ({ cell, id, name, metres, line: encoded }));
}

/** The id covers all other columns, so equal ids need no comparison. */
const REMOVE = `DELETE FROM directory.street s
  WHERE NOT EXISTS (SELECT FROM street_now n WHERE (n.cell, n.id) = (s.cell, s.id))`;

const ADD = `INSERT INTO directory.street SELECT * FROM street_now ON CONFLICT DO NOTHING`;

export interface HouseAddress {
  /** The same for all spellings of a street. */
  street: string;
  /** As written, without number and suite. */
  name: string;
  number: number;
}

/**
 * Returns undefined for an address without a sure house number or street.
 *
 * @param cc of the country, if it is known
 */
export function houseAddress(given: string, cc?: string): HouseAddress | undefined {
  const address = given.replace(HALF, "$1");
  const read = readAddress(address);
  const written = asWrittenIn({ cc }, read);
  const { isUnsure, street, box } = read;
  const [first] = written.numbers;
  const name = nameIn(address);
  if (!first || isUnsure || box || street.length === 0 || !name) return undefined;
  const house = written === read ? first.from : (first.behind ?? first.from);
  return { street: street.join(" "), name, number: house };
}

/** Half a house number: 12 1/2 is beside 12. */
const HALF = /^(\s*\d+)(?:\s+[1-9]\s?\/\s?[1-9](?=\s)|\s*[½¼¾])/;

function nameIn(address: string): string {
  const part = address.split(/[,;(#\n]/).find((each) => /\d/.test(each)) ?? "";
  const behind = part.replace(/^\s*\d+[a-z]?(?:\s*[-/&]\s*\d+[a-z]?)*\s+(?=\S)/i, "");
  const street = behind.replace(/\s+(?:ste|suite|unit|apt|fl|floor|rm|room|bldg|building|lot|dept)\b.*$/i, "");
  // Behind a house number, a number at the end is part of the name: "350 US Highway 1".
  return (behind === part ? street.replace(/(?<=\p{L}.*)\s+\d+\s*[a-z]?\s*$/iu, "") : street).trim();
}

/** How far, in metres, a street goes on to the next one that it points at: its last houses seldom stand at the corner. */
const REACH = 80;
/** From how far, in metres, a venue is at a street. */
const BESIDE = 120;

interface Stretch {
  from: Point;
  to: Point;
  line: readonly LatLng[];
}

/** The lines of a town's streets, as they meet each other. */
export function createCrossings(lines: readonly (readonly LatLng[])[]) {
  const plane = planeAt(lines[0]?.[0] ?? { lat: 0, lng: 0 });
  const squares = new Map<string, Set<Stretch>>();
  for (const line of lines) for (const stretch of stretchesOf(line, plane.from)) putInto(squares, stretch);

  /** Returns what lies within `BESIDE` metres of a point, and something of what lies beyond. */
  const around = ({ x, y }: Point): Stretch[] =>
    [-1, 0, 1].flatMap((column) => [-1, 0, 1].flatMap((row) => [...(squares.get(squareOf(x, y, column, row)) ?? [])]));
  const crossing = (line: readonly LatLng[], before: LatLng, end: LatLng): LatLng[] => {
    const from = plane.from(before);
    const to = plane.from(end);
    const length = distance(from, to) || 1;
    const way = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
    const metres = around(to).flatMap((other) => (other.line === line ? [] : metresTo(other, to, way)));
    const next = Math.min(...metres);
    return next > REACH ? [] : [plane.to({ x: to.x + way.x * next, y: to.y + way.y * next })];
  };

  return {
    /** One of the lines, at each end continued to the next street if it points at one within `REACH` metres. */
    continued(line: readonly LatLng[]): LatLng[] {
      const first = line[0];
      const second = line[1];
      const last = line.at(-1);
      const before = line.at(-2);
      if (!first || !second || !last || !before) return [...line];
      return [...crossing(line, second, first), ...line, ...crossing(line, before, last)];
    },
    isAt(point: LatLng): boolean {
      const at = plane.from(point);
      return around(at).some(({ from, to }) => offLine(at, from, to) <= BESIDE);
    },
  };
}

const squareOf = (x: number, y: number, column = 0, row = 0): string =>
  `${Math.floor(x / BESIDE) + column} ${Math.floor(y / BESIDE) + row}`;

const stretchesOf = (line: readonly LatLng[], onPlane: (point: LatLng) => Point): Stretch[] => {
  const points = line.map(onPlane);
  return points.slice(1).flatMap((to, index) => ({ from: points[index] ?? to, to, line }));
};

/** Into all squares that it passes, and some of their neighbours. */
function putInto(squares: Map<string, Set<Stretch>>, stretch: Stretch): void {
  const { from, to } = stretch;
  const steps = Math.ceil(distance(from, to) / (BESIDE / 2)) || 1;
  for (let step = 0; step <= steps; step++) {
    const x = from.x + ((to.x - from.x) * step) / steps;
    const y = from.y + ((to.y - from.y) * step) / steps;
    const name = squareOf(x, y);
    const square = squares.get(name) ?? new Set();
    squares.set(name, square.add(stretch));
  }
}

/** Returns how far it is from a point, going one way, to a stretch; nothing if the way misses it. */
function metresTo({ from, to }: Stretch, start: Point, way: Point): number[] {
  const along = { x: to.x - from.x, y: to.y - from.y };
  const slant = way.x * along.y - way.y * along.x;
  if (slant === 0) return [];
  const off = { x: from.x - start.x, y: from.y - start.y };
  const metres = (off.x * along.y - off.y * along.x) / slant;
  const share = (off.x * way.y - off.y * way.x) / slant;
  return metres > 0 && share >= 0 && share <= 1 ? [metres] : [];
}
