import { createHash } from "node:crypto";
import { z } from "zod";
import { listingAttributes, text, webAddress } from "../../contract/parameters.ts";
import { findCategory, searchCategories } from "../categories/tree.ts";
import { venueColumns } from "../venues/columns.ts";

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
export type VenueRow = (string | number | null | undefined)[];

/** Other names of our columns: those of the Foursquare OS Places release among them. */
const ALIASES: Record<string, string> = {
  fsq_place_id: "id",
  latitude: "lat",
  longitude: "lng",
  lon: "lng",
  locality: "city",
  region: "state",
  postcode: "zip",
  tel: "phone",
  website: "url",
  primaryCategoryId: "category",
};

const degrees = (name: string, limit: number) =>
  z.coerce
    .number(`${name} is not a number`)
    .min(-limit, `${name} is out of range`)
    .max(limit, `${name} is out of range`);

const source = z.object({
  id: text("id", 100).optional(),
  name: text("name", 200).refine((name) => name !== "", "name is empty"),
  lat: degrees("lat", 90),
  lng: degrees("lng", 180),
  ...listingAttributes,
  crossStreet: text("crossStreet", 200).optional(),
  description: text("description", 300).optional(),
  country: z.string().optional(),
  url: z.string().optional(),
  category: z.string().optional(),
});

/**
 * The row of the venue table that a record of a file makes, or what is wrong with it. `file` goes into the venue id
 * (unless `keepIds`), so that importing the same file again finds the same venues.
 */
export function venueRow(
  fields: Record<string, unknown>,
  { file, keepIds }: { file: string; keepIds: boolean },
): { row: VenueRow; problem?: never } | { row?: never; problem: string } {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== "" && (typeof value === "string" || typeof value === "number"))
      given[ALIASES[name] ?? name] = String(value);
  }
  const parsed = source.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) =>
      given[String(path[0])] ? message : `${String(path[0])} is missing`,
    );
    return { problem: [...new Set(wrong)].join("; ") };
  }
  const venue = parsed.data;
  if (keepIds && !/^[\w.:-]{1,64}$/.test(venue.id ?? ""))
    return { problem: "id must be 1 to 64 letters, digits, _ . : -" };
  const id = keepIds ? venue.id : venueId(file, venue.id ?? `${venue.name}|${venue.lat}|${venue.lng}`);
  const { nameNorm, point, phoneNorm } = venueColumns(venue);
  const { name, lat, lng, address, crossStreet, city, state, zip, phone, twitter, description } = venue;
  const cc = /^[A-Za-z]{2}$/.test(venue.country ?? "") ? venue.country?.toUpperCase() : null;
  const url = link(venue.url);
  const row = [id, name, nameNorm, lat, lng, point, address, crossStreet, city, state, zip, cc];
  return { row: [...row, phone, phoneNorm, twitter, url, description, categoryId(venue.category)] };
}

/** A stable 24-hex id for the venue that `file` knows as `sourceId`. */
export function venueId(file: string, sourceId: string): string {
  return createHash("sha256").update(`${file}:${sourceId}`).digest("hex").slice(0, 24);
}

/** Files often give a bare host; whatever is no web address is left out. */
function link(url: string | undefined): string | null {
  const full = url && /^[\w-]+(\.[\w-]+)+(\/|$)/.test(url) ? `http://${url}` : url;
  return webAddress.safeParse(full).data ?? null;
}

/** A category by its id here, or by its exact name. */
function categoryId(category: string | undefined): string | null {
  if (!category) return null;
  const known = findCategory(category);
  if (known) return known.id;
  const name = category.toLowerCase();
  return searchCategories(category).find((found) => found.name.toLowerCase() === name)?.id ?? null;
}
