import type { FastifyReply, FastifyRequest } from "fastify";
import { type AddVenueParameters, formatLl, type LatLng } from "../../../contract/parameters.ts";
import type { Venue } from "../../../contract/resources.ts";
import { categoryGuesser } from "../../../harmonize/add/category.ts";
import { listingRecord } from "../../../harmonize/add/record.ts";
import { listingOf } from "../../../harmonize/add/rules.ts";
import { categorySaid } from "../../../harmonize/add/venue.ts";
import { type ReviewListing, reviewListing } from "../../../harmonize/review/listing.ts";
import { lockListing } from "../../../harmonize/review/locks.ts";
import { findHarmonization, type Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { forgedForm, textField } from "../../../http/pages/forms.ts";
import { t } from "../../../language/translate.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { connected, type Visit } from "../../base/members.ts";
import { sendPage } from "../../base/page.ts";
import { addByForm, alikeMap, type FormPage, formIsOld, formView, hiddenFields, mayBeAdded } from "../../venues/add.ts";
import { type AddForm, checkForm, fieldAtFault, readForm } from "../../venues/add-form.ts";
import type { Seen } from "../base/guards.ts";
import { cardsOf, venueOf } from "../review/candidate-cards.ts";
import { fieldsOf, type Queue, queueIn, queueSentBy, reviewHref } from "../review/place.ts";
import { addHref, formOf } from "./form.ts";
import { doubtOf, lockNotice, openAdd, troubleOf } from "./notices.ts";

interface Adding extends Visit {
  h: Harmonization;
  queue: Queue;
  listing: ReviewListing;
}

export async function showAddAsNew(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Seen & Visit) {
  const adding = await addingOf(web, request, visit);
  return sendForm(web, reply, adding, { form: formOf(adding.h, adding.listing, request.query) });
}

/** The same by POST: adds the listing after a search for similar venues (interface, venues/add). */
export async function addAsNew(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Seen & Visit) {
  const adding = await addingOf(web, request, visit);
  const form = readForm(request.body);
  const { venue, errors } = checkForm(form);
  if (!venue) return sendForm(web, reply.code(400), adding, { form, errors });
  if (adding.listing.lockedBy) return sendForm(web, reply.code(409), adding, { form });
  try {
    const doubt = await doubtOf(web, adding, form, venue.ll, textField(request.body, "placed"));
    if (doubt) return await sendForm(web, reply.code(409), adding, { form, notice: doubt, placed: venue.ll });
    return await add(web, reply, adding, form, venue);
  } catch (error) {
    const { status, notice } = troubleOf(error);
    const errors = status === 400 ? fieldAtFault(notice.message) : {};
    return sendForm(web, reply.code(status), adding, { form, errors, notice });
  }
}

/** The address of the form with the values that were sent. */
export const filledIn = (request: FastifyRequest) =>
  addHref(
    { ...(request.params as { id: string; number: string }), queue: queueSentBy(request) },
    readForm(request.body),
  );

/**
 * Returns the handler that shows a form again that must not be acted on; guests log in first. Throws forgedForm() for a
 * listing that does not exist or that they may not see.
 */
export function showAddAsNewAgain(web: Web) {
  return connected(
    web,
    async (_web, request, reply, visit) => {
      const { id } = request.params as { id: string };
      const h = await findHarmonization(web.harmonizer, visit.member, id);
      const adding = h && (await findAdding(web, { ...visit, h, queue: queueIn(request) }, numberOf(request)));
      if (!adding) throw forgedForm();
      return sendForm(web, reply.code(403), adding, { form: readForm(request.body), notice: formIsOld() });
    },
    filledIn,
  );
}

/**
 * Locks the listing for this member, unless somebody else has it.
 *
 * @throws KnownError 404 if there is no such listing
 */
async function addingOf(web: Web, request: FastifyRequest, { h, ...visit }: Seen & Visit): Promise<Adding> {
  const number = numberOf(request);
  await lockListing(web.harmonizer, { h, person: visit.member, number });
  const adding = await findAdding(web, { ...visit, h, queue: queueIn(request) }, number);
  if (!adding) throw notFound(t("There is no such row."));
  return adding;
}

async function findAdding({ harmonizer }: Web, visit: Omit<Adding, "listing">, number: number) {
  const listing = await reviewListing(harmonizer, { h: visit.h, person: visit.member, number });
  return listing && { ...visit, listing };
}

/** Returns 0, which no listing has, if it is not a number. */
function numberOf({ params }: FastifyRequest): number {
  const { number } = params as { number: string };
  return /^[1-9]\d{0,8}$/.test(number) ? Number(number) : 0;
}

async function add(web: Web, reply: FastifyReply, adding: Adding, form: AddForm, venue: AddVenueParameters) {
  const { h, listing, queue } = adding;
  const record = listingRecord(web.harmonizer, { id: h.id, number: listing.number });
  const added = await addByForm(web, adding, record, form, venue);
  if (added.kind === "added" && added.wasAdded && added.venueName !== venue.name) {
    const message = t("This row was already added, as “{name}”. Nothing was added now.", { name: added.venueName });
    return sendForm(web, reply.code(409), adding, { form, notice: { kind: "warning", message } });
  }
  if (added.kind === "added")
    return reply.redirect(reviewHref(h, queue, undefined, { after: String(listing.number) }), 303);
  if (added.kind === "unclear")
    return sendForm(web, reply.code(503), adding, { form, notice: mayBeAdded(added.message) });
  const again = { ...form, ignoreDuplicatesKey: added.ignoreDuplicatesKey ?? form.ignoreDuplicatesKey };
  return sendAlike(reply, adding, again, venue, added.venues);
}

/** @param page `placed` is the position that the person was asked about */
async function sendForm(web: Web, reply: FastifyReply, adding: Adding, page: FormPage & { placed?: LatLng }) {
  const { form, notice, placed } = page;
  const { h, listing } = adding;
  const { missing, ...view } = await formView(web, reply.request, adding, page);
  const { query, candidates } = listing;
  const guess = categoryGuesser(view.categories);
  const known = { name: query?.name ?? "", chosen: listing.categoryId, said: categorySaid(h, listing), candidates };
  const primaryCategoryId = form.values.primaryCategoryId || guess(known)?.id || "";
  const values = { ...form.values, primaryCategoryId };
  const venues = query ? candidates.map((each) => venueOf(each, query.ll)) : [];
  const { cards: alike, credits } = cardsOf({ ...query, name: query?.name ?? "" }, venues);
  return sendPage(reply, adding.member, "harmonize/add/add", {
    title: t("Add as new"),
    ...frameOf(adding),
    ...view,
    form,
    values,
    alike,
    credits,
    cardHref: reviewHref(h, adding.queue, listing.number),
    placed: placed ? formatLl(placed) : textField(reply.request.body, "placed"),
    notice: notice ?? lockNotice(listing) ?? missing ?? openAdd(listing),
    path: `/harmonizations/${h.id}`,
  });
}

const frameOf = ({ h, listing, queue }: Adding) => ({
  run: { id: h.id, name: h.name },
  queue: fieldsOf(queue),
  listing: { number: listing.number, line: listing.line, seen: listing.changedAt?.toISOString() ?? "" },
});

function sendAlike(reply: FastifyReply, adding: Adding, form: AddForm, venue: AddVenueParameters, venues: Venue[]) {
  const { cards, points, credits } = cardsOf(listingOf(venue), venues);
  return sendPage(reply.code(form.ignoreDuplicatesKey ? 409 : 200), adding.member, "harmonize/add/alike", {
    title: t("Is it one of these?"),
    ...frameOf(adding),
    name: form.values.name,
    cards,
    credits,
    editHref: addHref({ id: adding.h.id, number: adding.listing.number, queue: adding.queue }, form),
    path: `/harmonizations/${adding.h.id}`,
    hidden: { ...fieldsOf(adding.queue), ...hiddenFields(form, venues), placed: formatLl(venue.ll) },
    map: alikeMap(points, venue),
  });
}
