import type { FastifyReply, FastifyRequest } from "fastify";
import {
  differing,
  rebased,
  VALUE_NAMES,
  type ValueName,
  type Values,
  valuesIn,
  venueChanges,
} from "../../contract/correction-parameters.ts";
import { formatLl } from "../../contract/parameters.ts";
import type { Category, Venue } from "../../contract/resources.ts";
import { sql } from "../../db/sql.ts";
import { heldIn, holdersOf } from "../../harmonize/run/venue-holders.ts";
import { goTo, textField } from "../../http/pages/forms.ts";
import { mapOf, type Notice } from "../../http/pages/parts.ts";
import { changedMeanwhile, presentValues, typedValues, venueIdIn } from "../../http/pages/venue-form.ts";
import { checkInEnglish, errorsInWords } from "../../http/parameters.ts";
import { t } from "../../language/translate.ts";
import { notFound } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { localPath } from "../base/local-path.ts";
import { connected, type Visit } from "../base/members.ts";
import { problemOf, sendPage } from "../base/page.ts";
import { formIsOld } from "./add.ts";
import { fieldAtFault, fieldHelp, pack, typedVenue, unpack } from "./add-form.ts";
import { ignoreUnlessRefused } from "./place.ts";
import { alikeTo } from "./venue.ts";
import { creditsOf, editHref, mapPoints, pointOf, venueCard, venueHref } from "./view.ts";

/** `GET /venues/:id/edit` (`back`: the page to return to, by default the venue's): a form with the venue's values, and one to report a duplicate. */
export async function showCorrection(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const venue = await find(web, request, visit);
  const kept = unpack(textField(request.query, "form"));
  const was = kept ? { ...valuesOf(venue), ...valuesIn(textField(kept, "was")) } : undefined;
  const changes = valuesIn(textField(kept, "changes"));
  const more = { comment: textField(kept, "comment"), duplicateOf: textField(kept, "duplicateOf") };
  return sendForm(web, reply, visit, { venue, ...more, ...(was && { was }), ...(changes && { values: changes }) });
}

/** `POST /venues/:id/edit`: proposes to the directory what was changed (`was`: what the form began with), or `duplicateOf`. */
export async function correct(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const { body } = request;
  const duplicateOf = textField(body, "duplicateOf").trim();
  const form = { ...(await typedForm(web, request, visit)), duplicateOf };
  const { venue, values, was } = form;
  const { wanted, errors } = duplicateOf ? { wanted: {}, errors: {} } : checkChanges(differing(values, was));
  if (!wanted) return sendForm(web, reply.code(400), visit, { ...form, errors });
  if (!duplicateOf && Object.keys(wanted).length === 0)
    return sendForm(web, reply.code(400), visit, { ...form, notice: unchanged() });
  try {
    const comment = textField(body, "comment");
    const proposal = { venueId: venue.id, wanted, was, duplicateOf: venueIdIn(duplicateOf), comment };
    const { state } = await web.directory.propose(visit.auth, proposal);
    return goTo(reply, backOf(body) ?? venueHref(venue.id), state === "accepted" ? changed() : proposed());
  } catch (error) {
    return sendRefused(web, reply, visit, form, error);
  }
}

const backOf = (source: unknown): string | undefined => {
  const back = textField(source, "back");
  return back ? localPath(back) : undefined;
};

/** The address of the form with what was typed, for guests who log in first. */
export function correctionOf({ params, body }: FastifyRequest): string {
  const sent = valuesIn(textField(body, "was")) ?? {};
  const changes = differing(typedValues(body), sent);
  const was = Object.fromEntries(Object.entries(sent).filter(([name]) => name in changes));
  const comment = textField(body, "comment");
  const duplicateOf = textField(body, "duplicateOf");
  const form = { changes: JSON.stringify(changes), was: JSON.stringify(was), comment, duplicateOf };
  const back = backOf(body);
  return `${editHref((params as { id: string }).id, back)}${back ? "&" : "?"}form=${pack(form)}`;
}

/** Returns the handler that shows a form again that must not be acted on. */
export const showCorrectionAgain = (web: Web) =>
  connected(
    web,
    async (_web, request, reply, visit) =>
      sendForm(web, reply.code(403), visit, { ...(await typedForm(web, request, visit)), notice: formIsOld() }),
    correctionOf,
  );

const changed = (): Notice => ({
  kind: "success",
  heading: t("Changed."),
  message: t("The directory has the new values."),
});
const proposed = (): Notice => ({
  kind: "success",
  heading: t("Thank you."),
  message: t("An operator of the directory decides on your proposal. This page shows the outcome."),
});
const unchanged = (): Notice => ({
  kind: "warning",
  heading: t("Nothing to send."),
  message: t("Change at least one value first."),
});

