import type { FastifyRequest } from "fastify";
import type { AddVenueParameters } from "../../contract/parameters.ts";
import type { Category, Venue } from "../../contract/resources.ts";
import { addOnce } from "../../harmonize/add/once.ts";
import type { AddRecord } from "../../harmonize/add/record.ts";
import type { Added } from "../../harmonize/add/rules.ts";
import { type MapView, mapOf, type Notice } from "../../http/pages/parts.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import { problemOf } from "../base/directory-problem.ts";
import type { Visit } from "../base/members.ts";
import type { AddForm } from "./add-form.ts";
import { surroundings } from "./place.ts";

export interface FormPage {
  form: AddForm;
  errors?: Record<string, string>;
  notice?: Notice | undefined;
}

export async function formView(web: Web, request: FastifyRequest, visit: Visit, { form, errors = {} }: FormPage) {
  const { categories, missing } = await categoriesFor(web, visit);
  const { center, around } = await surroundings(web, request, visit, form.values.ll);
  return {
    ...{ values: form.values, categories, missing, fieldErrors: errors },
    errors: Object.entries(errors).map(([field, message]) => ({ field, message })),
    map: mapOf({ points: [], around, center, zoom: 16, pick: { lat: "ll", lng: "ll" } }),
  };
}

async function categoriesFor(web: Web, { auth }: Visit): Promise<{ categories: Category[]; missing?: Notice }> {
  try {
    return { categories: await web.directory.categories(auth) };
  } catch (error) {
    return { categories: [], missing: problemOf(error).notice };
  }
}

/** Returns the form's hidden fields after `venues` have been shown. */
export function hiddenFields({ values, seen, ...keys }: AddForm, venues: Venue[]) {
  const all = new Set([...seen, ...venues.map(({ id }) => id)]);
  return { ...values, ...keys, seen: [...all].join(" ") };
}

export const alikeMap = (points: MapView["points"], { ll }: AddVenueParameters): MapView =>
  mapOf({ points: [...points, { ...ll, name: t("The position you entered"), isListing: true }] });

export function addByForm(
  web: Web,
  { auth, member }: Visit,
  record: AddRecord,
  { seen, ignoreDuplicatesKey }: AddForm,
  venue: AddVenueParameters,
): Promise<Added> {
  const wish = { seen, ignoreDuplicatesKey: ignoreDuplicatesKey || undefined, how: "person" } as const;
  return addOnce(web.harmonizer, record, { auth, accountId: member.id, venue, ...wish });
}

export const formIsOld = (): Notice => ({
  kind: "warning",
  heading: t("This form is from before your last log-in."),
  message: t("Please send it again."),
});

/** Shown above a form whose add has no answer: the venue may have been added. */
export const mayBeAdded = (message: string): Notice => ({
  kind: "warning",
  heading: t("The venue may have been added."),
  message,
});
