import { formatLl } from "../../../contract/parameters.ts";
import { attributesOf } from "../../../harmonize/add/venue.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { textField } from "../../../http/pages/forms.ts";
import { type AddForm, pack, readForm } from "../../venues/add-form.ts";
import { fieldsOf, type Queue, withQuery } from "../review/place.ts";

/** Returns the form from `?form=`, otherwise from the listing, whose candidates the person has seen. */
export function formOf(h: Harmonization, listing: ReviewListing, source: unknown): AddForm {
  const form = readForm(source);
  if (textField(source, "form")) return form;
  const { ll, ...known } = attributesOf(h, listing);
  const values = { ...form.values, ...known, ll: ll ? formatLl(ll) : "" };
  return { ...form, values, seen: listing.candidates.map(({ id }) => id) };
}

/** Returns the address of the form with its values. They are packed, because a log-in would escape escapes again. */
export function addHref(
  { id, number, queue }: { id: string; number: string | number; queue: Queue | undefined },
  { values, addKey, seen }: AddForm,
): string {
  const path = `/harmonizations/${encodeURIComponent(id)}/listings/${encodeURIComponent(number)}/add`;
  const hrefOf = (form: Parameters<typeof pack>[0]) =>
    withQuery(path, { form: pack(form), ...(queue && fieldsOf(queue)) });
  const href = hrefOf({ ...values, addKey, seen: seen.join(" ") });
  return href.length <= LONGEST ? href : hrefOf({ ...values, addKey });
}

/** The log-in accepts no longer address; without `seen`, the person is asked again about venues they have seen. */
const LONGEST = 14_000;
