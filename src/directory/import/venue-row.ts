import { createHash } from "node:crypto";
import { z } from "zod";
import { listingAttributes, venueName, webAddress } from "../../contract/parameters.ts";
import { text, textInLines } from "../../contract/text.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { countryCode } from "../../matching/normalize/regions.ts";
import type { OtherName } from "../../matching/prepare.ts";
import { allCategories, findCategory } from "../categories/tree.ts";
import { venueColumns } from "../venues/columns.ts";
import { VENUE_ID } from "../venues/find.ts";
import { otherNamesOf } from "../venues/other-names.ts";
import { idOfCode } from "./categories.ts";
import { cellText, listOf } from "./lists.ts";

/** `tile` is the last (store-venues.ts). */
export const COLUMNS = [
  "id",
  "name",
  "name_norm",
  "other_names",
  "other_names_norm",
  "lat",
  "lng",
  "point",
  "address",
  "cross_street",
  "city",
  "state",
  "zip",
  "cc",
  "phone",
  "phone_norm",
  "twitter",
  "url",
  "description",
  "category_id",
  "source_id",
  "temporarily_closed",
  "tile",
] as const;
export type VenueRow = [id: string, ...rest: (string | number | boolean | null)[]];

/** `leftOut` names unusable attributes. `passedOver` marks a valid record of a closed or flagged venue. */
export type MadeRow =
  | { row: VenueRow; leftOut: Attribute[]; problem?: never; passedOver?: never }
  | { row?: never; leftOut?: never; problem: string; passedOver?: "closed" | "flagged" };

/**
 * Leaves out unusable attributes, except name and position. Unless `keepIds` is set, the venue id derives from
 * `source`, so a repeated import finds the same venues.
 */
export function venueRow(
  fields: Record<string, unknown>,
  { source, keepIds, sourceId = null }: { source: string; keepIds: boolean; sourceId?: number | null },
): MadeRow {
  const unwanted = reasonToPassOver(fields);
  if (unwanted) return unwanted;
  const needed = { id: given(fields.id), name: given(fields.name), lat: given(fields.lat), lng: given(fields.lng) };
  const { data: venue, error } = spot.safeParse(needed);
  if (!venue) return { problem: describe(error, needed) };
  if (keepIds && !VENUE_ID.test(venue.id ?? "")) return { problem: "id must be 1 to 64 letters, digits, _ . : -" };
  const { name, lat, lng } = venue;
  const id = keepIds && venue.id ? venue.id : venueId(source, venue.id ?? `${name}|${lat}|${lng}`);
  const { values: v, leftOut } = attributesOf(fields);
  const otherNames = otherNamesOf(name, (fields.otherNames ?? []) as OtherName[]);
  const { nameNorm, otherNamesNorm, point, phoneNorm, tile } = venueColumns({
    name,
    otherNames,
    lat,
    lng,
    phone: v.phone,
  });
  const where = [v.address, v.crossStreet, v.city, v.state, v.zip, v.country];
  const named = [name, nameNorm, otherNames && JSON.stringify(otherNames), otherNamesNorm];
  const isAway = isTemporarilyClosed(fields) || null;
  const rest = [v.phone, phoneNorm, v.twitter, v.url, v.description, v.category, sourceId, isAway, tile];
  return { row: [id, ...named, lat, lng, point, ...where, ...rest], leftOut };
}

/** Derives a stable 24-hex id. */
export function venueId(source: string, sourceId: string): string {
  return createHash("sha256").update(`${source}:${sourceId}`).digest("hex").slice(0, 24);
}

/** Whether a flag of Foursquare says that there is no such venue. */
export const isGoneFlag = (flag: string): boolean => FLAGS.has(flag.toLowerCase());

const FLAGS = new Set(["closed", "delete", "doesnt_exist", "duplicate", "inappropriate", "privatevenue"]);

function reasonToPassOver(fields: Record<string, unknown>): MadeRow | undefined {
  const { dateClosed, unresolvedFlags, operatingStatus } = fields;
  if (/^(?:permanently[_ ]closed|closed[_ ]permanently)$/i.test(given(operatingStatus) ?? ""))
    return { problem: "is permanently closed", passedOver: "closed" };
  const closed = given(dateClosed);
  if (closed && /\d/.test(closed))
    return { problem: `has been closed since ${closed.slice(0, 30)}`, passedOver: "closed" };
  if (unresolvedFlags === undefined || unresolvedFlags === "") return undefined;
  const flags = listOf(unresolvedFlags).filter(isGoneFlag);
  return flags.length > 0 ? { problem: `is flagged ${flags.join(", ")}`, passedOver: "flagged" } : undefined;
}

