import { VALUE_NAMES, type ValueName, type Values, venueChanges } from "../../contract/correction-parameters.ts";
import { formatLl } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import { checkInEnglish } from "../../http/parameters.ts";
import { fieldHelp, typedVenue } from "./add-form.ts";
import { pointOf } from "./view.ts";

/** Returns the values of a venue by the names of venues/edit, "" for those that it lacks. */
export function valuesOf(venue: Venue): Record<ValueName, string> {
  const { location, contact, categories, url, description, closed } = venue;
  const point = pointOf(venue);
  return {
    name: venue.name,
    ll: point ? formatLl(point) : "",
    primaryCategoryId: categories?.[0]?.id ?? "",
    address: location?.address ?? "",
    crossStreet: location?.crossStreet ?? "",
    city: location?.city ?? "",
    state: location?.state ?? "",
    zip: location?.postalCode ?? "",
    phone: contact?.formattedPhone ?? contact?.phone ?? "",
    twitter: contact?.twitter ?? "",
    url: url ?? "",
    description: description ?? "",
    closed: String(closed ?? false),
  };
}

const typedChanges = venueChanges.extend(typedVenue.partial().shape);

const REQUIRED: readonly ValueName[] = ["name", "ll", "primaryCategoryId"];

/** Checks the values that were changed. Returns them as the directory takes them, or one message per field. */
export function checkChanges(changes: Values): { wanted?: Values; errors: Record<string, string> } {
  const { value, errors = {} } = checkInEnglish(typedChanges, changes);
  for (const name of REQUIRED) if (changes[name] === "") errors[name] = `${name} is required`;
  if (!value || Object.keys(errors).length > 0)
    return {
      errors: Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, fieldHelp(field, message)])),
    };
  const wanted = VALUE_NAMES.flatMap((name) => {
    if (!(name in changes)) return [];
    const checked = value[name];
    return [[name, typeof checked === "object" ? formatLl(checked) : (checked ?? "")]];
  });
  return { wanted: Object.fromEntries(wanted), errors: {} };
}
