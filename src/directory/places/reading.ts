import type { LatLng } from "../../contract/parameters.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { countrySpellings, stateName } from "../../matching/normalize/regions.ts";
import type { Place } from "./place.ts";
import { beforeRegions, isCode, type Said, type Span } from "./said.ts";

export interface Reading {
  place: Place;
  /** Words that are not about the place: "federal hill" in "Federal Hill, Providence". */
  what: string[];
  where: string[];
  saysState: boolean;
  saysCountry: boolean;
  /** True for a postal code followed by words other than its state and country: its town, or noise. */
  isLoose: boolean;
}

/** Reads the words of the span as the place; undefined if the other words contradict it. */
export function readAs(place: Place, { words }: Said, { from, to }: Span): Reading | undefined {
  const state = place.state ? [place.state, stateName(place.state, place.cc)].map(normalizeName) : [];
  const country = place.cc && place.kind !== "country" ? countrySpellings(place.cc) : [];
  const before = without(words.slice(0, from), [...state, ...country]);
  const behind = without(words.slice(to), [...state, ...country]).filter((word) => !isCode(word));
  const isZip = place.kind === "zip";
  const isRegion = place.kind === "state" || place.kind === "country";
  // A state follows a town. If the directory does not know the town's state, any state of no other country fits.
  const isElsewhere = isRegion || place.state !== "" || beforeRegions(behind) === 0;
  if (behind.length > 0 && !isZip && isElsewhere) return undefined;
  const what = [...(before.every(isCode) ? [] : before), ...(isZip ? behind : [])];
  // An unknown town in a known state does not mean the state.
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

function others(words: string[], what: string[]): string[] {
  const left = [...what];
  return words.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Metres between the middles of a postal code and its town, at most. */
const SAME_AREA = 100_000;

/** Prefers readings that explain most words, then postal codes, then the nearest or the one with most venues. */
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

/** If the town of a postal code is named too, its words are about the place. */
function withTown(reading: Reading, towns: Reading[]): Reading {
  const [town] = towns
    .filter(({ place }) => distanceBetween(place, reading.place) < SAME_AREA)
    .sort((a, b) => a.what.length - b.what.length);
  if (!town || town.what.length > reading.what.length) return reading;
  return { ...reading, what: town.what, where: town.where, isLoose: false };
}

/** A state has more venues than the city of the same name (New York), but is rarely meant. */
const weight = ({ kind, venues }: Place): number => venues * (kind === "state" || kind === "country" ? 0.1 : 1);

/** Metres to the bounds, 0 inside. */
function distanceTo({ south, north, west, east, lng }: Place, from: LatLng): number {
  const across = west <= east ? Math.max(west, Math.min(east, from.lng)) : lng;
  return distanceBetween(from, { lat: Math.max(south, Math.min(north, from.lat)), lng: across });
}