async function sendRefused(web: Web, reply: FastifyReply, visit: Visit, form: Form, error: unknown) {
  const { status, notice } = problemOf(error);
  const now = await web.directory.venue(visit.auth, form.venue.id).catch(ignoreUnlessRefused);
  const { values, conflicts } = rebased(form.values ?? {}, form.was ?? {}, now ? valuesOf(now) : {});
  if (!now || Object.keys(conflicts).length === 0)
    return sendForm(web, reply.code(status), visit, { ...form, errors: fieldAtFault(notice.message), notice });
  const categories = await categoriesFor(web, visit);
  const errors = presentValues(conflicts, (id) => nameIn(categories, id));
  return sendForm(web, reply.code(409), visit, {
    venue: now,
    values,
    comment: form.comment,
    errors,
    notice: changedMeanwhile(),
  });
}

function nameIn(categories: readonly Category[], id: string): string | undefined {
  for (const each of categories) {
    const name = each.id === id ? each.name : nameIn(each.categories ?? [], id);
    if (name !== undefined) return name;
  }
  return undefined;
}

async function find(web: Web, request: FastifyRequest, { auth }: Visit): Promise<Venue> {
  const venue = await web.directory.venue(auth, (request.params as { id: string }).id);
  if (await web.directory.takesProposals()) return venue;
  throw notFound(t("This directory takes no proposals."));
}

/** A directory that fails does not lose what was typed. */
async function typedForm(web: Web, { params, body }: FastifyRequest, { auth }: Visit) {
  const { id } = params as { id: string };
  const sent = valuesIn(textField(body, "was"));
  const found = await web.directory.venue(auth, id).catch(ignoreUnlessRefused);
  const venue: Venue = found ?? { id, name: sent?.name ?? "" };
  // The form for a duplicate has none of the values.
  const values = sent ? typedValues(body) : valuesOf(venue);
  return { venue, values, was: sent ?? valuesOf(venue), comment: textField(body, "comment") };
}

const categoriesFor = (web: Web, { auth }: Visit): Promise<Category[]> =>
  web.directory.categories(auth).catch(() => []);

interface Form {
  venue: Venue;
  values?: Values;
  /** By default what the venue is now. */
  was?: Values;
  comment?: string | undefined;
  duplicateOf?: string;
  errors?: Record<string, string>;
  notice?: Notice;
}

async function sendForm(web: Web, reply: FastifyReply, visit: Visit, form: Form) {
  const { venue, values, was = valuesOf(venue), comment = "", duplicateOf = "", errors = {}, notice } = form;
  const card = venueCard(venue);
  const { method, query, body } = reply.request;
  const alike = await alikeTo(web, visit, venue);
  const held = heldIn((await holdersOf(web.harmonizer, [venue.id], sql`false`)).values());
  return sendPage(reply, visit.member, "venues/correct", {
    title: t("Suggest an edit: {name}", { name: card.name }),
    card,
    comment,
    duplicateOf,
    notice,
    back: backOf(method === "POST" ? body : query),
    held:
      held.venues > 0
        ? t(
            "{rows, plural, one {# row} other {# rows}} of {lists, plural, one {# list} other {# lists}} {rows, plural, one {uses} other {use}} this venue. If the two are merged, {rows, plural, one {it moves} other {they move}} to the other one.",
            { rows: held.rows, lists: held.lists.length },
          )
        : undefined,
    alike: alike.map(({ href, name, line }) => ({ href, name, line })),
    credits: creditsOf([card, ...alike]),
    values: { ...valuesOf(venue), ...values },
    was: JSON.stringify(was),
    fieldErrors: errors,
    errors: Object.entries(errors).map(([field, message]) => ({ field, message })),
    categories: await categoriesFor(web, visit),
    map: mapOf({ points: mapPoints([card]), zoom: 16, pick: { lat: "ll", lng: "ll" } }),
  });
}

/** Returns the values of a venue by the names of venues/edit, "" for those that it lacks. */
export function valuesOf(venue: Venue): Record<ValueName, string> {
  const { location, contact, categories, url, description, closed } = venue;
  const point = pointOf(venue);
  return {
    name: venue.name,
    ll: point ? formatLl(point) : "",
    primaryCategoryId: categories?.[0]?.id ?? "",
    address: location?.address ?? "",
    crossStreet: location?.crossStreet ?? "",
    city: location?.city ?? "",
    state: location?.state ?? "",
    zip: location?.postalCode ?? "",
    phone: contact?.formattedPhone ?? contact?.phone ?? "",
    twitter: contact?.twitter ?? "",
    url: url ?? "",
    description: description ?? "",
    closed: String(closed ?? false),
  };
}

const typedChanges = venueChanges.extend(typedVenue.partial().shape);

const REQUIRED: readonly ValueName[] = ["name", "ll", "primaryCategoryId"];

/** Checks the values that were changed. Returns them as the directory takes them, or one message per field. */
function checkChanges(changes: Values): { wanted?: Values; errors: Record<string, string> } {
  const { value, errors = {} } = checkInEnglish(typedChanges, changes);
  for (const name of REQUIRED) if (changes[name] === "") errors[name] = `${name} is required`;
  if (!value || Object.keys(errors).length > 0) return { errors: errorsInWords(errors, fieldHelp) };
  const wanted = VALUE_NAMES.flatMap((name) => {
    if (!(name in changes)) return [];
    const checked = value[name];
    return [[name, typeof checked === "object" ? formatLl(checked) : (checked ?? "")]];
  });
  return { wanted: Object.fromEntries(wanted), errors: {} };
}
