import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AddVenueParameters } from "../../contract/parameters.ts";
import type { Category, Venue } from "../../contract/resources.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import { goTo, type Notice } from "../../http/notice.ts";
import type { Web } from "../base/deps.ts";
import { problemOf } from "../base/directory-problem.ts";
import { connectedOnly, type Visit } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { type AddForm, checkForm, fieldAtFault, formHref, idempotencyKey, readForm } from "./add-form.ts";
import { LIKELY, matchCard, WORTH_A_LOOK } from "./comparison.ts";
import { surroundings } from "./place.ts";
import { mapPoints, venueHref } from "./view.ts";

/** `/venues/new` and `POST /venues`: look first, add when there is no such venue yet (interface, venues/add). */
export function registerAdd(app: FastifyInstance, web: Web): void {
  const showForm = connectedOnly(web, async (request, reply, visit) => {
    return sendForm(web, reply, visit, { form: readForm(request.query) });
  });
  app.get("/venues/new", showForm);

  const submit = connectedOnly(
    web,
    async (request, reply, visit) => {
      const form = readForm(request.body);
      const { venue, errors } = checkForm(form);
      if (!venue) return sendForm(web, reply.code(400), visit, { form, errors });
      try {
        return await lookThenAdd(web, reply, visit, form, venue);
      } catch (error) {
        const { status, notice } = problemOf(error);
        const errors = status === 400 ? fieldAtFault(notice.message) : {};
        return sendForm(web, reply.code(status), visit, { form, errors, notice });
      }
    },
    filledIn,
  );
  app.post("/venues", submit);
}

/** Where the form that was sent is filled in again. */
const filledIn = (request: FastifyRequest) => formHref(readForm(request.body));

/** Answers a `POST /venues` that must not be acted on with its form; for guests after they have logged in. */
export function showFormAgain(web: Web) {
  const heading = "This form is from before your last log-in.";
  const notice = { kind: "warning", heading, message: "Please send it once more." };
  return connectedOnly(
    web,
    (request, reply, visit) => sendForm(web, reply.code(403), visit, { form: readForm(request.body), notice }),
    filledIn,
  );
}

async function lookThenAdd(web: Web, reply: FastifyReply, visit: Visit, form: AddForm, venue: AddVenueParameters) {
  const { venues: alike } = form.isNew
    ? { venues: [] }
    : await web.directory.matchVenues(visit.auth, listingOf(venue), { minScore: WORTH_A_LOOK });
  // A likely one may be what this very form added: a double click, a reload, the back button. Then the directory answers
  // with it, told by the key; otherwise it refuses to add beside it.
  const isLikely = alike.some(({ score = 0 }) => score >= LIKELY);
  if (alike.length > 0 && !isLikely) return sendCandidates(reply, visit, form, venue, alike);
  try {
    const added = await web.directory.addVenue(visit.auth, venue, {
      idempotencyKey: idempotencyKey(form, venue),
      ignoreDuplicatesKey: form.ignoreDuplicatesKey || undefined,
    });
    return goTo(reply, venueHref(added.id), ADDED);
  } catch (error) {
    const duplicates = error instanceof DirectoryError ? error.duplicates : undefined;
    if (!duplicates) throw unclear(error);
    if (isLikely) return sendCandidates(reply, visit, form, venue, alike);
    const again = { ...form, ignoreDuplicatesKey: duplicates.key };
    // Whoever said "none of these" to all of them is not asked again.
    const isDecided = form.isNew && duplicates.candidates.every(({ id }) => form.seen.includes(id));
    if (isDecided && !form.ignoreDuplicatesKey) return lookThenAdd(web, reply, visit, again, venue);
    return sendCandidates(reply.code(409), visit, again, venue, duplicates.candidates);
  }
}

const ADDED: Notice = {
  ...{ kind: "success", heading: "Added.", message: "The venue is in the directory and can be found." },
};

const listingOf = ({ name, ll, address, city, state, zip, phone, twitter }: AddVenueParameters) => ({
  ...{ name, ll, address, city, state, zip, phone, twitter },
});

/** An add whose answer was lost may have been done: the words must not say that it was not. */
function unclear(error: unknown): unknown {
  const lost = error instanceof DirectoryError && (error.kind === "unreachable" || error.kind === "invalid_answer");
  if (!lost) return error;
  return new DirectoryError(
    error.kind,
    "It is not known whether the venue was added. Send the form again: we look for it first, and it is not added twice.",
  );
}

interface FormPage {
  form: AddForm;
  errors?: Record<string, string>;
  notice?: unknown;
}

async function sendForm(web: Web, reply: FastifyReply, visit: Visit, { form, errors = {}, notice }: FormPage) {
  const { categories, missing } = await categoriesFor(web, visit);
  const { center, around } = await surroundings(web, reply.request, visit, form.values.ll);
  const summary = Object.entries(errors).map(([field, message]) => ({ field, message }));
  return sendPage(reply, visit.member, "venues/new", {
    title: "Add a venue",
    ...{ values: form.values, addKey: form.addKey, fieldErrors: errors, errors: summary },
    ...{ categories, notice: notice ?? missing },
    path: "/venues/new",
    map: { points: [], around, center, zoom: 16, pick: { lat: "ll", lng: "ll" } },
  });
}

/** Without the tree the form is still shown, with what was typed. */
async function categoriesFor(web: Web, { auth }: Visit): Promise<{ categories: Category[]; missing?: unknown }> {
  try {
    return { categories: await web.directory.categories(auth) };
  } catch (error) {
    return { categories: [], missing: problemOf(error).notice };
  }
}

function sendCandidates(reply: FastifyReply, visit: Visit, form: AddForm, venue: AddVenueParameters, venues: Venue[]) {
  const listing = listingOf(venue);
  const cards = venues.map((each) => matchCard(listing, each));
  const { addKey, ignoreDuplicatesKey } = form;
  const seen = venues.map(({ id }) => id).join(" ");
  return sendPage(reply, visit.member, "venues/candidates", {
    title: "Is it one of these?",
    path: "/venues/new",
    name: form.values.name,
    cards,
    // What is likely the same is the first thing to choose, and adding beside it the second.
    best: ignoreDuplicatesKey || Number(venues[0]?.score) >= LIKELY ? cards[0] : undefined,
    hidden: { ...form.values, addKey, ignoreDuplicatesKey, seen, step: "add" },
    isDuplicate: form.ignoreDuplicatesKey !== "",
    editHref: formHref(form),
    map: { points: [...mapPoints(cards), { ...venue.ll, name: "The position you gave", isListing: true }] },
  });
}
