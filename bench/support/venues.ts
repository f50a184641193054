import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { readVenues } from "../../src/directory/import/read-venues.ts";

/** A synthetic venue, with the column names of `samespot import`. */
export interface MadeVenue {
  id: string;
  name: string;
  lat: number;
  lng: number;
  address: string;
  city: string;
  state: string;
  zip: string;
  country: string;
  phone: string;
  url: string;
  category: string;
}

const SAMPLE = fileURLToPath(new URL("../../prisma/sample/venues.csv.gz", import.meta.url));
const COLUMNS = ["id", "name", "lat", "lng", "address", "city", "state", "zip", "country", "phone", "url", "category"];

/** In degrees. Rhode Island measures 0.8 by 0.8, so copies this far apart do not touch. */
const SOUTH = 26;
const WEST = -122;
const [ROWS, ROW_HEIGHT] = [22, 1];
const [LANES, LANE_WIDTH] = [44, 1.1];
/** Coprime to ROWS * LANES, so that a few copies are spread over the whole country. */
const STRIDE = 389;

const STATES =
  "AL AZ AR CA CO CT DE FL GA ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY".split(
    " ",
  );
const SIDES = ["", "North ", "South ", "East ", "West ", "New ", "Old ", "Upper ", "Lower ", "Port "];

/**
 * Yields `rows` venues, always the same ones: copies of the sample in a grid across the country. Four of five names combine
 * halves of two names; the others are chains.
 */
export async function* makeVenues(rows: number): AsyncGenerator<MadeVenue> {
  const sample = await readSample();
  for (let index = 0; index < rows; index++) {
    const copy = Math.floor(index / sample.length);
    yield makeVenue(sample, index % sample.length, copy);
  }
}

export async function writeVenues(file: string, venues: AsyncIterable<MadeVenue>): Promise<void> {
  await pipeline(Readable.from(csvLines(venues)), createWriteStream(file));
}

/** Returns a number from 0 to `below`, exclusive, determined by the seeds. */
export function chance(below: number, ...seeds: number[]): number {
  let x = 0x9e3779b9;
  for (const seed of seeds) {
    x = Math.imul(x ^ seed, 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    x ^= x >>> 16;
  }
  return (x >>> 0) % below;
}

function makeVenue(sample: MadeVenue[], position: number, copy: number): MadeVenue {
  const at = <T>(list: T[], index: number) => list[index % list.length] as T;
  const base = at(sample, position);
  const cell = (copy * STRIDE) % (ROWS * LANES);
  const other = at(sample, chance(sample.length, position, copy));
  const digits = 2_000_000_000 + chance(2_000_000_000, position, copy, 1) * 4;
  return {
    ...base,
    id: `${copy}-${base.id}`,
    name: copy === 0 || position % 5 === 0 ? base.name : crossed(base.name, other.name),
    lat: round(base.lat - 41.1 + SOUTH + Math.floor(cell / LANES) * ROW_HEIGHT),
    lng: round(base.lng + 71.9 + WEST + (cell % LANES) * LANE_WIDTH),
    address: base.address.replace(/^\d+/, (number) => String(1 + ((Number(number) + 7 * copy) % 9999))),
    city: at(SIDES, Math.floor(copy / STATES.length)) + base.city,
    state: at(STATES, copy + 36),
    zip: String((Number(base.zip) + 200 * copy) % 100_000).padStart(5, "0"),
    phone: chance(10, position, copy, 2) < 6 ? `+1${digits}` : "",
    url: base.url === "" ? "" : base.url.replace(/\/*$/, `/${copy}`),
  };
}

/** Joins the first half of one name to the second half of another. */
function crossed(a: string, b: string): string {
  const [first, second] = [a.split(" "), b.split(" ")];
  return [...first.slice(0, Math.ceil(first.length / 2)), ...second.slice(Math.floor(second.length / 2))].join(" ");
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

export async function readSample(): Promise<MadeVenue[]> {
  const sample: MadeVenue[] = [];
  for await (const { fields } of readVenues(SAMPLE)) if (fields) sample.push(madeOf(fields));
  return sample;
}

/** What the import reads of a venue, as one that is made; what it does not say is empty. */
export const madeOf = (fields: Record<string, unknown>): MadeVenue => ({
  ...(Object.fromEntries(COLUMNS.map((name) => [name, String(fields[name] ?? "")])) as unknown as MadeVenue),
  ...{ lat: Number(fields.lat), lng: Number(fields.lng) },
});

async function* csvLines(venues: AsyncIterable<MadeVenue>): AsyncGenerator<string> {
  yield `${COLUMNS.join(",")}\n`;
  let lines: string[] = [];
  for await (const venue of venues) {
    const cells = COLUMNS.map((name) => String(venue[name as keyof MadeVenue] ?? ""));
    lines.push(`${cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`);
    if (lines.length < 1000) continue;
    yield lines.join("");
    lines = [];
  }
  yield lines.join("");
}
