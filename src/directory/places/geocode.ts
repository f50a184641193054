import { createHash } from "node:crypto";
import type { Geocode } from "../../contract/addresses.ts";
import type { LatLng } from "../../contract/parameters.ts";
import { type Db, prepared, queryRows, rawSql } from "../../db/sql.ts";
import { degreesOf, distanceBetween, radians } from "../../matching/distance.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import {
  countryCode,
  countryName,
  countrySpellings,
  hasState,
  stateCodes,
  stateName,
} from "../../matching/normalize/regions.ts";
import { isStreetType, unifyWord } from "../../matching/normalize/street-words.ts";
import { KnownError } from "../../shared/errors.ts";
import { keyOf, PLACE_COLUMNS, type Place, type PlaceKey } from "./refresh.ts";

/** Presents `geocode` of venues/search (wire-format 6). */
export function presentGeocode({ place, what, where, saysState, saysCountry }: Reading): Geocode {
  const { kind, name, state, cc } = place;
  const isRegion = kind === "state" || kind === "country";
  const parts = [
    { text: name, isSaid: true },
    { text: isRegion ? "" : state, isSaid: saysState },
    { text: kind === "country" || cc === "" ? "" : countryName(cc), isSaid: saysCountry },
  ].filter(({ text }) => text !== "");
  const displayName = parts.map(({ text }) => text).join(", ");
  const id = createHash("sha256").update(keyOf(place)).digest();
  return {
    what: what.join(" "),
    where: where.join(" "),
    feature: {
      cc,
      name,
      displayName,
      matchedName: displayName,
      highlightedName: parts.map(({ text, isSaid }) => (isSaid ? `<b>${plain(text)}</b>` : plain(text))).join(", "),
      woeType: WOE_TYPES[kind],
      slug: normalizeName(isRegion ? name : `${name} ${stateName(state, cc)}`).replaceAll(" ", "-"),
      id: id.toString("hex", 0, 12),
      longId: String(id.readBigUInt64BE() >> 1n),
      geometry: { center: { lat: place.lat, lng: place.lng }, bounds: boundsOf(place) },
    },
    parents: [],
  };
}

const WOE_TYPES = { city: 7, state: 8, zip: 11, country: 12 };