const isTemporarilyClosed = ({ operatingStatus }: Record<string, unknown>): boolean =>
  /^(?:temporarily[_ ]closed|closed[_ ]temporarily)$/i.test(given(operatingStatus) ?? "");

const degrees = (name: string, limit: number) =>
  z
    .string()
    .regex(/^\s*[+-]?\d+(\.\d*)?(e-?\d+)?\s*$/i, `${name} is not a number in decimal degrees`)
    .transform(Number)
    .refine((value) => Math.abs(value) <= limit, `${name} is not between -${limit} and ${limit}`);

const spot = z.object({
  id: text("id", 100).optional(),
  name: venueName,
  lat: degrees("lat", 90),
  lng: degrees("lng", 180),
});

function describe(error: z.ZodError, needed: Record<string, string | undefined>): string {
  const wrong = error.issues.map(({ path: [name = ""], message }) =>
    needed[String(name)] === undefined ? `${String(name)} is missing` : message,
  );
  return [...new Set(wrong)].join("; ");
}

const attributes = {
  ...listingAttributes,
  twitter: listingAttributes.twitter.transform((handle) => handle?.replace(/^@/, "")),
  crossStreet: text("crossStreet", 200),
  country: z
    .string()
    .transform((name) => (/^[A-Za-z]{2}$/.test(name) ? name.toUpperCase() : codeOfCountry(name)))
    .pipe(z.string()),
  // Files often contain a host name only, or several addresses.
  url: text("url", 2000)
    .transform((all) => all.split(/[;,]?\s/, 1)[0] ?? "")
    .transform((url) => (/^[\w-]+(\.[\w-]+)+(\/|$)/.test(url) ? `http://${url}` : url))
    .pipe(webAddress),
  description: textInLines("description", 300),
};

/** Most files name few countries and categories. */
function remembering<Found>(find: (text: string) => Found): (text: string) => Found {
  const known = new Map<string, Found>();
  return (text) => {
    if (known.size > 1000) known.clear();
    if (!known.has(text)) known.set(text, find(text));
    return known.get(text) as Found;
  };
}

const codeOfCountry = remembering((name) => countryCode(normalizeName(name))?.toUpperCase());

type Attribute = keyof typeof attributes | "category";
const ATTRIBUTES = Object.entries(attributes) as [Attribute, z.ZodType<string | undefined>][];
/** Used if the first is empty: British addresses have a post town, and some places only an administrative region. */
const SECOND_BEST: Partial<Record<Attribute, string>> = { city: "postTown", state: "adminRegion" };

function attributesOf(fields: Record<string, unknown>) {
  const values = {} as Record<Attribute, string | null>;
  const leftOut: Attribute[] = [];
  for (const [name, schema] of ATTRIBUTES) {
    const value = given(fields[name]) ?? given(fields[SECOND_BEST[name] ?? ""]);
    const { success, data } = value === undefined ? { success: true, data: null } : schema.safeParse(value);
    values[name] = data || null;
    if (!success) leftOut.push(name);
  }
  const categories = [fields.category].flat().flatMap(listOf).flatMap(eachOf);
  values.category = findCategoryId(categories) ?? null;
  if (categories.length > 0 && !values.category) leftOut.push("category");
  return { values, leftOut };
}

/** A cell as text; of a list, the first element. */
const given = (value: unknown): string | undefined => cellText(Array.isArray(value) ? value[0] : value);

const categoryIds = new Map(
  allCategories
    .toReversed() // of two with the same name, the first in the tree wins
    .flatMap(({ id, name, pluralName, shortName }) =>
      [shortName, pluralName, name].map((each): [string, string] => [normalizeName(each), id]),
    ),
);

/** A cell may have several categories: "Grill; Bar", or "Grill, Bar". Paths, and names of ours, may have commas, too. */
const eachOf = (text: string): string[] =>
  text
    .split(";")
    .flatMap((each) => (each.includes(">") || !each.includes(",") ? [each] : [each, ...each.split(",")]))
    .map((each) => each.trim());

/** Finds the first category id, otherwise the name deepest in its path, as in "Dining and Drinking > Café", or a known code. */
function findCategoryId(categories: string[]): string | undefined {
  let deepest: { id: string; depth: number } | undefined;
  for (const category of categories) {
    if (findCategory(category)) return category;
    const names = category.split(">");
    for (let depth = names.length; depth > (deepest?.depth ?? 0); depth--) {
      const name = names[depth - 1] ?? "";
      const id = idOfName(name);
      if (id) deepest = { id, depth };
    }
  }
  return deepest?.id;
}

const idOfName = remembering((name) => categoryIds.get(normalizeName(name)) ?? idOfCode(name));
