import { z } from "zod";
import { type AddVenueParameters, addVenueParameters, webAddress } from "../../contract/parameters.ts";
import { withScheme } from "../../harmonize/add/venue.ts";
import { textField } from "../../http/forms.ts";
import { checkParameters } from "../../http/parameters.ts";
import { randomToken } from "../../shared/crypto.ts";
import { pointHelp, typedPoint } from "./typed-place.ts";

const FIELDS = Object.keys(addVenueParameters.shape) as (keyof AddVenueParameters)[];

/** The add form as it was sent: everything typed is kept, whatever comes of it. */
export interface AddForm {
  values: Record<keyof AddVenueParameters, string>;
  /** Made with the form, so that a double click and a reload add once. */
  addKey: string;
  /** From a `duplicate` answer: add all the same. */
  ignoreDuplicatesKey: string;
  /** Ids of the look-alikes that were shown: nobody is asked about the same venue twice. */
  seen: string[];
}

/** Reads the form, or the query string that fills it in. */
export function readForm(source: unknown): AddForm {
  const sent = unpack(textField(source, "form")) ?? source;
  const values = Object.fromEntries(FIELDS.map((name) => [name, textField(sent, name)])) as AddForm["values"];
  const key = textField(sent, "addKey");
  const ignoreDuplicatesKey = textField(sent, "ignoreDuplicatesKey");
  const seen = textField(sent, "seen").split(" ").filter(Boolean);
  const addKey = /^[\w-]{22,64}$/.test(key) ? key : randomToken(24);
  return { values, addKey, ignoreDuplicatesKey, seen };
}

/**
 * The page that shows the form again with all that was typed. In base64url and not as fields: the address also travels
 * as `next` of a log-in, where escapes would be escaped once more and grow beyond what a request can hold.
 */
export const formHref = ({ values, addKey }: Pick<AddForm, "values" | "addKey">): string =>
  `/venues/new?form=${pack({ ...values, addKey })}`;

export const pack = (fields: Record<string, string>): string =>
  Buffer.from(JSON.stringify(fields)).toString("base64url");

function unpack(packed: string): unknown {
  try {
    return JSON.parse(Buffer.from(packed, "base64url").toString());
  } catch {
    return undefined;
  }
}

/** What is asked of the fields of the page: a bare `example.org` is a web address too. */
const typedVenue = addVenueParameters.extend({
  ll: typedPoint,
  url: z.string().transform(withScheme).pipe(webAddress).optional(),
});

/** The parameters of venues/add, or one message a field. */
export function checkForm({ values }: AddForm): {
  venue?: AddVenueParameters;
  errors: Record<string, string>;
} {
  const { value, errors } = checkParameters(typedVenue, values);
  if (value) return { venue: value, errors: {} };
  return {
    errors: Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, fieldHelp(field, message)])),
  };
}

/** The message of the directory beside the field that it begins with, when it does. */
export function fieldAtFault(message: string): Record<string, string> {
  const field = FIELDS.find((name) => message.startsWith(`${name} `));
  return field ? { [field]: fieldHelp(field, message) } : {};
}

/** A message of the interface's parameters, in the words of the page. */
export function fieldHelp(field: string, message: string): string {
  const [, most] = /at most (\d+) characters/.exec(message) ?? [];
  if (most) return `Use at most ${most} characters.`;
  if (message.includes("cannot be stored")) return "Remove the invisible or control characters.";
  if (message.includes("a letter or a digit")) return "Name: use at least one letter or digit.";
  return field === "ll" ? pointHelp(message) : (HELP[field] ?? message);
}

const HELP: Record<string, string> = {
  name: "Give the venue a name.",
  primaryCategoryId: "Pick a category from the list.",
  zip: "Postal code: use letters, digits, spaces and hyphens only, such as 02903.",
  phone: "Phone: write a number of 7 to 15 digits, such as +1 401 555 0100.",
  twitter: "Twitter name: write it as it stands there, such as @samespot.",
  url: "Website: write the whole address, such as https://example.org, without a user name.",
};
