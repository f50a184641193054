import { formatLl } from "../../../contract/parameters.ts";
import { attributesOf } from "../../../harmonize/add/venue.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { textField } from "../../../http/forms.ts";
import { type AddForm, pack, readForm } from "../../venues/add-form.ts";

/** The form that `?form=` fills in again, or else one filled in from the listing; its candidates have been looked at. */
export function formOf(h: Harmonization, listing: ReviewListing, source: unknown): AddForm {
  const form = readForm(source);
  if (textField(source, "form")) return form;
  const { ll, ...known } = attributesOf(h, listing);
  const values = { ...form.values, ...known, ll: ll ? formatLl(ll) : "" };
  return { ...form, values, seen: listing.candidates.map(({ id }) => id) };
}

/**
 * The page that shows the form again with all that was typed, as one word: in an address that travels through a log-in
 * every escape would be escaped once more.
 */
export function addHref({ id, number }: { id: string; number: string | number }, form?: AddForm): string {
  const path = `/harmonizations/${encodeURIComponent(id)}/listings/${encodeURIComponent(number)}/add`;
  if (!form) return path;
  const { values, addKey, seen } = form;
  const href = `${path}?form=${pack({ ...values, addKey, seen: seen.join(" ") })}`;
  return href.length <= LONGEST ? href : `${path}?form=${pack({ ...values, addKey })}`;
}

/** The log-in leads back to no longer address; rather somebody is asked once more about what they have seen. */
const LONGEST = 14_000;
