import type { Pool } from "pg";
import type { z } from "zod";
import { type LatLng, ll, soughtAttributes } from "../../contract/parameters.ts";
import type { AskedFor, Condition, Value } from "../../contract/reconcile.ts";
import { soughtText } from "../../contract/text.ts";
import { decideMatches } from "../../matching/decide.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { type Match, matchListing } from "../../matching/match.ts";
import type { Area, IncompleteListing } from "../../matching/match-incomplete.ts";
import { addressWords } from "../../matching/normalize/address.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { readPhones, samePhone } from "../../matching/normalize/phone.ts";
import { trigramSimilarity } from "../../matching/text/similarity.ts";
import { KnownError } from "../../shared/errors.ts";
import { withCategories } from "../categories/tree.ts";
import { resolvePlace } from "../places/geocode.ts";
import type { Place } from "../places/refresh.ts";
import { candidatesOf } from "../venues/candidates.ts";
import { findVenues, VENUE_ID } from "../venues/find.ts";
import { addressOf } from "../venues/present.ts";
import type { VenueRow } from "../venues/rows.ts";
import { decideIncomplete, type RankedMatches, rowsIn } from "../venues/search/match.ts";
import { categoriesOfTypes, findProperty, typesOfVenue } from "./properties.ts";

const LEAST_SCORE = 0.01;

/** Without a name or a position, only a venue with the same name and telephone number is confident. */
export async function findCandidates(pool: Pool, wanted: Wanted): Promise<RankedMatches> {
  const { listing, categories } = wanted;
  const admitted = admitting(wanted);
  const weigh = (matches: Match<VenueRow>[]) => lowerOtherTypes(matches, categories);
  const { name, lat, lng } = listing;
  if (name !== undefined && lat !== undefined && lng !== undefined) {
    const complete = { ...listing, name, lat, lng };
    const rows = admitted(await candidatesOf(pool, complete));
    return decideMatches(weigh(matchListing(complete, withCategories(rows))), LEAST_SCORE);
  }
  const { rows, area } = await rowsFor(pool, wanted);
  return decideIncomplete(listing, area, admitted(rows), { minScore: LEAST_SCORE, weigh });
}

/** A query may give an id as the name ("A Note on Candidate Retrieval and Scoring"). */
export async function findByIds(pool: Pool, wanted: Wanted): Promise<VenueRow[]> {
  const ids = [...wanted.ids, wanted.listing.name ?? ""].filter((id) => VENUE_ID.test(id));
  if (ids.length === 0) return [];
  return admitting(wanted)([...(await findVenues(pool, ids)).values()]);
}

function admitting({ required }: Wanted): (rows: VenueRow[]) => VenueRow[] {
  const tests = required.map(testOf);
  return (rows) => rows.filter((venue) => tests.every((fits) => fits(venue)));
}

/**
 * Log-odds, set by hand. The type is often a guess (OpenRefine derives it from ten names), so it excludes nothing; the
 * protocol leaves that to the service ("Structure of a Reconciliation Query").
 */
const OTHER_TYPE = -1.5;

/** A venue without a category may have any type. */
function lowerOtherTypes(matches: Match<VenueRow>[], categories: Set<string> | undefined): Match<VenueRow>[] {
  if (!categories) return matches;
  return matches
    .map((match) => {
      const { categoryId } = match.venue;
      return categoryId === null || categories.has(categoryId) ? match : lower(match);
    })
    .sort((a, b) => b.score - a.score);
}

function lower(match: Match<VenueRow>): Match<VenueRow> {
  const odds = match.score * Math.exp(OTHER_TYPE);
  return {
    venue: match.venue,
    score: odds / (1 - match.score + odds),
    mayBePart: match.mayBePart,
    needsReview: match.needsReview,
    isAtAddress: match.isAtAddress,
    get evidence() {
      const told = [...match.evidence, { comparison: "otherType", weight: OTHER_TYPE, text: "different type" }];
      return told.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
    },
  };
}

async function rowsFor(pool: Pool, { listing, place }: Wanted): Promise<{ rows: VenueRow[]; area: Area }> {
  const { name, lat, lng } = listing;
  if (lat !== undefined && lng !== undefined)
    return { rows: await candidatesOf(pool, { ...listing, name: "", lat, lng }), area: "anywhere" };
  return rowsIn(pool, listing, name === undefined ? undefined : await placeMeant(pool, place));
}

