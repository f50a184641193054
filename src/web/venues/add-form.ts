import { z } from "zod";
import { type AddVenueParameters, addVenueParameters, webAddress } from "../../contract/parameters.ts";
import { withScheme } from "../../harmonize/query/corrected.ts";
import { textField } from "../../http/pages/forms.ts";
import { checkInEnglish, errorsInWords } from "../../http/parameters.ts";
import { t } from "../../language/translate.ts";
import { randomToken } from "../../shared/crypto.ts";
import { pointHelp, typedPoint } from "./place.ts";

const FIELDS = Object.keys(addVenueParameters.shape) as (keyof typeof addVenueParameters.shape)[];

export interface AddForm {
  values: Record<keyof typeof addVenueParameters.shape, string>;
  /** Made with the form, so that a double click or a reload adds only once. */
  addKey: string;
  /** From a `duplicate` answer: add anyway. */
  ignoreDuplicatesKey: string;
  /** Ids of the similar venues that the person has seen. */
  seen: string[];
  /** The position (`ll`) that the form was given as an estimate from the address; empty if it was given none. */
  estimated: string;
  /** The position that the form has looked up by the address; empty if it has not. */
  byAddress: string;
}

export function readForm(source: unknown): AddForm {
  const sent = unpack(textField(source, "form")) ?? source;
  const values = Object.fromEntries(FIELDS.map((name) => [name, textField(sent, name)])) as AddForm["values"];
  const key = textField(sent, "addKey");
  const ignoreDuplicatesKey = textField(sent, "ignoreDuplicatesKey");
  const seen = textField(sent, "seen").split(" ").filter(Boolean);
  const addKey = /^[\w-]{22,64}$/.test(key) ? key : randomToken(24);
  const estimated = textField(sent, "estimated");
  const byAddress = textField(sent, "byAddress");
  return { values, addKey, ignoreDuplicatesKey, seen, estimated, byAddress };
}

/**
 * Returns the address of the form with its values. They are packed as base64url, because a log-in's `next` would escape
 * escapes again and make the address too long.
 */
export const formHref = ({ values, addKey, estimated }: Pick<AddForm, "values" | "addKey" | "estimated">): string =>
  `/venues/new?form=${pack({ ...values, addKey, estimated })}`;

export const pack = (fields: Record<string, string>): string =>
  Buffer.from(JSON.stringify(fields)).toString("base64url");

/** Returns undefined if the text is not from pack(). */
export function unpack(packed: string): unknown {
  try {
    return JSON.parse(Buffer.from(packed, "base64url").toString());
  } catch {
    return undefined;
  }
}

/** A bare `example.org` is a web address too. */
export const typedVenue = addVenueParameters.extend({
  ll: typedPoint,
  url: z.string().transform(withScheme).pipe(webAddress).optional(),
});

/** Returns the parameters of venues/add, or one message per field. */
export function checkForm({ values, estimated }: Pick<AddForm, "values"> & Partial<Pick<AddForm, "estimated">>): {
  venue?: AddVenueParameters;
  errors: Record<string, string>;
} {
  const { value, errors } = checkInEnglish(typedVenue, values);
  const isEstimated = values.ll !== "" && values.ll === estimated;
  if (value) return { venue: { ...value, ...(isEstimated && { positionByAddress: "true" }) }, errors: {} };
  return { errors: errorsInWords(errors, fieldHelp) };
}

/** Assigns the directory's message to the field that it begins with, if any. */
export function fieldAtFault(message: string): Record<string, string> {
  const field = FIELDS.find((name) => message.startsWith(`${name} `));
  return field ? { [field]: fieldHelp(field, message) } : {};
}

/** Words a message about the interface's parameters for the page. */
export function fieldHelp(field: string, message: string): string {
  const [, most] = /at most (\d+) characters/.exec(message) ?? [];
  if (most) return t("Use at most {most, number} characters.", { most: Number(most) });
  if (message.includes("U+FFFD")) return t("Replace each \ufffd by the character that was lost.");
  if (message.includes("cannot be stored")) return t("Remove the invisible or control characters.");
  if (message.includes("a letter or a digit")) return t("Name: use at least one letter or digit.");
  return field === "ll" ? pointHelp(message) : (HELP[field]?.() ?? message);
}

const HELP: Record<string, () => string> = {
  name: () => t("Give the venue a name."),
  primaryCategoryId: () => t("Pick a category from the list."),
  zip: () => t("Postal code: use letters, digits, spaces and hyphens only, such as 02903."),
  phone: () => t("Phone: write a number of 7 to 15 digits, such as +1 401 555 0100."),
  twitter: () => t("Twitter name: write it as on Twitter, such as @samespot."),
  url: () => t("Website: write the full address, such as https://example.org, without a user name."),
};
