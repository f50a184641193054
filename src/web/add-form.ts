import { createHash } from "node:crypto";
import { type AddVenueParameters, addVenueParameters } from "../contract/parameters.ts";
import { randomToken } from "../crypto.ts";
import { textField } from "../http/forms.ts";
import { checkParameters } from "../http/parameters.ts";
import { PLACE_HELP } from "./search.ts";

const FIELDS = Object.keys(addVenueParameters.shape) as (keyof AddVenueParameters)[];

/** The add form as it was sent: everything typed is kept, whatever comes of it. */
export interface AddForm {
  values: Record<keyof AddVenueParameters, string>;
  /** Made with the form, so that a double click and a reload add once. */
  addKey: string;
  /** From a `duplicate` answer: add all the same. */
  ignoreDuplicatesKey: string;
  /** True once the look-alikes were shown and are none of them. */
  isNew: boolean;
  /** Ids of the look-alikes that were shown: nobody is asked about the same venue twice. */
  seen: string[];
}

/** Reads the form, or the query string that fills it in. */
export function readForm(source: unknown): AddForm {
  const values = Object.fromEntries(FIELDS.map((name) => [name, textField(source, name)])) as AddForm["values"];
  const key = textField(source, "addKey");
  const ignoreDuplicatesKey = textField(source, "ignoreDuplicatesKey");
  const seen = textField(source, "seen").split(" ").filter(Boolean);
  const addKey = /^[\w-]{22,64}$/.test(key) ? key : randomToken(24);
  return { values, addKey, ignoreDuplicatesKey, isNew: textField(source, "step") === "add", seen };
}

/** The parameters of venues/add, or one message a field. */
export function checkForm({ values }: AddForm): {
  venue?: AddVenueParameters;
  errors: Record<string, string>;
} {
  const { value, errors } = checkParameters(addVenueParameters, values);
  if (value) return { venue: value, errors: {} };
  if (!values.name.trim()) errors.name = "Give the venue a name.";
  if (errors.ll) errors.ll = PLACE_HELP;
  if (!values.primaryCategoryId) errors.primaryCategoryId = "Pick a category.";
  return { errors };
}

/**
 * The Idempotency-Key of this form with this content: sent again as it is it adds nothing more, and changed by hand
 * after going back it is another venue.
 */
export function idempotencyKey({ addKey }: AddForm, venue: AddVenueParameters): string {
  return createHash("sha256")
    .update(JSON.stringify([addKey, venue]))
    .digest("base64url");
}

/** The page that shows the form again with all that was typed. */
export function formHref({ values }: AddForm): string {
  const typed = Object.entries(values).filter(([, value]) => value !== "");
  return `/venues/new?${new URLSearchParams(typed)}`;
}

/** The message of the directory beside the field that it begins with, when it does. */
export function fieldAtFault(message: string): Record<string, string> {
  const field = FIELDS.find((name) => message.startsWith(`${name} `));
  return field ? { [field]: message } : {};
}
