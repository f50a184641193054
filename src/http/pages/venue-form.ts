import { VALUE_NAMES, type ValueName, type Values } from "../../contract/correction-parameters.ts";
import { textField } from "./forms.ts";

export const VALUE_WORDS: Record<ValueName, string> = {
  name: "Name",
  ll: "Position",
  primaryCategoryId: "Category",
  address: "Street and number",
  crossStreet: "Cross street",
  city: "City",
  state: "State or province",
  zip: "Postal code",
  phone: "Phone",
  twitter: "Twitter name",
  url: "Website",
  description: "Description",
  closed: "Status",
};

/** Returns a value as text: "none" if there is none. */
export function valueInWords(name: ValueName, value: string, categoryName: (id: string) => string | undefined): string {
  if (name === "closed") return value === "true" ? "Closed for good" : "Open";
  if (value === "") return "none";
  return (name === "primaryCategoryId" && categoryName(value)) || value;
}

/** Reads the values of a form, in which browsers send CRLF. */
export const typedValues = (body: unknown): Values =>
  Object.fromEntries(VALUE_NAMES.map((name) => [name, textField(body, name).replace(/\r\n?/g, "\n").trim()]));

/** Above a form whose values were changed by somebody else since it was opened. */
export const CHANGED_MEANWHILE = {
  kind: "warning",
  heading: "Somebody else changed this venue.",
  message: "Below is what you typed, and what is there now. Send the form again to replace that.",
} as const;

/** Returns a message for each value that was changed meanwhile, from rebased(). */
export const presentValues = (conflicts: Values, categoryName: (id: string) => string | undefined) =>
  Object.fromEntries(
    VALUE_NAMES.flatMap((name) => {
      const value = conflicts[name];
      return value === undefined
        ? []
        : [[name, `${VALUE_WORDS[name]} is now: ${valueInWords(name, value, categoryName)}`]];
    }),
  ) as Record<string, string>;
