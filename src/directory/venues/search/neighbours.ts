import type { Pool } from "pg";
import { isAscii } from "../../../matching/normalize/repair.ts";
import type { Listing } from "../../../matching/prepare.ts";
import { findVenues } from "../find.ts";
import { mercatorY, type Region, regionsAround } from "../mercator.ts";
import { type Called, calledBy } from "../phones.ts";
import { CLOSE, MOST_NAMESAKES, NEAR, NEAREST, nameSought, reachOfOtherNames, SAME_NAME, SAME_SPOT } from "../probe.ts";
import type { VenueRow } from "../rows.ts";
import { tileOfPoint } from "../tiles.ts";
import {
  byDistance,
  byId,
  type Cells,
  distanceTo,
  FARTHEST_NORTH,
  isIn,
  isRead,
  nearestIn,
  noCells,
  rangesUnder,
} from "./cells.ts";
import { eachAlike, firstFrom, trigramNumbers } from "./name-index.ts";
import { readCells } from "./read-cells.ts";
import { dueDate, turn } from "./turns.ts";

/** Listings in one event loop turn. */
const AT_ONCE = 10;

/** Venues to read per listing, around it and farther away. With more, a search of its own is cheaper. */
const WORTH = { close: 100, wide: 300 };

/**
 * Finds the candidates of `candidatesOfEach`, in the same order, for listings that lie close to one another: reads the
 * venues around them once. Returns undefined for listings that must be searched for one by one.
 */
export async function candidatesAmongNeighbours(
  pool: Pool,
  listings: readonly Listing[],
  due = dueDate(listings.length),
): Promise<(VenueRow[] | undefined)[]> {
  const cells = noCells();
  const found = await findAmongNeighbours(pool, cells, listings, due);
  const phones = await calledBy(
    pool,
    listings.map((listing, at) => (found[at] ? listing : undefined)),
  );
  const rows = await readVenues(pool, cells, new Set(found.flatMap((each) => each ?? [])), [...phones.values()].flat());
  return found.map((each, listing) => {
    if (!each) return undefined;
    const own = [...new Set(each)].flatMap((at) => rows.get(cells.ids[at] as string) ?? []);
    const called = (phones.get(listing) ?? []).flatMap(({ id }) => rows.get(id) ?? []);
    return called.length === 0 ? own : [...new Set([...own, ...called])];
  });
}

interface Probe {
  listing: number;
  trigrams: Uint16Array;
  point: { x: number; y: number };
  spot: Region;
  near: Region;
  close: Region;
  wide: Region;
}

/** Returns numbers of venues, some of them twice. */
async function findAmongNeighbours(pool: Pool, cells: Cells, listings: readonly Listing[], due: number) {
  const all: (number[] | undefined)[] = listings.map(() => undefined);
  const left: [Probe, ReturnType<typeof namesakesIn>][] = [];
  const probes = listings.flatMap(probeOf);
  await readCells(
    pool,
    cells,
    probes.map(({ close }) => close),
    { worth: WORTH.close, due },
  );
  for (const [at, probe] of probes.entries()) {
    if (at % AT_ONCE === 0) await turn(due);
    if (!isRead(cells, probe.close)) continue;
    const close = namesakesIn(cells, probe, probe.close);
    if (close.likeness < CLOSE.likeness) left.push([probe, close]);
    else
      all[probe.listing] = [
        ...close.found,
        ...otherwiseNamedIn(cells, probe, probe[reachOfOtherNames(close.likeness)]),
        ...nearestIn(cells, probe.point, probe.spot, NEAREST),
      ];
  }
  await readCells(
    pool,
    cells,
    left.map(([{ wide }]) => wide),
    { worth: WORTH.wide, due },
  );
  for (const [at, [probe, close]] of left.entries()) {
    if (at % AT_ONCE === 0) await turn(due);
    if (!isRead(cells, probe.wide)) continue;
    const { found } = namesakesIn(cells, probe, probe.wide);
    const others = otherwiseNamedIn(cells, probe, probe[reachOfOtherNames(close.likeness)]);
    all[probe.listing] = [...close.found, ...found, ...others, ...nearestIn(cells, probe.point, probe.wide, NEAREST)];
  }
  return all;
}

function probeOf(given: Listing, listing: number): Probe[] {
  const [wide, across] = regionsAround(given, SAME_NAME);
  const [close] = regionsAround(given, CLOSE.metres);
  const [near] = regionsAround(given, NEAR);
  const [spot] = regionsAround(given, SAME_SPOT);
  const name = nameSought(given);
  const point = { x: given.lng, y: mercatorY(given.lat) };
  if (!wide || across || !close || !near || !spot || !isAscii(name) || Math.abs(point.y) > FARTHEST_NORTH) return [];
  return [{ listing, trigrams: trigramNumbers(name), point, spot, near, close, wide }];
}

/** Returns those of `%` in the region, and the likeness of the most similar; 0 without. */
function namesakesIn(cells: Cells, probe: Probe, region: Region) {
  const found: Alike[] = [];
  const ranges = rangesUnder(cells, region);
  for (const names of cells.names)
    eachAlike(names, probe.trigrams, ranges, (at, likeness) => {
      if (isIn(region, cells, at)) found.push({ at, likeness });
    });
  const alike = mostAlike(cells, probe, found);
  return { found: alike.map(({ at }) => at), likeness: alike[0]?.likeness ?? 0 };
}

/** Returns those of which another name is alike. */
function otherwiseNamedIn(cells: Cells, probe: Probe, region: Region): number[] {
  const found = new Map<number, number>();
  const ranges = cells.others.length === 0 ? [] : rangesUnder(cells, region);
  for (const { index, venues } of cells.others) {
    const own = ranges.map(({ from, to }) => ({
      from: firstFrom(venues, 0, venues.length, from),
      to: firstFrom(venues, 0, venues.length, to),
    }));
    eachAlike(index, probe.trigrams, own, (each, likeness) => {
      const at = venues[each] as number;
      if (isIn(region, cells, at)) found.set(at, Math.max(likeness, found.get(at) ?? 0));
    });
  }
  const all = [...found].map(([at, likeness]) => ({ at, likeness }));
  return mostAlike(cells, probe, all).map(({ at }) => at);
}

interface Alike {
  at: number;
  likeness: number;
}

/** Returns the most similar of the nearest. */
function mostAlike(cells: Cells, { point }: Probe, all: Alike[]): Alike[] {
  let found = all;
  if (found.length > MOST_NAMESAKES.looked) {
    const near = found.map((each) => ({ ...each, distance: distanceTo(point, cells, each.at) }));
    found = near.sort((a, b) => byDistance(cells, a, b)).slice(0, MOST_NAMESAKES.looked);
  }
  found.sort((a, b) => b.likeness - a.likeness || byId(cells, a.at, b.at));
  return found.slice(0, MOST_NAMESAKES.taken);
}

function readVenues(pool: Pool, { ids, xs, ys }: Cells, found: Set<number>, called: readonly Called[]) {
  const near = [...found].map((at) => ({
    id: ids[at] as string,
    tile: tileOfPoint(pool, xs[at] as number, ys[at] as number),
  }));
  const all = new Map([...near, ...called].map(({ id, tile }) => [id, tile]));
  return findVenues(pool, [...all.keys()], { tiles: [...all.values()] });
}
