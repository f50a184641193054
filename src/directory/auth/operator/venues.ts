import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfToken, goTo, takeNotice, textField } from "../../../http/pages/forms.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { noValue, venueIdIn } from "../../../http/pages/venue-form.ts";
import { sendView } from "../../../http/pages/views.ts";
import { t } from "../../../language/translate.ts";
import { KnownError, notFound } from "../../../shared/errors.ts";
import { mergeVenue } from "../../corrections/merge.ts";
import { type Change, listChanges } from "../../corrections/record.ts";
import { revertChange } from "../../corrections/revert.ts";
import { demoNote } from "../../sample/remove.ts";
import { findVenues, seenByOperators, VENUE_ID } from "../../venues/find.ts";
import { venuePage } from "../../venues/present.ts";
import type { VenueRow } from "../../venues/rows.ts";
import { askedFor, type ResultView, searchFor, unknownPlace } from "../base/found-venues.ts";
import type { AuthDeps, Own } from "../base/session.ts";
import { categoryWithId, sideBySide } from "./facts.ts";

export const VENUES_PAGE = "/operator/venues";

/**
 * `GET /operator/venues` (`id` and `into`: ids, addresses, or names to search for `near` a place): two venues side by side, and the
 * last changes of them or of all.
 */
export async function showVenues(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const [id, into, near] = ["id", "into", "near"].map((name) => textField(request.query, name).trim()) as Typed;
  const typed = { id, into, near };
  const [one, other] = await Promise.all([lookFor(deps, id, near), lookFor(deps, into, near)]);
  const goes = one.venue;
  const stays = other.venue;
  const ids = [...idsOf(id, one), ...idsOf(into, other)];
  const changes = await listChanges(deps.pool, ids);
  const now = new Date();
  return sendView(reply, "directory/operator/venues", {
    title: t("Venues"),
    user,
    demo: await demoNote(deps, user),
    typed,
    errors: {
      id: one.error,
      into: other.error ?? (isSame(goes, stays) ? t("This is the same venue.") : undefined),
      near: one.nearError ?? other.nearError,
    },
    choices: [
      ...choicesOf("id", one, (chosen) => hrefWith({ ...typed, id: chosen })),
      ...choicesOf("into", other, (chosen) => hrefWith({ ...typed, into: chosen })),
    ],
    pair: goes && stays && !isSame(goes, stays) ? pairOf(deps, goes, stays) : undefined,
    edit: goes && !stays ? { href: editHref(goes.id), name: goes.name } : undefined,
    isFiltered: ids.length > 0,
    changes: changes.map((change) => changeRow(change, now)),
    notice: takeNotice(request),
    csrf: csrfToken(reply),
    path: VENUES_PAGE,
  });
}

type Typed = [id: string, into: string, near: string];

/** The ids of the venue that was found; or what may be the id of a deleted one, which has changes too. */
const idsOf = (typed: string, { venue, choices }: Looked): string[] =>
  venue
    ? [...new Set([venue.id, venueIdIn(typed)])]
    : [venueIdIn(typed)].filter((id) => choices.length === 0 && VENUE_ID.test(id));

const hrefWith = (typed: Record<string, string>): string =>
  `${VENUES_PAGE}?${new URLSearchParams(Object.entries(typed).filter(([, value]) => value !== ""))}`;

const editHref = (id: string): string => `${VENUES_PAGE}/edit?${new URLSearchParams({ id })}`;

const isSame = (one: VenueRow | undefined, other: VenueRow | undefined) => one !== undefined && one.id === other?.id;

function pairOf({ config }: AuthDeps, goes: VenueRow, stays: VenueRow) {
  return {
    id: goes.id,
    into: stays.id,
    name: goes.name,
    intoName: stays.name,
    page: venuePage(goes.id, config.api.url),
    intoPage: venuePage(stays.id, config.api.url),
    swapHref: `${VENUES_PAGE}?${new URLSearchParams({ id: stays.id, into: goes.id })}`,
    facts: sideBySide(goes, stays),
  };
}
export type Pair = ReturnType<typeof pairOf>;