/** Ignores a place of another kind than its column. */
async function placeMeant(pool: Pool, { zip, city, state, country }: Wanted["place"]): Promise<Place | undefined> {
  const around = [state, country];
  const columns: [Place["kind"], (string | undefined)[]][] = [
    ["zip", zip ? [zip, ...around] : []],
    ["city", city ? [city, ...around] : []],
    ["state", state ? around : []],
    ["country", [country]],
  ];
  for (const [kind, parts] of columns) {
    const text = parts.filter(Boolean).join(", ");
    const place = text ? await placeCalled(pool, text) : undefined;
    if (place?.kind === kind) return place;
  }
  return undefined;
}

async function placeCalled(pool: Pool, text: string): Promise<Place | undefined> {
  try {
    return (await resolvePlace(pool, text)).place;
  } catch (error) {
    if (error instanceof KnownError && error.code === "failed_geocode") return undefined;
    throw error;
  }
}

export interface Wanted {
  ids: string[];
  listing: IncompleteListing;
  place: { city?: string; state?: string; zip?: string; country?: string };
  /** Venues of other categories get lower scores; undefined for any. */
  categories: Set<string> | undefined;
  required: Condition[];
  limit: number;
}

const USUAL_LIMIT = 5;
const HIGHEST_LIMIT = 50;

export function wantedOf({ types, limit, ...asked }: AskedFor): Wanted | { error: string } {
  const conditions = asked.conditions.map((each) => ({ ...each, property: findProperty(each.property)?.id ?? "" }));
  const [name] = valuesOf(conditions, "name").map(textOf).filter(Boolean);
  const checked = soughtText("name", 200).optional().safeParse(name);
  if (!checked.success) return { error: `${checked.error.issues[0]?.message}.` };
  const required = conditions.filter((condition) => condition.required);
  if (required.some(({ property }) => property === ""))
    return { error: "A required condition has an unknown property. See suggest/property." };
  return {
    ids: valuesOf(conditions, "id").flatMap((value) => idOf(value) ?? []),
    listing: { name: checked.data, ...pointIn(conditions), ...cluesIn(conditions) },
    place: placeIn(conditions),
    categories: categoriesOfTypes(types),
    required,
    limit: Math.min(limit ?? USUAL_LIMIT, HIGHEST_LIMIT),
  };
}

function pointIn(conditions: readonly Condition[]): Partial<LatLng> {
  const [both] = valuesOf(conditions, "ll").map(pointOf).filter(Boolean);
  if (both) return both;
  const [lat] = valuesOf(conditions, "lat").map(textOf);
  const [lng] = valuesOf(conditions, "lng").map(textOf);
  return lat && lng ? (pointOf(`${lat},${lng}`) ?? {}) : {};
}

/** Drops unusable values, which only improve the ranking. */
const cluesIn = (conditions: readonly Condition[]) => ({
  address: firstUsable(conditions, "address", soughtAttributes.address),
  zip: firstUsable(conditions, "zip", soughtAttributes.zip),
  phone: phonesIn(conditions),
  twitter: firstUsable(conditions, "twitter", soughtAttributes.twitter),
});

/** Several values are several numbers. */
const phonesIn = (conditions: readonly Condition[]): string | undefined =>
  valuesOf(conditions, "phone")
    .flatMap((value) => soughtAttributes.phone.safeParse(textOf(value)).data ?? [])
    .join("; ") || undefined;

function placeIn(conditions: readonly Condition[]): Wanted["place"] {
  const given = {
    city: firstUsable(conditions, "city", soughtAttributes.city),
    state: firstUsable(conditions, "state", soughtAttributes.state),
    zip: firstUsable(conditions, "zip", soughtAttributes.zip),
    country: firstUsable(conditions, "country", soughtAttributes.state),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value));
}

/** Metres around a required position. */
const AT_POSITION = 250;
/** Degrees around a required latitude or longitude, about the same distance. */
const AT_DEGREES = 0.0025;

/** Characters of a required name or address that are compared; no venue has more. */
const LONGEST = 200;

type Test = (venue: VenueRow) => boolean;

/** Tests any, all or none of the values (1.0-draft, "condition"). */
function testOf({ property, values, quantifier }: Condition): Test {
  const tests = values.map((value) => testOfValue(property, value));
  if (quantifier === "none") return (venue) => !tests.some((fits) => fits(venue));
  return quantifier === "all"
    ? (venue) => tests.every((fits) => fits(venue))
    : (venue) => tests.some((fits) => fits(venue));
}

