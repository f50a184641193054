import type { FastifyReply, FastifyRequest } from "fastify";
import { type AddVenueParameters, formatLl } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import { formRecord, interruptedForm } from "../../harmonize/add/form-record.ts";
import { listingOf } from "../../harmonize/add/rules.ts";
import { goTo } from "../../http/pages/notice.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { t } from "../../language/translate.ts";
import { MATCH_CUT } from "../../matching/decide.ts";
import type { Web } from "../base/deps.ts";
import { problemOf } from "../base/directory-problem.ts";
import { connected, type Visit } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { type AddForm, checkForm, fieldAtFault, formHref, readForm } from "./add-form.ts";
import { addByForm, alikeMap, type FormPage, formIsOld, formView, hiddenFields, mayBeAdded } from "./add-page.ts";
import { matchCard } from "./comparison.ts";
import { locateAddress, usable } from "./look.ts";
import { creditsOf, mapPoints, venueHref } from "./view.ts";

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
    "The directory does not know where this address is. It needs house number, street, and the city or postal code. Or click on the map, or write the position.",
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
        message: t("Check it on the map, then add the venue."),
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
    ? t("Only you see and use it until an operator of the directory has approved it. This page shows their answer.")
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
    ...{ addKey: page.form.addKey, estimated: page.form.estimated, byAddress: page.form.byAddress },
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
    ...{ cards, credits: creditsOf(cards), isDuplicate },
    // The primary button chooses a likely venue; otherwise it adds the new one.
    best: isDuplicate || Number(venues[0]?.score) >= MATCH_CUT ? cards[0] : undefined,
    hidden: hiddenFields(form, venues),
    editHref: formHref(form),
    map: alikeMap(mapPoints(cards), venue),
  });
}
