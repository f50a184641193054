import { type LatLng, soughtAttributes } from "../../contract/parameters.ts";
import type { AskedFor, Condition } from "../../contract/reconcile/queries.ts";
import { soughtText } from "../../contract/text.ts";
import type { IncompleteListing } from "../../matching/match-incomplete.ts";
import { findProperty } from "./properties.ts";
import { categoriesOfTypes } from "./types.ts";
import { firstUsable, idOf, pointOf, textOf, valuesOf } from "./values.ts";

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
