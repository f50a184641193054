import type { FastifyReply, FastifyRequest } from "fastify";
import { VALUE_NAMES } from "../../contract/correction-parameters.ts";
import { wholeNumber } from "../../contract/parameters.ts";
import type { Proposal } from "../../contract/proposals.ts";
import type { Venue } from "../../contract/resources.ts";
import { sql } from "../../db/sql.ts";
import { noteGone } from "../../harmonize/run/gone-venues.ts";
import { hasOwner } from "../../harmonize/run/lists.ts";
import { type Held, heldIn, holdersOf } from "../../harmonize/run/venue-holders.ts";
import { goTo, textField } from "../../http/pages/forms.ts";
import { valueInWords, valueLabels } from "../../http/pages/venue-form.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { problemOf, sendPage } from "../base/page.ts";
import { valuesOf } from "./correct.ts";
import { proposalRow } from "./proposals.ts";
import { venueCard, venueHref } from "./view.ts";

const PAGE = "/venues/proposals";
const PAGE_SIZE = 20;

const pageNumber = wholeNumber("page", 1, 10_000).catch(1);

/** `GET /venues/proposals` (`page`): what the member has proposed, newest first, what stands there now, and what operators say. */
export async function showProposals(web: Web, request: FastifyRequest, reply: FastifyReply, { member, auth }: Visit) {
  const page = pageNumber.parse(textField(request.query, "page") || "1");
  const isTaken = await web.directory.takesProposals();
  const asked = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  const { count, items } = isTaken ? await web.directory.proposals(auth, asked) : { count: 0, items: [] };
  const ids = [...new Set(items.map(({ venueId }) => venueId))];
  const outcomes = await web.directory.venues(auth, ids);
  const venues = new Map(
    ids.flatMap((id, at) => {
      const outcome = outcomes[at];
      return outcome && "venue" in outcome && outcome.venue ? [[id, outcome.venue] as const] : [];
    }),
  );
  return sendPage(reply, member, "venues/own-proposals", {
    title: t("Your proposals"),
    isTaken,
    page: String(page),
    proposals: items.map((proposal) => rowOf(proposal, venues.get(proposal.venueId))),
    newerHref: page > 1 ? addressOf(page - 1) : undefined,
    olderHref: page * PAGE_SIZE < count ? addressOf(page + 1) : undefined,
    path: PAGE,
  });
}

const addressOf = (page: number): string => (page > 1 ? `${PAGE}?page=${page}` : PAGE);

function rowOf(proposal: Proposal, venue: Venue | undefined) {
  const { id, venueId, values, comment, state, new: isNew } = proposal;
  const now = venue && valuesOf(venue);
  const labels = valueLabels();
  const shown = (name: (typeof VALUE_NAMES)[number], value: string) => valueInWords(name, value, () => undefined);
  return {
    ...proposalRow(proposal),
    id,
    comment,
    isOpen: state === "open",
    name: venue ? venueCard(venue).name : (values.name ?? venueId),
    href: venue && venueHref(venue.id),
    /** What stands there now, where that is not what was proposed. */
    standing: VALUE_NAMES.flatMap((name) => {
      const wanted = values[name];
      const stands = now?.[name];
      if (isNew || wanted === undefined || stands === undefined || wanted === stands) return [];
      return name === "primaryCategoryId" ? [] : [{ label: labels[name], value: shown(name, stands) }];
    }),
  };
}
export type OwnProposal = ReturnType<typeof rowOf>;

/** `POST /venues/proposals` (`withdraw`: id): takes a proposal back that nobody has decided yet. */
export async function withdrawProposal(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  { member, auth }: Visit,
) {
  const id = textField(request.body, "withdraw");
  try {
    const held = await heldBy(web, member, await newVenueOf(web, auth, request, id));
    if (held.venues > 0)
      return goTo(reply, PAGE, { kind: "warning", heading: t("Not taken back."), message: heldInWords(held) });
    const { new: isNew, venueId } = await web.directory.withdraw(auth, id);
    const undecided = isNew ? await noteDeleted(web, request, venueId) : 0;
    const message = isNew
      ? [t("The venue was deleted. No operator had decided on it."), undecidedInWords(undecided)].join(" ").trim()
      : t("No operator will decide on this proposal now.");
    return goTo(reply, PAGE, { kind: "success", heading: t("Taken back."), message });
  } catch (error) {
    return goTo(reply, PAGE, problemOf(error).notice);
  }
}

/** Returns the id of the venue that goes with a proposal on the page that the form was on, if it does. */
async function newVenueOf({ directory }: Web, auth: Visit["auth"], { body }: FastifyRequest, id: string) {
  const page = pageNumber.parse(textField(body, "page") || "1");
  const { items } = await directory.proposals(auth, { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE });
  const found = items.find((each) => each.id === id);
  return found?.new ? [found.venueId] : [];
}

/** Whether rows of lists that the member does not own hold one of the venues. Their own rows are undecided again (noteDeleted). */
const heldBy = async ({ harmonizer }: Web, { id }: Visit["member"], venueIds: string[]): Promise<Held> =>
  heldIn((await holdersOf(harmonizer, venueIds, sql`(${hasOwner(id)})`)).values());

const heldInWords = ({ rows, lists }: Held): string =>
  t(
    "The venue stays: {rows, plural, one {# row} other {# rows}} of {lists, plural, one {another person’s list} other {# lists of other people}} {rows, plural, one {uses} other {use}} it.",
    { rows, lists: lists.length },
  );

/** The venue is gone by now, and taking the proposal back again would not delete it once more: a failure here is no failure of that. */
async function noteDeleted({ harmonizer }: Web, { log }: FastifyRequest, venueId: string): Promise<number> {
  try {
    return await noteGone(harmonizer, [venueId], { areDeleted: true });
  } catch (err) {
    log.warn({ err, venueId }, "not all listings were told that their venue is deleted");
    return 0;
  }
}

const undecidedInWords = (count: number): string =>
  count > 0
    ? t("{count, plural, one {# row with this venue is} other {# rows with this venue are}} undecided again.", {
        count,
      })
    : "";