function changeRow({ at, revertedAt, kind, before, after, ...change }: Change, now: Date) {
  const labels = columnLabels();
  return {
    ...change,
    what: t("{kind, select, merged {Merged} deleted {Deleted} other {Edited}}", { kind }),
    edits: Object.entries(after ?? {}).map(([name, value]) => ({
      label: labels[name] ?? name,
      before: shownValue(name, before[name]),
      after: shownValue(name, value),
    })),
    at: shownTime(at, now),
    revertedAt: revertedAt ? shownTime(revertedAt, now) : undefined,
  };
}

const columnLabels = (): Record<string, string> => ({
  name: t("Name"),
  lat: t("Latitude"),
  lng: t("Longitude"),
  address: t("Address"),
  cross_street: t("Cross street"),
  city: t("City"),
  state: t("State"),
  zip: t("Postal code"),
  cc: t("Country"),
  phone: t("Phone"),
  twitter: t("Twitter name"),
  url: t("Website"),
  description: t("Description"),
  category_id: t("Category"),
  closed_at: t("Status"),
});

function shownValue(column: string, value: unknown): string {
  if (column === "closed_at")
    return t("{closed, select, true {closed for good} other {open}}", { closed: String(value !== null) });
  if (value === null || value === undefined) return noValue(column);
  return (column === "category_id" && categoryWithId(String(value))) || String(value);
}

export type ChangeRow = ReturnType<typeof changeRow>;

/** `POST /operator/venues/merge` (`id`, `into`). */
export async function merge(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const id = textField(request.body, "id");
  const into = textField(request.body, "into");
  return act(request, reply, `${VENUES_PAGE}?${new URLSearchParams({ into })}`, {
    done: t("Merged. The old id leads to this venue from now on."),
    change: () => mergeVenue(deps, { id, into }, { userId: user.id }),
    log: { operator: user.id, venue: id, into },
  });
}

/** `POST /operator/changes/:id/revert`. */
export async function revert(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const { id } = request.params as { id: string };
  if (!/^\d{1,18}$/.test(id)) throw notFound(t("There is no such change."));
  return act(request, reply, VENUES_PAGE, {
    done: t("Reverted. The venue is as it was before, with its links and check-ins."),
    change: () => revertChange(deps, id, { userId: user.id }),
    log: { operator: user.id, reverted: id },
  });
}

async function act(
  request: FastifyRequest,
  reply: FastifyReply,
  href: string,
  { change, done, log }: { change: () => Promise<unknown>; done: string; log: object },
) {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof KnownError) || ![400, 409].includes(error.status)) throw error;
    return goTo(reply, href, { kind: "warning", heading: t("Nothing was changed."), message: error.message });
  }
  request.log.info(log, "an operator changed a venue");
  return goTo(reply, href, { kind: "success", message: done });
}

/** What was typed into one field. */
export interface Looked {
  venue?: VenueRow;
  /** Venues of this name to choose from, if it is no id. */
  choices: ResultView[];
  error?: string;
  /** Of the field `near`. */
  nearError?: string;
}

/** Finds a venue by its id or the address of its page, or else venues of this name (`near` a place, or anywhere). */
async function lookFor(deps: AuthDeps, typed: string, near: string): Promise<Looked> {
  if (typed === "") return { choices: [] };
  const id = venueIdIn(typed);
  const venue = VENUE_ID.test(id) && (await findVenues(deps.pool, [id], { sees: seenByOperators })).get(id);
  if (venue) return { venue, choices: [] };
  const missing = { choices: [], error: t("The directory has no venue with this id or name.") };
  const asked = id === typed ? askedFor({ query: typed, near }) : undefined;
  if (!asked?.data) return missing;
  const found = await searchFor(deps, asked.data);
  if (!found) return { choices: [], nearError: unknownPlace() };
  return found.results.length > 0 ? { choices: found.results } : missing;
}

/** Venues to choose from for one field. `href` puts the chosen one into the form. */
export interface Choices {
  field: "id" | "into";
  items: { name: string; line: string; distance: string | undefined; page: string; href: string }[];
}

export function choicesOf(field: Choices["field"], { choices }: Looked, hrefWith: (id: string) => string): Choices[] {
  const items = choices.map(({ id, href, ...shown }) => ({ ...shown, page: href, href: hrefWith(id) }));
  return items.length > 0 ? [{ field, items }] : [];
}
