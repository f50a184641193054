import { visibleIn } from "../../../files/row/row.ts";
import { textOf } from "../../../harmonize/query/corrected.ts";
import { type Mend, type MendErrors, pointInFile } from "../../../harmonize/query/mend.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import { isMendable } from "../../../harmonize/review/mend.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { TEXT_FIELDS, type TextField } from "../../../harmonize/run/rows.ts";
import type { Field } from "../../../http/pages/parts.ts";
import { fieldNames } from "../draft/form.ts";

/** What was typed into the form of corrections, and is wrong with it. */
export interface AskedMend {
  typed: Mend;
  errors: MendErrors;
}

/** Ids of inputs in views/harmonize/review/mend.eta. */
export const MEND_PICK = { lat: "mend-lat", lng: "mend-lng" };

/** Shown also if no column of the file has them. */
const ALWAYS: readonly TextField[] = ["address", "city", "state", "zip", "phone"];

/** The form that corrects a listing; undefined for those that cannot be corrected. */
export function mendView(listing: ReviewListing, h: Harmonization, asked: AskedMend | undefined) {
  if (!isMendable(listing) || listing.lockedBy) return undefined;
  const { typed, errors } = asked ?? { typed: asItIs(listing, h), errors: {} as MendErrors };
  const names = fieldNames();
  const shown = TEXT_FIELDS.filter(
    (field) => ALWAYS.includes(field) || field in h.columns || typed[field] !== undefined,
  );
  const texts = shown.map((field): Field => {
    const shownAs = { name: field, id: `mend-${field}`, label: names[field], attributes: { autocomplete: "off" } };
    const value = typed[field] ?? textIn(listing, h, field);
    return {
      ...shownAs,
      value,
      ...(errors[field] && { error: errors[field] }),
      ...(field === "description" && { rows: 3 }),
    };
  });
  return { typed, errors, texts, isOpen: Boolean(asked) || listing.status === "failed" };
}

export type MendView = NonNullable<ReturnType<typeof mendView>>;

function asItIs(listing: ReviewListing, h: Harmonization): Mend {
  const { name, ll } = listing.query ?? { name: undefined, ll: pointInFile(listing.cells, h) };
  const [lat = "", lng = ""] = ll ? [ll.lat, ll.lng].map((degrees) => String(+degrees.toFixed(6))) : [];
  return { ...listing.query?.mended?.now, name: name ?? textIn(listing, h, "name"), lat, lng };
}

const textIn = (listing: ReviewListing, h: Harmonization, field: TextField | "name"): string =>
  visibleIn(textOf(listing, h, field));
