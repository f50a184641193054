import type { Json } from "./schemas.ts";

/*
 * What this directory's answers always have (wire-format 1, 6, 9, 10). The schemas of the contract demand less, because they
 * also read the answers of other directories.
 */

const COMPACT_VENUE = ["contact", "location", "categories", "verified", "stats", "referralId"];

/** By component, then by its property that holds the object; "" for the component itself. */
const PROMISED: Record<string, Record<string, string[]>> = {
  Meta: { "": ["requestId"] },
  Venue: {
    "": COMPACT_VENUE,
    location: ["lat", "lng", "formattedAddress", "labeledLatLngs"],
    stats: ["checkinsCount", "usersCount", "tipCount"],
  },
  VenueCategory: { "": ["pluralName", "shortName", "icon"] },
  Category: { "": ["pluralName", "shortName", "icon", "categories"] },
  Checkin: { "": ["timeZoneOffset", "venue", "type", "photos", "comments", "posts", "likes", "like", "isMayor"] },
  VenuesSearchResponse: { "": ["confident"] },
  UsersIdResponse: {
    user: ["handle", "relationship", "type", "photo", "contact", "checkins", "friends", "createdAt"],
  },
};

/** @throws RangeError for a promise that the schema does not know */
export function withPromises(schemas: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      Object.entries(PROMISED[name] ?? {}).reduce((whole, [part, names]) => promise(whole, part, names), schema),
    ]),
  );
}

function promise(schema: Json, part: string, names: string[]): Json {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  if (part !== "") {
    const inner = properties[part];
    if (!inner) throw new RangeError(`The documentation promises something of ${part}, which does not exist.`);
    return { ...schema, properties: { ...properties, [part]: promise(inner, "", names) } };
  }
  const unknown = names.find((name) => !(name in properties));
  if (unknown) throw new RangeError(`The documentation promises ${unknown}, which does not exist.`);
  return { ...schema, required: [...new Set([...required, ...names])] };
}
