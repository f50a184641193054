import {
  REQUIRED_VALUES,
  VALUE_NAMES,
  type ValueName,
  type Values,
  venueChanges,
} from "../../contract/correction-parameters.ts";
import { formatLl } from "../../contract/parameters.ts";
import { checkParameters } from "../../http/parameters.ts";
import { t } from "../../language/translate.ts";
import { findCategory } from "../categories/tree.ts";
import { storedHandle } from "../venues/columns.ts";
import type { VenueRow } from "../venues/rows.ts";

/** All values of a venue, "" for those that it lacks. */
export const valuesOf = (venue: VenueRow): Record<ValueName, string> => ({
  name: venue.name,
  ll: formatLl(venue),
  primaryCategoryId: venue.categoryId ?? "",
  address: venue.address ?? "",
  crossStreet: venue.crossStreet ?? "",
  city: venue.city ?? "",
  state: venue.state ?? "",
  zip: venue.zip ?? "",
  phone: venue.phone ?? "",
  twitter: venue.twitter ?? "",
  url: venue.url ?? "",
  description: venue.description ?? "",
  closed: String(venue.isClosed),
});

/** Checks values by the rules of venues/add. Returns them as they are stored, or one message per value. */
export function checkValues(
  values: Values,
): { values: Values; errors?: never } | { values?: never; errors: Record<string, string> } {
  const missing = REQUIRED_VALUES.filter((name) => values[name] === "");
  const { value, errors = {} } = checkParameters(venueChanges, values);
  for (const name of missing) errors[name] = t("{name} is required", { name });
  if (value?.primaryCategoryId !== undefined && !findCategory(value.primaryCategoryId))
    errors.primaryCategoryId = t("primaryCategoryId is not a category id. See venues/categories.");
  if (!value || Object.keys(errors).length > 0) return { errors };
  const { ll, twitter, ...rest } = value;
  const stored: { [Name in ValueName]?: string | undefined } = {
    ...rest,
    ll: ll && formatLl(ll),
    twitter: twitter && storedHandle(twitter),
  };
  return {
    values: Object.fromEntries(VALUE_NAMES.flatMap((name) => (name in values ? [[name, stored[name] ?? ""]] : []))),
  };
}
