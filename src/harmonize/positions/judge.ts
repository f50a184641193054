import type { LatLng } from "../../contract/parameters.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { spread } from "../../shared/spread.ts";
import { areasOf } from "../query/repairs.ts";
import { SLIPS, undoSlip } from "../query/slips.ts";
import type { Example, Judgement } from "../run/positions.ts";
import type { Slip } from "../run/problems/slips.ts";
import { distanceTo, FAR, NEAR, type Place } from "./places.ts";
import type { Spot } from "./spots.ts";

/** Share of wrong rows from which the whole file counts as wrong. */
const SHARE = 0.1;
/** A venue's namesake may be there by chance; a town's hardly. */
const FEWEST_MATCHES = 3;
/** Share from which all other rows are assumed to have the same slip. */
const WHOLE = 0.9;

export interface Compared {
  spot: Spot;
  isWell: boolean;
  /** Slips that explain its position; empty if it is right or none does. */
  slips: Slip[];
  /** Metres. */
  awayFrom: (ll: LatLng) => number;
}

/** Finds the slips that explain misplaced rows. Returns undefined if these are few or mostly unexplained. */
export function judgeSlips(compared: Compared[], by: "places" | "venues"): Judgement | undefined {
  const least = Math.max(by === "venues" ? FEWEST_MATCHES : 1, compared.length * SHARE);
  const off = compared.filter(({ isWell }) => !isWell);
  const chosen: Slip[] = [];
  for (let left = off; ; ) {
    const counted = SLIPS.map((slip) => ({ slip, rows: left.filter(({ slips }) => slips.includes(slip)).length }));
    const best = counted.reduce((a, b) => (b.rows > a.rows ? b : a));
    if (best.rows < least) break;
    chosen.push(best.slip);
    left = left.filter(({ slips }) => !slips.includes(best.slip));
  }
  const explained = off.filter(({ slips }) => chosen.some((slip) => slips.includes(slip)));
  const [first] = chosen;
  if (!first || (by === "places" && explained.length * 2 < off.length)) return undefined;
  const put = explained.flatMap((each) => {
    const slip = chosen.find((slip) => each.slips.includes(slip)) ?? first;
    const ll = undoSlip(slip, each.spot.is);
    return ll ? [{ ...each, ll }] : [];
  });
  const well = compared.filter(({ isWell }) => isWell).map(({ spot }) => spot.is);
  const isWhole = chosen.length === 1 && put.length >= (put.length + well.length) * WHOLE;
  return {
    verdict: "wrong",
    by,
    slip: first,
    rows: compared.length,
    wrong: put.length,
    away: median(put.filter(({ spot }) => spot.isPossible).map(({ spot, awayFrom }) => awayFrom(spot.is))),
    awayPut: median(put.map(({ ll, awayFrom }) => awayFrom(ll))),
    examples: examplesOf(put),
    repair: { kind: "slips", slips: chosen, isWhole, around: areasOf([...put.map(({ ll }) => ll), ...well]) },
  };
}

export function besidePlaces(spots: Spot[], places: ReadonlyMap<string, Place>): (Compared & { place: Place })[] {
  return spots.flatMap((spot) => {
    const place = places.get(spot.place ?? "");
    if (!place) return [];
    const isWell = spot.isPossible && distanceTo(place, spot.is) <= FAR;
    const brings = (slip: Slip) => {
      const ll = undoSlip(slip, spot.is);
      return ll !== undefined && distanceTo(place, ll) <= NEAR;
    };
    const awayFrom = (ll: LatLng) => distanceBetween(place.center, ll);
    return [{ spot, place, isWell, slips: isWell ? [] : SLIPS.filter(brings), awayFrom }];
  });
}

/** Judges by positions that are possible only with latitude and longitude swapped. */
export function judgeRange(spots: Spot[]): Judgement | undefined {
  const put = spots.flatMap((spot) => {
    const ll = spot.isPossible ? undefined : undoSlip("swapped", spot.is);
    return ll ? [{ spot, ll }] : [];
  });
  if (put.length === 0 || put.length < spots.length * SHARE) return undefined;
  const mayAll = spots.every(({ is }) => undoSlip("swapped", is));
  const around = areasOf(put.map(({ ll }) => ll));
  return {
    verdict: "wrong",
    by: "positions",
    slip: "swapped",
    rows: spots.length,
    wrong: put.length,
    examples: examplesOf(put),
    repair: { kind: "slips", slips: ["swapped"], isWhole: mayAll, around },
  };
}

/** Names on one point: more than a shopping centre has. */
const MANY_ON_A_POINT = 20;

export function judgePoint(spots: Spot[]): Judgement | undefined {
  const [first] = spots;
  const names = new Set(spots.map(({ name }) => name)).size;
  if (!first || names < MANY_ON_A_POINT) return undefined;
  if (spots.some(({ is }) => is.lat !== first.is.lat || is.lng !== first.is.lng)) return undefined;
  const rows = spots.length;
  return {
    verdict: "wrong",
    by: "positions",
    slip: "one point",
    rows,
    wrong: rows,
    examples: examplesOf(spots.map((spot) => ({ spot }))),
  };
}

const MOST_EXAMPLES = 3;

export const examplesOf = (rows: { spot: Spot; ll?: LatLng | undefined }[]): Example[] =>
  spread(rows, MOST_EXAMPLES).map(({ spot: { line, name, place, is }, ll }) => ({
    line,
    name,
    is,
    ...(place !== undefined && { place }),
    ...(ll && { wouldBe: ll }),
  }));

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return ((sorted[middle] ?? Number.NaN) + (sorted[(sorted.length - 1) >> 1] ?? Number.NaN)) / 2;
}
