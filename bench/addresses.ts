// npm run bench -- addresses [--data FOLDER]: hides the position of each venue with a house number in turn, and measures how far
// from it the position by its address lies, taken from the other venues of its street and town. On the sample, or the venues of
// FOLDER/scale/*.csv.gz, which this process holds in memory.
import { parseArgs } from "node:util";
import { houseAddress } from "../src/directory/map/gather-streets.ts";
import { placesOf } from "../src/directory/places/refresh.ts";
import { type House, positionOnStreet } from "../src/directory/venues/search/locate-addresses.ts";
import { distanceBetween } from "../src/matching/distance.ts";
import { realVenues } from "./support/real-venues.ts";
import type { Row, Tables } from "./support/report.ts";
import { type MadeVenue, readSample } from "./support/venues.ts";

const MOST = 800_000;

/** How a position was found, the surest first. */
const HOWS = [
  "same number, several venues",
  "same number, one venue",
  "between, own side",
  "between, both sides",
] as const;
type How = (typeof HOWS)[number] | "not found";

export const SMALLEST: string[] = [];

export async function run(args: string[]): Promise<Tables> {
  const { data } = parseArgs({ args, options: { data: { type: "string" } } }).values;
  const streets = new Map<string, House[]>();
  for await (const { address, lat, lng, city, state, country } of data
    ? upTo(realVenues(data, MOST))
    : await readSample()) {
    const house = houseAddress(address);
    const place = placesOf({ city, state, cc: country }).find(({ kind }) => kind === "city");
    if (!house || !place) continue;
    const key = JSON.stringify([house.street, place.nameNorm, place.state]);
    const houses = streets.get(key) ?? [];
    streets.set(key, houses);
    houses.push({ number: house.number, lat: Number(lat), lng: Number(lng) });
  }
  const found = [...streets.values()].flatMap((houses) =>
    houses.map((house, at) => hidden(house, houses.toSpliced(at, 1))),
  );
  return { "Positions by the address, each venue's own hidden": rowsOf(found) };
}

/** Copies of the venues elsewhere begin when the files are read; each venue counts once. */
async function* upTo(venues: AsyncGenerator<MadeVenue>): AsyncGenerator<MadeVenue> {
  for await (const venue of venues) {
    if (!venue.id.startsWith("0-")) return;
    yield venue;
  }
}

interface Hidden {
  how: How;
  metres: number;
}

function hidden(house: House, others: House[]): Hidden {
  const found = positionOnStreet(house.number, others);
  if (!found) return { how: "not found", metres: Number.NaN };
  const metres = distanceBetween(found, house);
  const same = others.filter(({ number }) => number === house.number).length;
  if (same > 0) return { how: same > 1 ? HOWS[0] : HOWS[1], metres };
  const side = others.filter(({ number }) => (number - house.number) % 2 === 0);
  return { how: positionOnStreet(house.number, side) ? HOWS[2] : HOWS[3], metres };
}

function rowsOf(found: readonly Hidden[]): Row[] {
  const located = found.filter(({ how }) => how !== "not found");
  return [
    ["all", located] as const,
    ...HOWS.map((how) => [how, located.filter((each) => each.how === how)] as const),
  ].map(([how, some]) => {
    const metres = some.map((each) => each.metres).sort((a, b) => a - b);
    const quantile = (share: number) => Math.round(metres[Math.floor(share * (metres.length - 1))] ?? Number.NaN);
    const [p50, p90, p99] = [0.5, 0.9, 0.99].map(quantile);
    return {
      "found by": how,
      venues: some.length,
      share: some.length / found.length,
      "p50 m": p50,
      "p90 m": p90,
      "p99 m": p99,
    } as Row;
  });
}
