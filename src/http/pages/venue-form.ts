import { VALUE_NAMES, type ValueName, type Values } from "../../contract/correction-parameters.ts";
import type { LatLng } from "../../contract/parameters.ts";
import { categoryName } from "../../language/names.ts";
import { t } from "../../language/translate.ts";
import { textField } from "./forms.ts";
import type { Notice } from "./parts.ts";

export const valueLabels = (): Record<ValueName, string> => ({
  name: t("Name"),
  ll: t("Position"),
  primaryCategoryId: t("Category"),
  address: t("Street and number"),
  crossStreet: t("Cross street"),
  city: t("City"),
  state: t("State or province"),
  zip: t("Postal code"),
  phone: t("Phone"),
  twitter: t("Twitter name"),
  url: t("Website"),
  description: t("Description"),
  closed: t("Status"),
});

/** @param nameOf returns the English name of a category */
export function valueInWords(name: ValueName, value: string, nameOf: (id: string) => string | undefined): string {
  if (name === "closed") return closedInWords(value === "true");
  if (value === "") return noValue(name);
  const category = name === "primaryCategoryId" ? nameOf(value) : undefined;
  return category ? categoryName(category) : value;
}

export const closedInWords = (isClosed: boolean): string =>
  t("{closed, select, true {Closed for good} other {Open}}", { closed: String(isClosed) });

/** @param field decides on the gender in other languages; a name of venues/edit, or a column */
export const noValue = (field: string): string => t("{field, select, other {none}}", { field });

/** Reads the values of a form, in which browsers send CRLF. */
export const typedValues = (body: unknown): Values =>
  Object.fromEntries(VALUE_NAMES.map((name) => [name, textField(body, name).replace(/\r\n?/g, "\n").trim()]));

/** Above a form whose values were changed by somebody else since it was opened. */
export const changedMeanwhile = (): Notice => ({
  kind: "warning",
  heading: t("Somebody else changed this venue."),
  message: t("Below are your values and the current ones. Send the form again to replace the current ones."),
});

/** Returns a message for each value that was changed meanwhile, from rebased(). */
export function presentValues(conflicts: Values, nameOf: (id: string) => string | undefined): Record<string, string> {
  const labels = valueLabels();
  return Object.fromEntries(
    VALUE_NAMES.flatMap((name) => {
      const value = conflicts[name];
      if (value === undefined) return [];
      const now = valueInWords(name, value, nameOf);
      return [[name, t("{label} is now: {now}", { label: labels[name], now })]];
    }),
  );
}

/** @param isByAddress whether it was only estimated from the address */
export function positionInWords({ lat, lng }: LatLng, isByAddress: boolean | undefined): string {
  const position = `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
  return isByAddress ? t("{position} (estimated from the address)", { position }) : position;
}

/** Reads the id of a venue from what was typed: the id, or the address of the venue's page. */
export function venueIdIn(typed: string): string {
  const [, id = typed.trim()] = /\/venues\/([^/?#\s]+)/.exec(typed) ?? [];
  return id.replaceAll("%3A", ":");
}
