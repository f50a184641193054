import { type LatLng, listingAttributes, text } from "../../contract/parameters.ts";
import type { AskedFor, Condition } from "../../contract/reconcile-queries.ts";
import type { IncompleteListing } from "../../matching/match-incomplete.ts";
import { findProperty } from "./properties.ts";
import { categoriesOfTypes } from "./types.ts";
import { firstUsable, idOf, pointOf, textOf, valuesOf } from "./values.ts";

/** What a query wants, in the directory's own terms. */
export interface Wanted {
  /** Ids of venues that it gives. */
  ids: string[];
  listing: IncompleteListing;
  /** Where it says to be, in words. */
  place: { city?: string; state?: string; zip?: string; country?: string };
  /** Venues of other categories score lower; undefined for any. */
  categories: Set<string> | undefined;
  /** Conditions that a candidate must meet. */
  required: Condition[];
  limit: number;
}

const USUAL_LIMIT = 5;
const HIGHEST_LIMIT = 50;

/** What a query wants, or why it cannot be answered. */
export function wantedOf({ types, limit, ...asked }: AskedFor): Wanted | { error: string } {
  const conditions = asked.conditions.map((each) => ({ ...each, property: findProperty(each.property)?.id ?? "" }));
  const [name] = valuesOf(conditions, "name").map(textOf).filter(Boolean);
  const checked = text("name", 200).optional().safeParse(name);
  if (!checked.success) return { error: `${checked.error.issues[0]?.message}.` };
  const required = conditions.filter((condition) => condition.required);
  const unknown = required.find(({ property }) => !findProperty(property));
  if (unknown) return { error: "A required condition is on an unknown property: see suggest/property." };
  return {
    ids: valuesOf(conditions, "id").flatMap((value) => idOf(value) ?? []),
    listing: { name: checked.data, ...pointIn(conditions), ...cluesIn(conditions) },
    place: placeIn(conditions),
    categories: categoriesOfTypes(types),
    required,
    limit: Math.min(limit ?? USUAL_LIMIT, HIGHEST_LIMIT),
  };
}

/** One column with both, or one with each. */
function pointIn(conditions: readonly Condition[]): Partial<LatLng> {
  const [both] = valuesOf(conditions, "ll").map(pointOf).filter(Boolean);
  if (both) return both;
  const [lat] = valuesOf(conditions, "lat").map(textOf);
  const [lng] = valuesOf(conditions, "lng").map(textOf);
  return lat && lng ? (pointOf(`${lat},${lng}`) ?? {}) : {};
}

/** What cannot be used is dropped: it only helps to tell venues apart. */
const cluesIn = (conditions: readonly Condition[]) => ({
  address: firstUsable(conditions, "address", listingAttributes.address),
  zip: firstUsable(conditions, "zip", listingAttributes.zip),
  phone: firstUsable(conditions, "phone", listingAttributes.phone),
  twitter: firstUsable(conditions, "twitter", listingAttributes.twitter),
});

function placeIn(conditions: readonly Condition[]): Wanted["place"] {
  const given = {
    city: firstUsable(conditions, "city", listingAttributes.city),
    state: firstUsable(conditions, "state", listingAttributes.state),
    zip: firstUsable(conditions, "zip", listingAttributes.zip),
    country: firstUsable(conditions, "country", listingAttributes.state),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value));
}
