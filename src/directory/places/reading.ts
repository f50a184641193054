import type { LatLng } from "../../contract/parameters.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import type { Place } from "./place.ts";
import { countrySpellings, stateName } from "./regions.ts";
import { beforeRegions, isCode, type Said, type Span } from "./said.ts";

/** One way to understand a `near`. */
export interface Reading {
  place: Place;
  /** The words that are not about the place: "federal hill" of "Federal Hill, Providence". */
  what: string[];
  /** All others. */
  where: string[];
  /** Whether its state, or its country, was named as well. */
  saysState: boolean;
  saysCountry: boolean;
  /** True of a postal code with words behind it that are neither its state nor its country: its town, or nonsense. */
  isLoose: boolean;
}

/** The words of the span taken for the place; undefined where the other words say that it is another one. */
export function readAs(place: Place, { words }: Said, { from, to }: Span): Reading | undefined {
  const state = place.state ? [place.state, stateName(place.state, place.cc)].map(normalizeName) : [];
  const country = place.cc && place.kind !== "country" ? countrySpellings(place.cc) : [];
  const before = without(words.slice(0, from), [...state, ...country]);
  const behind = without(words.slice(to), [...state, ...country]).filter((word) => !isCode(word));
  const isZip = place.kind === "zip";
  const isRegion = place.kind === "state" || place.kind === "country";
  // Behind a town stands its state; where the directory knows of none, it may be any that is not another country's.
  const isElsewhere = isRegion || place.state !== "" || beforeRegions(behind) === 0;
  if (behind.length > 0 && !isZip && isElsewhere) return undefined;
  const what = [...(before.every(isCode) ? [] : before), ...(isZip ? behind : [])];
  // An unknown town of a known state is not that state.
  if (isRegion && what.length > 0) return undefined;
  const says = (names: string[]) => names.some((name) => ` ${words.join(" ")} `.includes(` ${name} `));
  const where = others(words, what);
  return {
    place,
    what,
    where,
    saysState: says(state),
    saysCountry: says(country),
    isLoose: isZip && behind.length > 0,
  };
}

function without(words: string[], names: string[]): string[] {
  let text = ` ${words.join(" ")} `;
  for (const name of names.toSorted((a, b) => b.length - a.length)) text = text.replaceAll(` ${name} `, " ");
  return text.split(" ").filter(Boolean);
}

/** The words without the first of each that `what` holds. */
function others(words: string[], what: string[]): string[] {
  const left = [...what];
  return words.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Metres between a postal code's middle and that of its town. */
const SAME_AREA = 100_000;

/**
 * The best of several readings: the one that explains most words; a postal code before its town; then the nearest, where
 * the caller says from where, else the one with most venues.
 */
export function choose(readings: Reading[], from: LatLng | undefined): Reading | undefined {
  const towns = readings.filter(({ place }) => place.kind === "city");
  const [best] = readings
    .map((reading) => (reading.place.kind === "zip" ? withTown(reading, towns) : reading))
    .filter(({ isLoose }) => !isLoose)
    .map((reading) => ({ reading, away: from ? distanceTo(reading.place, from) : 0 }))
    .sort(
      (a, b) =>
        a.reading.what.length - b.reading.what.length ||
        Number(b.reading.place.kind === "zip") - Number(a.reading.place.kind === "zip") ||
        a.away - b.away ||
        weight(b.reading.place) - weight(a.reading.place),
    );
  return best?.reading;
}

/** A postal code whose town is named as well: those words are about the place, too. */
function withTown(reading: Reading, towns: Reading[]): Reading {
  const [town] = towns
    .filter(({ place }) => distanceBetween(place, reading.place) < SAME_AREA)
    .sort((a, b) => a.what.length - b.what.length);
  if (!town || town.what.length > reading.what.length) return reading;
  return { ...reading, what: town.what, where: town.where, isLoose: false };
}

/** A state of the same name has more venues than its city (New York), and hardly ever is the one that is meant. */
const weight = ({ kind, venues }: Place): number => venues * (kind === "state" || kind === "country" ? 0.1 : 1);

/** Metres to the bounds; 0 within. */
function distanceTo({ south, north, west, east, lng }: Place, from: LatLng): number {
  const across = west <= east ? Math.max(west, Math.min(east, from.lng)) : lng;
  return distanceBetween(from, { lat: Math.max(south, Math.min(north, from.lat)), lng: across });
}
