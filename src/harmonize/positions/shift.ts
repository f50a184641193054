import type { LatLng } from "../../contract/parameters.ts";
import { undoShift, wrapLongitude } from "../query/slips.ts";
import type { Judgement, Offset } from "../run/positions.ts";
import { type Compared, examplesOf, median } from "./judge.ts";
import type { Place } from "./places.ts";
import type { Spot } from "./spots.ts";

const METRES_OF_A_DEGREE = 111_195;

/** Metres off the town's centre, in one direction, that need an explanation. */
const SUSPECT = 3_000;
/** Metres: the same shift in many towns is evidence by itself. */
const CERTAIN = 20_000;
/** Metres: farther towns are others of the same name. */
const FURTHEST = 350_000;
const FEWEST_TOWNS = 5;

const metresOf = ({ north, east }: Offset, lat: number) => ({
  north: north * METRES_OF_A_DEGREE,
  east: east * METRES_OF_A_DEGREE * Math.cos((lat * Math.PI) / 180),
});

const between = (is: LatLng, was: LatLng): Offset => ({
  north: is.lat - was.lat,
  east: wrapLongitude(is.lng - was.lng),
});

const sizeOf = (offset: Offset, lat: number): number => {
  const { north, east } = metresOf(offset, lat);
  return Math.hypot(north, east);
};

/** Returns the metres by which rows of several towns are off in one direction, if they are. Suburbs scatter. */
export function commonShift(
  compared: (Compared & { place: Place })[],
): { size: number; isCertain: boolean } | undefined {
  const towns = Map.groupBy(
    compared.filter(({ spot }) => spot.isPossible),
    ({ place }) => `${place.center.lat} ${place.center.lng}`,
  );
  const offsets = [...towns.values()].map((rows) => {
    const each = rows.map(({ spot, place }) => metresOf(between(spot.is, place.center), place.center.lat));
    return { north: median(each.map(({ north }) => north)), east: median(each.map(({ east }) => east)) };
  });
  if (offsets.length < FEWEST_TOWNS) return undefined;
  const north = median(offsets.map((each) => each.north));
  const east = median(offsets.map((each) => each.east));
  const size = Math.hypot(north, east);
  const spread = median(offsets.map((each) => Math.hypot(each.north - north, each.east - east)));
  if (size < SUSPECT || size > FURTHEST || spread > size / 3) return undefined;
  return { size, isCertain: size >= CERTAIN && spread <= size / 4 };
}

export interface Namesakes {
  spot: Spot;
  venues: LatLng[];
}

/** Metres by which equal shifts may differ: two lists never agree exactly. */
const ALIKE = 300;
const LEAST = 1_000;
const FEWEST_ROWS = 4;

/** Finds a shift between most rows and their namesakes. Other branches of a chain are off in all directions. */
export function judgeShift(rows: Namesakes[]): Judgement | undefined {
  const known = rows.filter(({ venues, spot }) => venues.length > 0 && spot.isPossible);
  const offsets = known.flatMap(({ spot, venues }) =>
    venues.map((venue) => ({ spot, offset: between(spot.is, venue) })),
  );
  const alike = offsets.map(({ spot, offset }) => {
    const near = offsets.filter((other) => sizeOf(difference(other.offset, offset), spot.is.lat) <= ALIKE);
    // Rows at one position count once.
    const spots = new Map(near.map((each) => [`${each.spot.is.lat} ${each.spot.is.lng}`, each.spot]));
    return { near: near.map((each) => each.offset), spots: [...spots.values()] };
  });
  const best = alike.reduce((a, b) => (b.spots.length > a.spots.length ? b : a), {
    near: [],
    spots: [],
  } as (typeof alike)[0]);
  const [shown] = best.spots;
  if (!shown || best.spots.length < Math.max(FEWEST_ROWS, known.length * 0.4)) return undefined;
  const offset = {
    north: median(best.near.map(({ north }) => north)),
    east: median(best.near.map(({ east }) => east)),
  };
  const away = sizeOf(offset, shown.is.lat);
  if (away < LEAST) return { verdict: "fine", by: "venues", rows: known.length, wrong: 0 };
  return {
    verdict: "wrong",
    by: "venues",
    slip: "shifted",
    rows: known.length,
    wrong: best.spots.length,
    away,
    awayPut: 0,
    examples: examplesOf(best.spots.map((spot) => ({ spot, ll: undoShift(offset, spot.is) }))),
    repair: { kind: "shift", offset },
  };
}

const difference = (a: Offset, b: Offset): Offset => ({
  north: a.north - b.north,
  east: wrapLongitude(a.east - b.east),
});
