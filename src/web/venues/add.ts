import type { FastifyReply, FastifyRequest } from "fastify";
import { type AddVenueParameters, formatLl, type LatLng } from "../../contract/parameters.ts";
import type { Category, Venue } from "../../contract/resources.ts";
import { formRecord, interruptedForm } from "../../harmonize/add/form-record.ts";
import { addOnce } from "../../harmonize/add/once.ts";
import type { AddRecord } from "../../harmonize/add/record.ts";
import { type Added, listingOf } from "../../harmonize/add/rules.ts";
import { goTo } from "../../http/pages/forms.ts";
import { type MapView, mapOf, type Notice } from "../../http/pages/parts.ts";
import { t } from "../../language/translate.ts";
import { MATCH_CUT } from "../../matching/decide.ts";
import type { Web } from "../base/deps.ts";
import { connected, type Visit } from "../base/members.ts";
import { problemOf, sendPage } from "../base/page.ts";
import { type AddForm, checkForm, fieldAtFault, formHref, readForm } from "./add-form.ts";
import { certaintyOf, matchCard } from "./match-card.ts";
import { ignoreUnlessRefused, pointsAround, surroundings, typedPoint } from "./place.ts";
import { creditsOf, mapPoints, suggestionOf, venueHref } from "./view.ts";

export async function showAddForm(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  return sendForm(web, reply, visit, { form: readForm(request.query), notice: await interrupted(web, visit) });
}

/** `POST /venues`: searches first, and adds if there is no such venue (interface, venues/add). */
export async function addVenue(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const form = readForm(request.body);
  try {
    const found = await foundByAddress(web, visit, form);
    if (found) return await sendForm(web, reply.code(found.errors ? 400 : 200), visit, found);
    const { venue, errors } = checkForm(form);
    if (!venue) return await sendForm(web, reply.code(400), visit, { form, errors });
    return await add(web, reply, visit, form, venue);
  } catch (error) {
    const { status, notice } = problemOf(error);
    const errors = status === 400 ? fieldAtFault(notice.message) : {};
    return sendForm(web, reply.code(status), visit, { form, errors, notice });
  }
}

/** Returns the form with the position of its address, to be checked on the map; undefined if a position was sent. */
async function foundByAddress(web: Web, visit: Visit, form: AddForm): Promise<FormPage | undefined> {
  if (form.values.ll.trim() !== "") return undefined;
  const found = await locateAddress(web, visit, usable(form.values));
  if (!found) return { form, errors: { ...checkForm(form).errors, ll: notPlaced(form.values) } };
  const ll = formatLl(found);
  const placed = { ...form, values: { ...form.values, ll }, estimated: found.estimated ? ll : "", byAddress: ll };
  return { form: placed, notice: placedByAddress(found.estimated) };
}

const notPlaced = ({ address }: AddForm["values"]) => (address.trim() ? addressNotFound() : placeNeeded());

const placeNeeded = () =>
  t(
    "Where is it? Give the street and number with the city or postal code, click on the map, or write latitude, longitude, such as 41.8240, -71.4128.",
  );

const addressNotFound = () =>
  t(
    "The directory cannot locate this address. Check that it has the house number, the street, and the city or postal code. Or click the map, or type the position.",
  );

const placedByAddress = (isEstimated: boolean): Notice =>
  isEstimated
    ? {
        kind: "warning",
        heading: t("The position is estimated from the neighbouring house numbers."),
        message: t("Move the pin if it is not right, then add the venue."),
      }
    : {
        kind: "info",
        heading: t("The position was found from the address."),
        message: t("Check the position on the map, then add the venue."),
      };

/** The address of the form with the values that were sent. */
export const filledIn = (request: FastifyRequest) => formHref(readForm(request.body));

/** Returns the handler that shows a form again that must not be acted on; guests log in first. */
export function showFormAgain(web: Web) {
  return connected(
    web,
    (_web, request, reply, visit) =>
      sendForm(web, reply.code(403), visit, { form: readForm(request.body), notice: formIsOld() }),
    filledIn,
  );
}

async function add(web: Web, reply: FastifyReply, visit: Visit, form: AddForm, venue: AddVenueParameters) {
  const record = formRecord(web.harmonizer, { accountId: visit.member.id, formKey: form.addKey, venue });
  const added = await addByForm(web, visit, record, form, venue);
  if (added.kind === "added") return goTo(reply, venueHref(added.venueId), isAdded(added));
  if (added.kind === "unclear")
    return sendForm(web, reply.code(503), visit, { form, notice: mayBeAdded(added.message) });
  const again = { ...form, ignoreDuplicatesKey: added.ignoreDuplicatesKey ?? form.ignoreDuplicatesKey };
  return sendCandidates(reply.code(added.ignoreDuplicatesKey ? 409 : 200), visit, again, venue, added.venues);
}

const isAdded = ({ isHeld }: { isHeld?: boolean | undefined }): Notice => ({
  kind: "success",
  heading: t("Added."),
  message: isHeld
    ? t(
        "Only you can see and use this venue until an operator of the directory approves it. This page shows their answer.",
      )
    : t("The venue is in the directory and can be found."),
});

