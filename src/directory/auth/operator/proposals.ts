import type { FastifyReply, FastifyRequest } from "fastify";
import { VALUE_NAMES, valuesIn } from "../../../contract/correction-parameters.ts";
import { ll as point, wholeNumber } from "../../../contract/parameters.ts";
import { withoutInvisible } from "../../../contract/text.ts";
import { csrfToken, goTo, takeNotice, textField } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { valueInWords, valueLabels } from "../../../http/pages/venue-form.ts";
import { sendView } from "../../../http/pages/views.ts";
import { withDecimalSign } from "../../../language/format.ts";
import { reasonInWords } from "../../../language/sentences.ts";
import { t } from "../../../language/translate.ts";
import { WORTH_A_LOOK } from "../../../matching/decide.ts";
import { distanceBetween, metresInWords } from "../../../matching/distance.ts";
import type { Evidence } from "../../../matching/evidence.ts";
import { findCategory } from "../../categories/tree.ts";
import { valuesOf } from "../../corrections/values.ts";
import { addTo, type Done } from "../../duplicates/decide.ts";
import { acceptProposal, declineProposal, mergeNew } from "../../proposals/decide.ts";
import { decidedProposals, openProposals, type Proposal } from "../../proposals/list.ts";
import { candidatesOfEach } from "../../venues/candidates.ts";
import { findVenues, seenByOperators } from "../../venues/find.ts";
import { heldNear, heldVenues } from "../../venues/held.ts";
import { venuePage } from "../../venues/present.ts";
import type { VenueRow } from "../../venues/rows.ts";
import { matchAmong } from "../../venues/search/search.ts";
import type { AuthDeps, Own } from "../base/session.ts";
import { factsOf, sideBySide } from "./venues.ts";
import { wordDiff } from "./word-diff.ts";

/** The overview, where what waits is decided too. */
export const OPERATOR_PAGE = "/operator";
export const PROPOSALS_PAGE = "/operator/proposals";

