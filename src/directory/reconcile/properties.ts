import { formatLl } from "../../contract/parameters.ts";
import type { Cell } from "../../contract/reconcile/reconcile.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { attributesBeginning, meaningOf } from "../../shared/csv/column-names.ts";
import { findCategory } from "../categories/tree.ts";
import type { VenueRow } from "../venues/rows.ts";

export interface Property {
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
