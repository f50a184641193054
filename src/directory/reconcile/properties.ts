import type { Pool } from "pg";
import { formatLl } from "../../contract/parameters.ts";
import type { Cell, ExtendQuery } from "../../contract/reconcile.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { attributesBeginning, meaningOf } from "../../shared/csv/column-names.ts";
import {
  allCategories,
  type Category,
  categoryPath,
  categoryTree,
  descendantIds,
  findCategory,
  searchCategories,
} from "../categories/tree.ts";
import { findVenues, VENUE_ID } from "../venues/find.ts";
import type { VenueRow } from "../venues/rows.ts";

interface Property {
  id: string;
  name: string;
  description: string;
  values: (venue: VenueRow) => Cell[];
}

const texts = (text: string | null | undefined): Cell[] => (text ? [{ str: text }] : []);

const COMPARED = "For matching and fetching";
const FETCHED = "For fetching";

/** In the order of proposals. The category is text, because this service has no category entities. */
export const PROPERTIES: readonly Property[] = [
  property("ll", "Position", `${COMPARED}: "latitude,longitude" in degrees. The best property for matching`, (venue) =>
    texts(formatLl(venue)),
  ),
  property("lat", "Latitude", `${COMPARED}, together with lng`, ({ lat }) => [{ float: lat }]),
  property("lng", "Longitude", `${COMPARED}, together with lat`, ({ lng }) => [{ float: lng }]),
  property("phone", "Telephone", COMPARED, ({ phone }) => texts(phone)),
  property("address", "Street address", COMPARED, ({ address }) => texts(address)),
  property("city", "City", COMPARED, ({ city }) => texts(city)),
  property("state", "State or province", COMPARED, ({ state }) => texts(state)),
  property("zip", "Postal code", COMPARED, ({ zip }) => texts(zip)),
  property("country", "Country", `${COMPARED}: its name or two-letter code`, ({ cc }) => texts(cc)),
  property("twitter", "Twitter name", COMPARED, ({ twitter }) => texts(twitter)),
  property("id", "Venue id", `${COMPARED}: in this directory`, ({ id }) => texts(id)),
  property("name", "Name", FETCHED, ({ name }) => texts(name)),
  property("category", "Category", FETCHED, ({ categoryId }) => texts(categoryId && findCategory(categoryId)?.name)),
  property("categoryId", "Category id", FETCHED, ({ categoryId }) => texts(categoryId)),
  property("crossStreet", "Cross street", FETCHED, ({ crossStreet }) => texts(crossStreet)),
  property("url", "Website", FETCHED, ({ url }) => texts(url)),
  property("description", "Description", FETCHED, ({ description }) => texts(description)),
  property("checkinsCount", "Check-ins", FETCHED, ({ checkinsCount }) => [{ int: checkinsCount }]),
  property("createdAt", "Added to the directory", FETCHED, ({ createdAt }) => [
    { date: new Date(createdAt * 1000).toISOString() },
  ]),
];

/** The name "id" is not taken for a venue id. */
export function findProperty(id: string): Property | undefined {
  const called = meaningOf(id)?.field;
  return withId(id) ?? (called === "id" ? undefined : withId(called));
}

const withId = (id: string | undefined) => PROPERTIES.find((each) => each.id === id);

export const describeProperty = ({ id, name, description }: Property) => ({ id, name, description });

/** Orders by exact id or name, then by the beginnings of words, then by those of other names ("coord", "Breite"). */
export function suggestProperties(prefix: string): Property[] {
  if (prefix.trim() === "") return [...PROPERTIES];
  const wanted = normalizeName(prefix);
  const begins = (text: string) => wanted !== "" && ` ${normalizeName(text)}`.includes(` ${wanted}`);
  const called: ReadonlySet<string> = attributesBeginning(prefix);
  return [
    ...new Set([
      ...PROPERTIES.filter(({ id }) => id.toLowerCase() === prefix.trim().toLowerCase()),
      ...PROPERTIES.filter((each) => each === findProperty(prefix)),
      ...PROPERTIES.filter(({ id, name }) => begins(id) || begins(name)),
      ...PROPERTIES.filter(({ id }) => called.has(id)),
    ]),
  ];
}