const PAGE_SIZE = 20;
const LONGEST_ANSWER = 300;

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
    proposals: await cardsOf(deps, found.slice(0, PAGE_SIZE), now),
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
export async function cardsOf(deps: AuthDeps, open: readonly Proposal[], now: Date) {
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

function factsOfEdit(venue: VenueRow, { wanted }: Proposal) {
  const now = valuesOf(venue);
  const labels = valueLabels();
  const facts = VALUE_NAMES.flatMap((name) => {
    const value = now[name];
    const other = wanted[name] ?? now[name];
    const words = (text: string) => valueInWords(name, text, (id) => findCategory(id)?.name);
    return value || other
      ? [{ label: labels[name], value: words(value), other: words(other), isSame: value === other }]
      : [];
  });
  if (wanted.ll === undefined) return facts;
  const metres = distanceBetween(venue, point.parse(wanted.ll));
  return [...facts, { label: t("Moves by"), value: "", other: withDecimalSign(metresInWords(metres)), isSame: false }];
}

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

/**
 * `POST /operator/proposals`: `accept`, `decline` or `merge` one proposal by its id, or by `decision` all in `proposal`; with the `answer` to
 * the proposers. `seen-ID` has the values of the venue that were shown beside it. A new venue is merged into `into`, or the one in `into-ID`.
 */
export async function decideProposals(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const { body } = request;
  const { ids, verb, into } = wantedIn(body);
  if (ids.length === 0)
    return goTo(reply, wayBack(body, PROPOSALS_PAGE), {
      kind: "warning",
      heading: t("Nothing was changed."),
      message: t("Select a proposal first."),
    });
  const answer = withoutInvisible(textField(body, "answer")).trim().slice(0, LONGEST_ANSWER);
  const problems: string[] = [];
  for (const id of ids) {
    const seen = valuesIn(textField(body, `seen-${id}`));
    const decided = { id, userId: user.id, answer, seen, into: into ?? textField(body, `into-${id}`) };
    await DECISIONS[verb](deps, decided).catch(addTo(problems));
  }
  request.log.info({ operator: user.id, proposals: ids, failed: problems.length }, "an operator decided proposals");
  const done = { done: ids.length - problems.length, problems };
  const told = noticeOf(done, { message: doneInWords(verb, done.done), of: ids.length });
  return goTo(reply, wayBack(body, PROPOSALS_PAGE), told);
}

/** To the overview, if it was decided there, or to `href`. */
export const wayBack = (body: unknown, href: string): string =>
  textField(body, "from") === "overview" ? OPERATOR_PAGE : href;

type Verb = "accept" | "decline" | "merge";

const DECISIONS = { accept: acceptProposal, decline: declineProposal, merge: mergeNew };

function wantedIn(body: unknown): { ids: string[]; verb: Verb; into?: string | undefined } {
  for (const verb of ["accept", "decline", "merge"] as const) {
    const [id = "", into] = textField(body, verb).split(" ");
    if (id) return { ids: [id].filter(isId), verb, into };
  }
  const decision = textField(body, "decision");
  const verb = decision === "accept" || decision === "merge" ? decision : "decline";
  return { ids: textsIn(body, "proposal", PAGE_SIZE).filter(isId), verb };
}

function doneInWords(verb: Verb, count: number): string {
  if (verb === "accept") return t("{count, plural, one {# proposal} other {# proposals}} accepted.", { count });
  if (verb === "merge") return t("{count, plural, one {# new venue} other {# new venues}} merged.", { count });
  return t("{count, plural, one {# proposal} other {# proposals}} declined.", { count });
}

const isId = (text: string): boolean => /^\d{1,18}$/.test(text);

/** Look-alikes shown beside a venue. */
const MOST = 3;

/** Returns for each held venue those that may be the same, held ones of all users among them, with the likeliest first. */
async function lookAlikesOf(deps: AuthDeps, venues: readonly VenueRow[]) {
  if (venues.length === 0) return new Map<string, ReturnType<typeof besides>>();
  const [open, held] = await Promise.all([candidatesOfEach(deps.pool, venues), heldVenues(deps.pool, null)]);
  return new Map(
    venues.map((venue, at) => {
      const others = [...(open[at] ?? []), ...heldNear(held, venue)].filter(({ id }) => id !== venue.id);
      return [venue.id, besides(deps, venue, others)];
    }),
  );
}

function besides({ config }: AuthDeps, venue: VenueRow, others: VenueRow[]) {
  const alike = matchAmong({ minScore: WORTH_A_LOOK, limit: MOST }, venue, others).venues;
  return {
    others: alike.map(({ id, name, heldFor, score = 0, evidence = [] }) => ({
      id,
      name,
      sure: percentOf(score),
      reasons: reasonsOf(evidence),
      /** Undefined for one that is held as well, into which nothing can be merged. */
      page: heldFor === null ? venuePage(id, config.api.url) : undefined,
    })),
    facts: factsBeside([venue, ...alike]),
  };
}
export type LookAlikes = ReturnType<typeof besides>;

/** Returns the values of the boxes with this name that are checked. */
export function textsIn(body: unknown, name: string, most: number): string[] {
  const value = (body as Record<string, unknown> | undefined)?.[name];
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string").slice(0, most);
}

/** @param message says what was done; `of`: number of those that were tried */
export function noticeOf({ done, problems }: Done, { message, of }: { message: string; of: number }): Notice {
  if (problems.length === 0) return { kind: "success", message };
  return {
    kind: "warning",
    heading:
      done === 0
        ? t("Nothing was changed.")
        : `${message} ${t("{failed, number} of {of, number} failed.", { failed: problems.length, of })}`,
    message: listed(problems),
  };
}

const SHOWN_PROBLEMS = 5;

export const listed = (problems: readonly string[]): string => {
  const more = problems.length - SHOWN_PROBLEMS;
  return [...problems.slice(0, SHOWN_PROBLEMS), ...(more > 0 ? [t("And {more, number} more.", { more })] : [])].join(
    " ",
  );
};

/** The facts of venues beside each other, without those that none has. */
export function factsBeside(venues: readonly VenueRow[]) {
  const columns = venues.map(factsOf);
  return (columns[0] ?? []).flatMap(({ label }, at) => {
    const [first = "", ...rest] = columns.map((facts) => facts[at]?.value ?? "");
    if (![first, ...rest].some(Boolean)) return [];
    return { label, first, rest: rest.map((value) => ({ value, isSame: value === first })) };
  });
}

/** Never 100. */
export const percentOf = (score: number): number => Math.min(99, Math.round(100 * score));

export const reasonsOf = (evidence: readonly Evidence[]) =>
  evidence.map(({ text, weight }) => ({ text: reasonInWords(text), isFor: weight > 0 }));