function testOfValue(property: string, value: Value): Test {
  if (property === "ll") {
    const point = pointOf(value);
    return (venue) => point !== undefined && distanceBetween(point, venue) <= AT_POSITION;
  }
  if (property === "id") {
    const id = idOf(value);
    return (venue) => venue.id === id;
  }
  const text = textOf(value);
  if (text === undefined) return () => false;
  if (property === "name") {
    const name = normalizeName(text.slice(0, LONGEST));
    return ({ nameNorm }) => trigramSimilarity(name, nameNorm) >= 0.4;
  }
  if (property === "address") {
    const wanted = street(text.slice(0, LONGEST));
    return ({ address }) => trigramSimilarity(wanted, street(address ?? "")) >= 0.6;
  }
  if (property === "phone") {
    const wanted = readPhones(text);
    return ({ phone }) => samePhone(wanted, readPhones(phone ?? "")) === true;
  }
  const number = Number(text);
  const words = normalizeName(text);
  return (venue) =>
    (findProperty(property)?.values(venue) ?? []).some((cell) => {
      const [held] = Object.values(cell);
      return typeof held === "number" ? Math.abs(held - number) <= AT_DEGREES : normalizeName(String(held)) === words;
    });
}

const street = (address: string): string => addressWords(address).join(" ");

/** `value` is log-odds: positive for a match, negative against it. */
interface Feature {
  id: string;
  name: string;
  value: number | boolean;
}

export interface Candidate {
  id: string;
  name: string;
  description?: string;
  /** Percent. */
  score: number;
  match: boolean;
  type: { id: string; name: string }[];
  features: Feature[];
}

export function candidateOf(found: Match<VenueRow>, listing: IncompleteListing, match: boolean): Candidate {
  const { venue, score, evidence } = found;
  const features = evidence.map(({ comparison, weight }) => ({
    id: comparison,
    name: inWords(comparison),
    value: weight,
  }));
  const { lat, lng } = listing;
  if (lat !== undefined && lng !== undefined) {
    const value = Math.round(distanceBetween({ lat, lng }, venue));
    features.push({ id: "metres", name: "Metres apart", value });
  }
  return { ...describeVenue(venue), score: Math.round(1000 * score) / 10, match, type: typesOfVenue(venue), features };
}

/** Only our own ids match automatically: others may be names, such as the bookshop "1984". */
export function candidateOfId(venue: VenueRow, isOnly: boolean): Candidate {
  const features = [{ id: "sameId", name: "Same id", value: true }];
  const match = isOnly && /^[0-9a-f]{24}$/.test(venue.id);
  return { ...describeVenue(venue), score: 100, match, type: typesOfVenue(venue), features };
}

export function describeVenue(venue: VenueRow): { id: string; name: string; description?: string } {
  const { id, name, lat, lng } = venue;
  const address = addressOf(venue).join(", ");
  return { id, name, description: address || `${lat.toFixed(5)}, ${lng.toFixed(5)}` };
}

function inWords(comparison: string): string {
  const words = comparison.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Characters read of a value; no attribute of a venue has more. */
const LOOKED_AT = 2000;

/** Returns the name of an entity; undefined for values that are not text or numbers. */
function textOf(value: Value): string | undefined {
  if (typeof value === "string") return trimmed(value);
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  const name = value.name ?? value.id;
  return typeof name === "string" ? trimmed(name) : undefined;
}

const idOf = (value: Value): string | undefined =>
  textOf(typeof value === "object" && value !== null ? { id: value.id } : value);

const trimmed = (text: string): string | undefined => text.slice(0, LOOKED_AT).trim() || undefined;

function pointOf(value: Value): LatLng | undefined {
  const pair = typeof value === "object" && value !== null ? pairOf(value) : textOf(value);
  const parts = pair?.split(",").map((part) => part.trim());
  return ll.safeParse(parts?.join(",")).data;
}

function pairOf(value: Record<string, unknown>): string | undefined {
  const lat = numberIn(value.lat ?? value.latitude);
  const lng = numberIn(value.lng ?? value.lon ?? value.longitude);
  return lat === undefined || lng === undefined ? textOf(value) : `${lat},${lng}`;
}

/** Other JSON values must not be converted to text: deeply nested lists, objects with their own toString. */
const numberIn = (value: unknown): string | number | undefined =>
  typeof value === "string" || typeof value === "number" ? value : undefined;

function firstUsable<S extends z.ZodType>(
  conditions: readonly Condition[],
  property: string,
  schema: S,
): z.output<S> | undefined {
  for (const value of valuesOf(conditions, property)) {
    const parsed = schema.safeParse(textOf(value));
    if (parsed.success && parsed.data !== undefined) return parsed.data;
  }
  return undefined;
}

const valuesOf = (conditions: readonly Condition[], property: string): Value[] =>
  conditions.filter((each) => each.property === property && each.quantifier !== "none").flatMap(({ values }) => values);
