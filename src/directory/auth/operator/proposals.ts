import type { FastifyReply, FastifyRequest } from "fastify";
import { VALUE_NAMES } from "../../../contract/correction-parameters.ts";
import { wholeNumber } from "../../../contract/parameters.ts";
import { csrfToken, takeNotice, textField } from "../../../http/pages/forms.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { valueLabels } from "../../../http/pages/venue-form.ts";
import { sendView } from "../../../http/pages/views.ts";
import { t } from "../../../language/translate.ts";
import { valuesOf } from "../../corrections/values.ts";
import { decidedProposals, openProposals, type Proposal } from "../../proposals/list.ts";
import { findVenues, seenByOperators } from "../../venues/find.ts";
import { venuePage } from "../../venues/present.ts";
import type { VenueRow } from "../../venues/rows.ts";
import type { AuthDeps, Own } from "../base/session.ts";
import { factsOfEdit, sideBySide } from "./facts.ts";
import { type LookAlikes, lookAlikesOf } from "./look-alikes.ts";
import { wordDiff } from "./word-diff.ts";

export const PROPOSALS_PAGE = "/operator/proposals";

export const PAGE_SIZE = 20;

const pageNumber = wholeNumber("page", 1, 10_000).catch(1);

/** `GET /operator/proposals` (`page`): what users propose, oldest first, and what was decided last. */
export async function showProposals(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const { pool } = deps;
  const page = pageNumber.parse(textField(request.query, "page") || "1");
  const found = await openProposals(pool, { skip: (page - 1) * PAGE_SIZE, take: PAGE_SIZE + 1 });
  const decided = await decidedProposals(pool);
  const venues = await venuesOf(deps, decided);
  const now = new Date();
  return sendView(reply, "directory/operator/proposals", {
    title: t("Proposals"),
    user,
    proposals: await proposalCards(deps, found.slice(0, PAGE_SIZE), now),
    decided: decided.map((proposal) => decidedRow(proposal, venues, now)),
    pager: {
      newer: page > 1 ? addressOf(page - 1) : undefined,
      older: found.length > PAGE_SIZE ? addressOf(page + 1) : undefined,
    },
    notice: takeNotice(request),
    csrf: csrfToken(reply),
    path: PROPOSALS_PAGE,
  });
}

/** With what an operator needs to decide on each. */
export async function proposalCards(deps: AuthDeps, open: readonly Proposal[], now: Date) {
  const venues = await venuesOf(deps, open);
  const alike = await lookAlikesOf(
    deps,
    open.flatMap(({ isNew, venueId }) => (isNew ? (venues.get(venueId) ?? []) : [])),
  );
  return open.map((proposal) => cardOf(deps, proposal, { venues, alike }, now));
}

function venuesOf({ pool }: AuthDeps, proposals: readonly Proposal[]): Promise<Venues> {
  const ids = proposals.flatMap(({ venueId, intoId }) => [venueId, intoId ?? []].flat());
  return findVenues(pool, [...new Set(ids)], { sees: seenByOperators });
}

const addressOf = (page: number): string => (page > 1 ? `${PROPOSALS_PAGE}?page=${page}` : PROPOSALS_PAGE);

type Venues = ReadonlyMap<string, VenueRow>;

interface Known {
  venues: Venues;
  alike: ReadonlyMap<string, LookAlikes>;
}

function cardOf({ config }: AuthDeps, proposal: Proposal, { venues, alike }: Known, now: Date) {
  const { id, comment, proposer, others, at, intoId, venueId, isNew } = proposal;
  const venue = venues.get(venueId);
  const into = intoId === null ? undefined : venues.get(intoId);
  return {
    id,
    comment,
    proposer,
    others,
    venueId,
    at: shownTime(at, now),
    what: whatOf(proposal),
    /** Of a new venue, with those that may be the same. */
    beside: isNew ? (alike.get(venueId) ?? { others: [], facts: [] }) : undefined,
    isDuplicate: intoId !== null,
    name: venue?.name ?? t("A venue no longer in the directory"),
    page: venue && venuePage(venue.id, config.api.url),
    intoPage: into && venuePage(into.id, config.api.url),
    /** What the operator sees and decides on. */
    seen: JSON.stringify(venue ? valuesOf(venue) : {}),
    /** Only those that differ. */
    facts: !venue || isNew ? [] : (into ? sideBySide(venue, into) : factsOfEdit(venue, proposal)).flatMap(differing),
  };
}
export type ProposalCard = ReturnType<typeof cardOf>;

const differing = ({ label, value, other, isSame }: ReturnType<typeof sideBySide>[number]) =>
  isSame ? [] : [{ label, ...wordDiff(value, other) }];

const whatOf = ({ isNew, intoId }: Pick<Proposal, "isNew" | "intoId">) =>
  t("{kind, select, new {New venue} edit {Edit} other {Duplicate}}", {
    kind: isNew ? "new" : intoId === null ? "edit" : "duplicate",
  });

function decidedRow({ decidedAt, at, venueId, ...proposal }: Proposal, venues: Venues, now: Date) {
  const { id, state, answer, proposer, decider, intoId, isNew, wanted } = proposal;
  const labels = valueLabels();
  const names = VALUE_NAMES.filter((name) => name in wanted).map((name) => labels[name]);
  return {
    id,
    answer,
    proposer,
    decider,
    venueId,
    isAccepted: state === "accepted",
    name: venues.get(venueId)?.name ?? wanted.name ?? venueId,
    what: intoId === null && !isNew ? names.join(", ") : whatOf(proposal),
    at: shownTime(decidedAt ?? at, now),
  };
}
export type DecidedProposal = ReturnType<typeof decidedRow>;