/** Reports an add without a known result; sending its form again finds out (attacks F03). */
async function interrupted(web: Web, { member }: Visit): Promise<Notice | undefined> {
  const open = await interruptedForm(web.harmonizer, member.id);
  if (!open) return undefined;
  const { formKey: addKey, venue } = open;
  const ll = formatLl(venue.ll);
  const { values, estimated } = readForm({ ...venue, ll, estimated: venue.positionByAddress ? ll : "" });
  return {
    ...mayBeAdded(t("Adding “{name}” was interrupted. Nothing is added twice.", { name: venue.name })),
    link: {
      href: web.config.web.url + formHref({ values, addKey, estimated }),
      label: t("Open its form and send it again"),
    },
  };
}

async function sendForm(web: Web, reply: FastifyReply, visit: Visit, page: FormPage) {
  const { missing, ...view } = await formView(web, reply.request, visit, page);
  return sendPage(reply, visit.member, "venues/new", {
    title: t("Add a venue"),
    ...view,
    isFresh: Object.values(page.form.values).every((value) => value === ""),
    addKey: page.form.addKey,
    estimated: page.form.estimated,
    byAddress: page.form.byAddress,
    notice: page.notice ?? missing,
    path: "/venues/new",
  });
}

function sendCandidates(reply: FastifyReply, visit: Visit, form: AddForm, venue: AddVenueParameters, venues: Venue[]) {
  const listing = listingOf(venue);
  const cards = venues.map((each) => matchCard(listing, each));
  const isDuplicate = form.ignoreDuplicatesKey !== "";
  return sendPage(reply, visit.member, "venues/candidates", {
    title: t("Is it one of these?"),
    path: "/venues/new",
    name: form.values.name,
    cards,
    credits: creditsOf(cards),
    isDuplicate,
    // The primary button chooses a likely venue; otherwise it adds the new one.
    best: isDuplicate || Number(venues[0]?.score) >= MATCH_CUT ? cards[0] : undefined,
    hidden: hiddenFields(form, venues),
    editHref: formHref(form),
    map: alikeMap(mapPoints(cards), venue),
  });
}

export interface FormPage {
  form: AddForm;
  errors?: Record<string, string>;
  notice?: Notice | undefined;
}

export async function formView(web: Web, request: FastifyRequest, visit: Visit, { form, errors = {} }: FormPage) {
  const { categories, missing } = await categoriesFor(web, visit);
  const { ll, city, zip } = form.values;
  const typed = [ll, city && nearOf(form.values), zip];
  const { center, around } = await surroundings(web, request, visit, typed);
  return {
    values: form.values,
    categories,
    missing,
    fieldErrors: errors,
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

const MOST = 3;
const PERHAPS = 0.2;

/**
 * `/venues/new/look?name=&ll=&address=…`, while the form is filled in. Answers JSON: `venues` that look alike; `isSearched`,
 * whether they were looked for; `position`, that of the address, unless `ll` was given; `around`, the venues around as
 * [lat, lng, name]. Unusable fields count as empty; if the directory fails, nothing is found.
 */
export async function lookWhileTyping(web: Web, request: FastifyRequest, reply: FastifyReply, { auth }: Visit) {
  const { values } = readForm(request.query);
  return reply.send((await look(web, { auth }, values).catch(ignoreUnlessRefused)) ?? { venues: [] });
}

async function look(web: Web, visit: Pick<Visit, "auth">, values: AddForm["values"]) {
  const fields = usable(values);
  const position = values.ll ? undefined : await locateAddress(web, visit, fields);
  const ll = position ?? typedPoint.safeParse(values.ll).data;
  const [venues, around] = await Promise.all([alikeWith(web, visit, fields, ll), pointsAround(web, visit, ll)]);
  return {
    venues: venues ?? [],
    isSearched: venues !== undefined,
    position: position && { ll: formatLl(position), estimated: position.estimated },
    around: around.map(({ lat, lng, name }) => [lat, lng, name]),
  };
}

/** Returns undefined if name or place is missing, or if the directory fails. */
async function alikeWith(web: Web, { auth }: Pick<Visit, "auth">, fields: Fields, ll: LatLng | undefined) {
  const { name, address, city, state, zip, phone, twitter } = fields;
  const near = nearOf(fields);
  if (!name || !(ll || near)) return undefined;
  const listing = { name, address, city, state, zip, phone, twitter, ...(ll ? { ll } : { near }) };
  const found = await web.directory
    .matchVenues(auth, listing, { minScore: PERHAPS, limit: MOST })
    .catch(ignoreUnlessRefused);
  return found?.venues
    .slice(0, MOST)
    .map((venue) => ({ ...suggestionOf(venue), certainty: certaintyOf(venue.score)?.words }));
}

type Fields = Partial<Record<keyof AddForm["values"], string>>;

/** Leaves out what is empty or what the form would refuse. */
function usable(values: AddForm["values"]): Fields {
  const { errors } = checkForm({ values });
  return Object.fromEntries(Object.entries(values).filter(([field, value]) => value && !(field in errors)));
}

/** Returns where the address is, by the directory's own venues; undefined if the usable fields have too little of it. */
async function locateAddress(web: Web, { auth }: Pick<Visit, "auth">, fields: Fields) {
  const { address } = fields;
  const near = nearOf(fields);
  const found = address && near && (await web.directory.locate(auth, { address, near }));
  return found ? { ...rounded(found), estimated: found.estimated } : undefined;
}

const nearOf = ({ city, state, zip }: Fields): string | undefined =>
  city ? [city, state].filter(Boolean).join(", ") : zip;

const rounded = ({ lat, lng }: LatLng): LatLng => ({ lat: Number(lat.toFixed(6)), lng: Number(lng.toFixed(6)) });