/** Clients insert this as HTML, and the names come from users. */
const plain = (name: string): string => name.replace(/[<>&"]/g, "");

/** Smallest distance in metres from the middle to each side. */
const LEAST = 1_000;

/** `ne.lng < sw.lng` across the 180th meridian. */
export function boundsOf({ lat, lng, south, west, north, east }: Place): { ne: LatLng; sw: LatLng } {
  const height = degreesOf(LEAST);
  const width = height / Math.max(0.01, Math.cos(radians(lat)));
  const isTurned = west > east;
  const sw = { lat: Math.min(south, Math.max(-90, lat - height)), lng: isTurned ? west : Math.min(west, lng - width) };
  const ne = { lat: Math.max(north, Math.min(90, lat + height)), lng: isTurned ? east : Math.max(east, lng + width) };
  return { ne: { ...ne, lng: turn(ne.lng) }, sw: { ...sw, lng: turn(sw.lng) } };
}

const turn = (lng: number): number => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);

interface Said {
  words: string[];
  /** Indexes of the first word and of words after a comma. */
  starts: number[];
}

/** The words from `from` up to, but excluding, `to`. */
interface Span {
  from: number;
  to: number;
}

/** Limits above the longest names and queries. */
const LONGEST_NAME = 6;
const MOST_WORDS = 16;

/** Keeps the end of a long text, where the place usually is. */
function readWords(near: string): Said {
  const parts = near
    .replace(/(?<!\p{L})(\p{L})\.(?=\p{L}\.)/gu, "$1") // R.I. is one word
    .replace(/(?<![\d.])(\d{3,8})\.0+(?![\d.])/g, "$1") // a postal code that was a number
    .split(/[,;\n，、،]/)
    .map((part) => normalizeName(part).split(" ").filter(Boolean));
  const words = parts.flat();
  const cut = Math.max(0, words.length - MOST_WORDS);
  const starts = parts.map((_part, index) => parts.slice(0, index).flat().length - cut);
  return { words: words.slice(cut), starts: [...new Set(starts.map((start) => Math.max(0, start)))] };
}

const spanText = ({ words }: Said, { from, to }: Span): string => words.slice(from, to).join(" ");

/** A name starts a part, or follows its postal code ("75001 Paris"). */
function nameSpans({ words, starts }: Said): Span[] {
  const begins = starts.flatMap((start) => (isCode(words[start]) ? [start, start + 1] : [start]));
  return begins.flatMap((from) => upTo(LONGEST_NAME, from, words.length));
}

/** Names at the end of a part, before its state and the like, where others begin it: "lowport" in "14 Mill St Lowport, ME". */
function lastNames({ words, starts }: Said): Span[] {
  return starts.flatMap((start, index) => {
    const part = words.slice(start, starts[index + 1]);
    const to = start + beforeRegions(part);
    const spans = Array.from({ length: Math.min(LONGEST_NAME, to - start - 1) }, (_, at) => ({
      from: to - at - 1,
      to,
    }));
    return spans.filter(({ from, to }) => words.slice(0, from).some(isCode) && !words.slice(from, to).some(isOfStreet));
  });
}

const isOfStreet = (word: string): boolean => isCode(word) || isStreetType(unifyWord(word));

/** A postal code has one or two words ("SW1A 1AA"). */
const codeSpans = (said: Said): Span[] =>
  said.words.flatMap((_, from) => upTo(2, from, said.words.length)).filter((span) => isCode(spanText(said, span)));

const upTo = (most: number, from: number, end: number): Span[] =>
  Array.from({ length: Math.min(most, end - from) }, (_, index) => ({ from, to: from + index + 1 }));

const isCode = (word = ""): boolean => /\d/.test(word);

/** Returns the words that may be a misspelt town: the last part between commas, up to its state, country or postal code. */
function unknownName({ words, starts }: Said): Span | undefined {
  const to = beforeRegions(words);
  const from = starts.findLast((start) => start < to);
  return from === undefined ? undefined : { from, to };
}

function beforeRegions(words: string[]): number {
  const last = [4, 3, 2, 1].find((count) => count <= words.length && isRegion(words.slice(-count).join(" ")));
  return last ? beforeRegions(words.slice(0, -last)) : words.length;
}

const isRegion = (words: string): boolean =>
  stateCodes(words).length > 0 || countryCode(words) !== undefined || (isCode(words) && !words.includes(" "));

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
function readAs(place: Place, { words }: Said, { from, to }: Span): Reading | undefined {
  const state = place.state ? [place.state, stateName(place.state, place.cc)].map(normalizeName) : [];
  const country = place.cc && place.kind !== "country" ? countrySpellings(place.cc) : [];
  const before = without(words.slice(0, from), [...state, ...country]);
  const behind = without(words.slice(to), [...state, ...country]).filter((word) => !isCode(word));
  const isZip = place.kind === "zip";
  const isRegion = place.kind === "state" || place.kind === "country";
  // A state follows a town. If the directory does not know the town's state, any state of no other country fits.
  const isElsewhere = isRegion || place.state !== "" || (beforeRegions(behind) === 0 && !mayLieIn(place, behind));
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

/** Whether a place without a state may be in these regions. If its venues name no country either, it may be anywhere. */
const mayLieIn = ({ cc }: Place, regions: string[]): boolean => cc === "" || hasState(cc, regions.join(" "));

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
function choose(readings: Reading[], from: LatLng | undefined): Reading | undefined {
  const towns = readings.filter(({ place }) => place.kind === "city");
  const [best] = readings
    .map((reading) => (reading.place.kind === "zip" ? withTown(reading, towns) : reading))
    .filter(({ isLoose }) => !isLoose)
    .map((reading) => ({ reading, away: from ? distanceTo(reading.place, from) : 0 }))
    .sort(
      (a, b) =>
        a.reading.what.length - b.reading.what.length ||
        Number(b.reading.place.kind === "zip") - Number(a.reading.place.kind === "zip") ||
        Number(b.reading.saysState) - Number(a.reading.saysState) ||
        a.away - b.away ||
        weight(b.reading.place) - weight(a.reading.place),
    );
  return best?.reading;
}

/** If the town of a postal code is named too, its words are about the place. */
function withTown(reading: Reading, towns: Reading[]): Reading {
  const [town] = towns
    .filter(({ place }) => distanceBetween(place, reading.place) < SAME_AREA)
    .sort((a, b) => a.what.length - b.what.length || Number(b.saysState) - Number(a.saysState));
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

/**
 * Ignores case and accents, and corrects misspelt towns. Of several places it chooses the nearest to `from`, or the one
 * with most venues. Throws KnownError 400 failed_geocode (wire-format 3).
 */
export async function resolvePlace(db: Db, near: string, from?: LatLng): Promise<Reading> {
  const said = readWords(near);
  const ways = [
    () => readNames(db, said, [...names(said, nameSpans(said)), ...zips(said)]),
    () => readNames(db, said, zipsWithZeros(said)),
    () => readMisspelt(db, said),
    () => readNames(db, said, names(said, lastNames(said))),
  ];
  for (const read of ways) {
    const best = choose(await read(), from);
    if (best) return best;
  }
  const beginning = [...near].slice(0, 100).join("");
  throw new KnownError(400, "failed_geocode", `Couldn't geocode param near: ${beginning}`, {
    title:
      "The directory has no venues in a place of this name. Give a position, a town nearby, a state or a postal code.",
  });
}

interface Named extends Pick<PlaceKey, "kind" | "nameNorm"> {
  span: Span;
}

async function readNames(db: Db, said: Said, named: Named[]): Promise<Reading[]> {
  if (named.length === 0) return [];
  const normalized = [...new Set(named.map(({ nameNorm }) => nameNorm))];
  const places = await queryRows<Place>(prepared(db))`
    SELECT ${rawSql(PLACE_COLUMNS)} FROM directory.place p WHERE p.name_norm = ANY (${normalized}::text[])
     ORDER BY p.venues DESC LIMIT 500`;
  return places.flatMap((place) =>
    named
      .filter(({ kind, nameNorm }) => kind === place.kind && nameNorm === place.nameNorm)
      .flatMap(({ span }) => readAs(place, said, span) ?? []),
  );
}

const names = (said: Said, spans: Span[]): Named[] =>
  spans.flatMap((span) => {
    const text = spanText(said, span);
    const codes = stateCodes(text).map((code) => code.toLowerCase());
    return [
      ...spellings(text).map((nameNorm) => ({ kind: "city" as const, nameNorm, span })),
      ...[text, ...codes].map((nameNorm) => ({ kind: "state" as const, nameNorm, span })),
      { kind: "country" as const, nameNorm: countryCode(text)?.toLowerCase() ?? "", span },
    ];
  });

const zips = (said: Said): Named[] =>
  codeSpans(said).map((span) => ({
    kind: "zip" as const,
    nameNorm: spanText(said, span).replaceAll(" ", ""),
    span,
  }));

/** Postal codes of countries with five to eight digits, of which a spreadsheet has taken the zeros: 4098 for 04098. */
const zipsWithZeros = (said: Said): Named[] =>
  zips(said).flatMap(({ nameNorm, ...zip }) =>
    /^[1-9]\d{2,6}$/.test(nameNorm) ? ["0", "00"].map((zeros) => ({ ...zip, nameNorm: zeros + nameNorm })) : [],
  );

const SHORT_FORMS = { saint: "st", sainte: "ste", mount: "mt", fort: "ft" };

function spellings(name: string): string[] {
  let short = ` ${name} `;
  let long = ` ${name} `;
  for (const [full, brief] of Object.entries(SHORT_FORMS)) {
    short = short.replaceAll(` ${full} `, ` ${brief} `);
    long = long.replaceAll(` ${brief} `, ` ${full} `);
  }
  return [...new Set([name, short.trim(), long.trim(), ...withoutDigraphs(name)])];
}

/** Letters that are spelled out where a keyboard lacks them: "Aeroe" is "Ærø", "Aalborg" may be stored as "Ålborg". */
const DIGRAPHS = { ae: "a", oe: "o", ue: "u", aa: "a" };

function withoutDigraphs(name: string): string[] {
  let found = [name];
  for (const [spelled, plain] of Object.entries(DIGRAPHS))
    if (name.includes(spelled)) found = found.flatMap((each) => [each, each.replaceAll(spelled, plain)]);
  return found;
}

async function readMisspelt(db: Db, said: Said): Promise<Reading[]> {
  const span = unknownName(said);
  const name = span && spanText(said, span);
  if (!name || mistakesAllowed(name) === 0) return [];
  const places = await queryRows<Place>(prepared(db))`
    SELECT ${rawSql(PLACE_COLUMNS)} FROM directory.place p WHERE p.kind = 'city' AND p.name_norm % ${name}
     ORDER BY similarity(p.name_norm, ${name}) DESC, p.venues DESC LIMIT 100`;
  const readings = places.flatMap((place) => {
    const off = editDistance(name, place.nameNorm);
    const reading = off <= mistakesAllowed(name) ? readAs(place, said, span) : undefined;
    return reading ? { reading, off } : [];
  });
  const least = Math.min(...readings.map(({ off }) => off));
  return readings.flatMap(({ reading, off }) => (off === least ? reading : []));
}

/** How many letters may be wrong; none in short names, which would match others, or in long texts. */
function mistakesAllowed({ length }: string): number {
  if (length < 5 || length > 40) return 0;
  if (length < 8) return 1;
  return length < 12 ? 2 : 3;
}

/** Counts added, missing, wrong and swapped letters (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let last: number[] = [];
  let before: number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (before[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + (same ? 0 : 1),
        isSwap ? (last[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    last = before;
    before = current;
  }
  return before[b.length] ?? 0;
}
