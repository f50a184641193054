import { createHash } from "node:crypto";
import { z } from "zod";
import { listingAttributes, text, textInLines, venueName, webAddress } from "../../contract/parameters.ts";
import { normalizeName } from "../../matching/normalize.ts";
import { allCategories, findCategory } from "../categories/tree.ts";
import { venueColumns } from "../venues/columns.ts";
import { VENUE_ID } from "../venues/find.ts";

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

/** `leftOut` names the attributes whose values cannot be stored. */
export type MadeRow =
  | { row: VenueRow; leftOut: Attribute[]; problem?: never }
  | { row?: never; leftOut?: never; problem: string };

/**
 * The row of the venue table that a record of a file makes, or what is wrong with it. A venue needs a name and a point;
 * any other attribute that cannot be stored is left out. `file` goes into the venue id (unless `keepIds`), so that
 * importing the same file again finds the same venues.
 */
export function venueRow(
  fields: Record<string, unknown>,
  { file, keepIds }: { file: string; keepIds: boolean },
): MadeRow {
  const closed = given(fields.dateclosed);
  if (closed) return { problem: `is closed since ${closed.slice(0, 30)}` };
  const needed = { id: given(fields.id), name: given(fields.name), lat: given(fields.lat), lng: given(fields.lng) };
  const { data: venue, error } = spot.safeParse(needed);
  if (!venue) return { problem: describe(error, needed) };
  if (keepIds && !VENUE_ID.test(venue.id ?? "")) return { problem: "id must be 1 to 64 letters, digits, _ . : -" };
  const { name, lat, lng } = venue;
  const id = keepIds && venue.id ? venue.id : venueId(file, venue.id ?? `${name}|${lat}|${lng}`);
  const { values: v, leftOut } = attributesOf(fields);
  const { nameNorm, point, phoneNorm } = venueColumns({ name, lat, lng, phone: v.phone });
  const where = [v.address, v.crossStreet, v.city, v.state, v.zip, v.country];
  const rest = [v.phone, phoneNorm, v.twitter, v.url, v.description, v.category];
  return { row: [id, name, nameNorm, lat, lng, point, ...where, ...rest], leftOut };
}

/** A stable 24-hex id for the venue that `file` knows as `sourceId`. */
export function venueId(file: string, sourceId: string): string {
  return createHash("sha256").update(`${file}:${sourceId}`).digest("hex").slice(0, 24);
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
  category: z.string().transform(categoryId).pipe(z.string()),
};
type Attribute = keyof typeof attributes;
const ATTRIBUTES = Object.entries(attributes) as [Attribute, z.ZodType<string | undefined>][];

function attributesOf(fields: Record<string, unknown>) {
  const values = {} as Record<Attribute, string | null>;
  const leftOut: Attribute[] = [];
  for (const [name, schema] of ATTRIBUTES) {
    const value = given(fields[name]);
    const { success, data } = value === undefined ? { success: true, data: null } : schema.safeParse(value);
    values[name] = data || null;
    if (!success) leftOut.push(name);
  }
  return { values, leftOut };
}

/** A value as text; of a list the first. Undefined for nothing, and for what is neither text nor number. */
function given(value: unknown): string | undefined {
  if (Array.isArray(value)) return given(value[0]);
  return (typeof value === "string" && value.trim() !== "") || typeof value === "number" ? String(value) : undefined;
}

const categoryIds = new Map(
  allCategories
    .toReversed() // where two share a name, the one that stands first in the tree wins
    .flatMap(({ id, name, pluralName, shortName }) =>
      [shortName, pluralName, name].map((each): [string, string] => [normalizeName(each), id]),
    ),
);

/** A category by its id here or by its name; of a path like "Dining and Drinking > Café" by the last name we know. */
function categoryId(category: string): string | undefined {
  if (findCategory(category)) return category;
  const names = category.split(">").toReversed().map(normalizeName);
  return names.map((name) => categoryIds.get(name)).find((id) => id !== undefined);
}