function property(id: string, name: string, description: string, values: Property["values"]): Property {
  return { id, name, description, values };
}

interface Extension {
  meta: { id: string; name: string }[];
  rows: { id: string; properties: { id: string; values: Cell[] }[] }[];
}

export async function extend(pool: Pool, query: ExtendQuery): Promise<Extension> {
  const ids = [...new Set(query.ids)];
  const properties = [...new Set(query.properties.map(({ id }) => id))];
  const venues = await findVenues(
    pool,
    ids.filter((id) => VENUE_ID.test(id)),
  );
  return {
    meta: properties.map((id) => ({ id, name: findProperty(id)?.name ?? (id || "?") })),
    rows: ids.map((id) => {
      const venue = venues.get(id);
      const valuesOf = (property: string) => (venue && findProperty(property)?.values(venue)) ?? [];
      return { id, properties: properties.map((property) => ({ id: property, values: valuesOf(property) })) };
    }),
  };
}

interface Type {
  id: string;
  name: string;
  description?: string;
  broader?: { id: string; name: string }[];
}

/** The type of all venues, for clients that require one. */
const ANY: Type = { id: "venue", name: "Venue", description: "Any kind of place" };

export const defaultTypes: Type[] = [ANY, ...categoryTree.map(typeOf)];

type Categorized = { categoryId: string | null };
type Named = { id: string; name: string };
const named = ({ id, name }: Named): Named => ({ id, name });

/**
 * OpenRefine preselects the most frequent type of a sample and, of several, the first. With "any venue" first, it
 * matches a mixed column with any type.
 */
export function typesOfVenue({ categoryId }: Categorized): Named[] {
  return [ANY, ...categoryPath(categoryId ?? "").toReversed()].map(named);
}

export function categoryOfVenue({ categoryId }: Categorized): Named[] {
  return categoryPath(categoryId ?? "")
    .slice(-1)
    .map(named);
}

/** Returns undefined for any type, or if no type is known. People type names of categories instead of ids. */
export function categoriesOfTypes(types: readonly string[]): Set<string> | undefined {
  if (types.some((type) => type.toLowerCase() === ANY.id)) return undefined;
  const categories = types.flatMap((type) => (findCategory(type) ? [{ id: type }] : searchCategories(type)));
  return categories.length > 0 ? new Set(categories.flatMap(({ id }) => descendantIds(id))) : undefined;
}

export function suggestTypes(prefix: string): Type[] {
  const wanted = normalizeName(prefix);
  const all: { type: Type; names: string }[] = [
    { type: ANY, names: "venue" },
    ...allCategories.map((category) => ({ type: typeOf(category), names: spellings(category) })),
  ];
  const byId = all.filter(({ type }) => type.id === prefix.trim());
  const byName = all.filter((each) => !byId.includes(each) && ` ${each.names}`.includes(` ${wanted}`));
  const begins = ({ names }: { names: string }) => Number(names.startsWith(wanted));
  const isAsked = prefix.trim() === "" || wanted !== "";
  return [...byId, ...(isAsked ? byName.sort((a, b) => begins(b) - begins(a)) : [])].map(({ type }) => type);
}

function typeOf(category: Category): Type {
  const above = categoryPath(category.id).slice(0, -1);
  const { id, name } = above.at(-1) ?? ANY;
  return {
    id: category.id,
    name: category.name,
    ...(above.length > 0 && { description: above.map((each) => each.name).join(" › ") }),
    broader: [{ id, name }],
  };
}

const spellings = ({ name, pluralName, shortName }: Category): string =>
  [name, pluralName, shortName].map(normalizeName).join(" ");
