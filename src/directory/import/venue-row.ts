import { createHash } from "node:crypto";
import { z } from "zod";
import { listingAttributes, text, textInLines, venueName, webAddress } from "../../contract/parameters.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { allCategories, findCategory } from "../categories/tree.ts";
import { venueColumns } from "../venues/columns.ts";
import { VENUE_ID } from "../venues/find.ts";
import { cellText, listOf } from "./lists.ts";

/** The columns that an import writes, in the order of `VenueRow`. */
export const COLUMNS = [
  "id",
  "name",
  "name_norm",
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
] as const;
export type VenueRow = [id: string, ...rest: (string | number | null)[]];

/** `leftOut` names the attributes whose values cannot be stored. `passedOver`: nothing is wrong, but it is no venue of today. */
export type MadeRow =
  | { row: VenueRow; leftOut: Attribute[]; problem?: never; passedOver?: never }
  | { row?: never; leftOut?: never; problem: string; passedOver?: "closed" | "flagged" };

/**
 * The row of the venue table that a record of a file makes, or what is wrong with it. A venue needs a name and a point;
 * any other attribute that cannot be stored is left out. `source` goes into the venue id (unless `keepIds`), so that
 * importing the same file again finds the same venues.
 */
export function venueRow(
  fields: Record<string, unknown>,
  { source, keepIds }: { source: string; keepIds: boolean },
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
  const { nameNorm, point, phoneNorm } = venueColumns({ name, lat, lng, phone: v.phone });
  const where = [v.address, v.crossStreet, v.city, v.state, v.zip, v.country];
  const rest = [v.phone, phoneNorm, v.twitter, v.url, v.description, v.category];
  return { row: [id, name, nameNorm, lat, lng, point, ...where, ...rest], leftOut };
}

/** A stable 24-hex id for the venue that `source` knows as `sourceId`. */
export function venueId(source: string, sourceId: string): string {
  return createHash("sha256").update(`${source}:${sourceId}`).digest("hex").slice(0, 24);
}

/** Flags of the Foursquare OS Places release that say that this is no venue anybody should be sent to. */
const FLAGS = new Set(["closed", "delete", "doesnt_exist", "duplicate", "inappropriate", "privatevenue"]);

function reasonToPassOver({ dateClosed, unresolvedFlags }: Record<string, unknown>): MadeRow | undefined {
  const closed = given(dateClosed);
  if (closed && /\d/.test(closed)) return { problem: `is closed since ${closed.slice(0, 30)}`, passedOver: "closed" };
  if (unresolvedFlags === undefined || unresolvedFlags === "") return undefined;
  const flags = listOf(unresolvedFlags).filter((flag) => FLAGS.has(flag.toLowerCase()));
  return flags.length > 0 ? { problem: `is flagged ${flags.join(", ")}`, passedOver: "flagged" } : undefined;
}

const degrees = (name: string, limit: number) =>
  z
    .string()
    .regex(/^\s*[+-]?\d+(\.\d*)?(e-?\d+)?\s*$/i, `${name} is not a number in decimal degrees`)
    .transform(Number)
    .refine((value) => Math.abs(value) <= limit, `${name} is not between -${limit} and ${limit}`);

/** What makes a venue. */
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

/** What else may be known of it. */
const attributes = {
  ...listingAttributes,
  twitter: listingAttributes.twitter.transform((handle) => handle?.replace(/^@/, "")),
  crossStreet: text("crossStreet", 200),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .transform((code) => code.toUpperCase()),
  // Files often give a bare host.
  url: text("url", 2000)
    .transform((url) => (/^[\w-]+(\.[\w-]+)+(\/|$)/.test(url) ? `http://${url}` : url))
    .pipe(webAddress),
  description: textInLines("description", 300),
};
type Attribute = keyof typeof attributes | "category";
const ATTRIBUTES = Object.entries(attributes) as [Attribute, z.ZodType<string | undefined>][];
/** British addresses have a post town, and some places no region but an administrative one. */
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
  const categories = [fields.category, fields.categoryIds, fields.categoryLabels].flatMap(listOf);
  values.category = findCategoryId(categories) ?? null;
  if (categories.length > 0 && !values.category) leftOut.push("category");
  return { values, leftOut };
}

/** A value as text; of a list the first. */
const given = (value: unknown): string | undefined => cellText(Array.isArray(value) ? value[0] : value);

const categoryIds = new Map(
  allCategories
    .toReversed() // where two share a name, the one that stands first in the tree wins
    .flatMap(({ id, name, pluralName, shortName }) =>
      [shortName, pluralName, name].map((each): [string, string] => [normalizeName(each), id]),
    ),
);

/**
 * Of ids, names and paths like "Dining and Drinking > Café" the id of a category that we have: the first id, else the
 * name that is deepest in its path.
 */
function findCategoryId(categories: string[]): string | undefined {
  let deepest: { id: string; depth: number } | undefined;
  for (const category of categories) {
    if (findCategory(category)) return category;
    const names = category.split(">");
    for (let depth = names.length; depth > (deepest?.depth ?? 0); depth--) {
      const id = categoryIds.get(normalizeName(names[depth - 1] ?? ""));
      if (id) deepest = { id, depth };
    }
  }
  return deepest?.id;
}
