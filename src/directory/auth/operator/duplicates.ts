import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import { text } from "../../../contract/text.ts";
import { csrfToken, goTo, takeNotice, textField } from "../../../http/pages/forms.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { sendView } from "../../../http/pages/views.ts";
import { checkParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { KnownError, notFound } from "../../../shared/errors.ts";
import { askForSearch } from "../../duplicates/chore.ts";
import { mergeGroups, readGroup, setApart, undoMerge, writeGroup } from "../../duplicates/decide.ts";
import { familyInWords } from "../../duplicates/groups.ts";
import { groupsOf, lastMerges, lastRun, listFamilies, listGroups, type ShownGroup } from "../../duplicates/queue.ts";
import { venuePage } from "../../venues/present.ts";
import type { VenueRow } from "../../venues/rows.ts";
import type { AuthDeps, Own } from "../base/session.ts";
import { listed, noticeOf, textsIn, wayBack } from "./decision-form.ts";
import { factsBeside, percentOf, reasonsOf } from "./facts.ts";
import { VENUES_PAGE } from "./venues.ts";

export const DUPLICATES_PAGE = "/operator/duplicates";

const PAGE_SIZE = 20;

/** Groups of a family that are decided at once: each is a transaction, and a browser waits. */
const MOST_AT_ONCE = 200;

/** Defaults to the first page of all groups if the parameters are invalid. */
const wantedPart = z.object({
  family: text("family", 200).optional(),
  page: wholeNumber("page", 1, 10_000).default(1),
});

/** `GET /operator/duplicates` (`family`, `page`): groups of venues that seem to be one place, the surest first. */
export async function showDuplicates(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const { pool } = deps;
  const { family, page } = checkParameters(wantedPart, request.query).value ?? { family: undefined, page: 1 };
  const families = await listFamilies(pool);
  const current = families.find((each) => each.family === family);
  const part = { family: current?.family, skip: (page - 1) * PAGE_SIZE, take: PAGE_SIZE };
  const groups = await shownGroups(deps, part);
  const count = current?.groups ?? families.reduce((sum, { groups }) => sum + groups, 0);
  const now = new Date();
  return sendView(reply, "directory/operator/duplicates", {
    title: t("Duplicates"),
    user,
    groups,
    family: current && { key: current.family, atOnce: Math.min(current.groups, MOST_AT_ONCE) },
    families: families.map((each) => ({
      label: familyInWords(each.family),
      count: each.groups,
      href: addressOf(each.family, 1),
      isCurrent: each === current,
    })),
    pager: {
      newer: page > 1 ? addressOf(current?.family, page - 1) : undefined,
      older: page * PAGE_SIZE < count ? addressOf(current?.family, page + 1) : undefined,
    },
    run: await shownRun(deps, now),
    merges: await shownMerges(deps, now),
    notice: takeNotice(request),
    csrf: csrfToken(reply),
    path: DUPLICATES_PAGE,
  });
}

export const shownGroups = async (deps: AuthDeps, part: Parameters<typeof listGroups>[1]) =>
  (await listGroups(deps.pool, part)).map((group) => cardOf(deps, group));

function addressOf(family: string | undefined, page: number): string {
  const search = new URLSearchParams({ ...(family ? { family } : {}), ...(page > 1 ? { page: String(page) } : {}) });
  return search.size ? `${DUPLICATES_PAGE}?${search}` : DUPLICATES_PAGE;
}

export async function shownMerges({ pool }: AuthDeps, now: Date) {
  return (await lastMerges(pool)).map(({ at, revertedAt, ...merge }) => ({
    ...merge,
    at: shownTime(at, now),
    revertedAt: revertedAt ? shownTime(revertedAt, now) : undefined,
  }));
}

export async function shownRun({ pool }: AuthDeps, now: Date) {
  const run = await lastRun(pool);
  if (!run) return undefined;
  const { startedAt, finishedAt, isAlive, venues, passed, compared } = run;
  const state = finishedAt ? ("done" as const) : isAlive ? ("running" as const) : ("interrupted" as const);
  return { state, venues, passed, compared, at: shownTime(finishedAt ?? startedAt, now) };
}

function cardOf({ config }: AuthDeps, { stays, others, score }: ShownGroup) {
  const pageOf = ({ id }: VenueRow) => venuePage(id, config.api.url);
  return {
    value: writeGroup({ stays: stays.id, others: others.map(({ venue }) => venue.id) }),
    name: stays.name,
    page: pageOf(stays),
    sure: percentOf(score),
    others: others.map(({ venue, evidence }) => ({
      value: writeGroup({ stays: stays.id, others: [venue.id] }),
      name: venue.name,
      page: pageOf(venue),
      compareHref: `${VENUES_PAGE}?${new URLSearchParams({ id: venue.id, into: stays.id })}`,
      // In a group the rivals are the others.
      reasons: reasonsOf(evidence.filter(({ comparison }) => comparison !== "rivals" || others.length === 1)),
    })),
    /** Only those that differ. */
    facts: factsBeside([stays, ...others.map(({ venue }) => venue)]).filter(({ rest }) =>
      rest.some(({ isSame }) => !isSame),
    ),
  };
}
export type DuplicateCard = ReturnType<typeof cardOf>;

/**
 * `POST /operator/duplicates`: `merge` or `apart` one group (ids with spaces, the one that stays first), or by `decision` all in
 * `group` (`merge`, `apart`) or all of `family` (`merge-family`, `apart-family`).
 */
export async function decideDuplicates(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const { body } = request;
  const family = textField(body, "family");
  const [merge, apart, decision] = ["merge", "apart", "decision"].map((name) => textField(body, name));
  const isMerge = Boolean(merge) || decision === "merge" || decision === "merge-family";
  const groups = decision?.endsWith("-family")
    ? await groupsOf(deps.pool, family, MOST_AT_ONCE)
    : (merge || apart ? [merge || apart || ""] : textsIn(body, "group", MOST_AT_ONCE)).flatMap(
        (each) => readGroup(each) ?? [],
      );
  const href = wayBack(body, addressOf(family, 1));
  if (groups.length === 0)
    return goTo(reply, href, {
      kind: "warning",
      heading: t("Nothing was changed."),
      message: t("Select a group first."),
    });
  const done = await (isMerge ? mergeGroups : setApart)(deps, groups, user.id);
  const log = { operator: user.id, groups: done.done, failed: done.problems.length };
  request.log.info(log, `an operator ${isMerge ? "merged" : "set apart"} duplicates`);
  return goTo(
    reply,
    href,
    noticeOf(done, { message: (isMerge ? mergedMessage : apartMessage)(done.done), of: groups.length }),
  );
}

const mergedMessage = (count: number) => t("{count, plural, one {# group} other {# groups}} merged.", { count });

const apartMessage = (count: number) =>
  t("{count, plural, one {# group} other {# groups}} marked as different places.", { count });

/** `POST /operator/duplicates/search`: a process of the directory searches now, instead of at night. */
export async function beginSearch({ pool }: AuthDeps, _request: FastifyRequest, reply: FastifyReply) {
  await askForSearch(pool);
  return goTo(reply, DUPLICATES_PAGE, {
    kind: "success",
    message: t("The search begins within seconds. Reload the page to see what it has found."),
  });
}

/** `POST /operator/duplicates/:id/undo`: reverts all that one action merged. */
export async function undoDuplicates(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const { id } = request.params as { id: string };
  if (!/^\d{1,9}$/.test(id)) throw notFound(t("There is no such merge."));
  try {
    const { done, problems } = await undoMerge(deps, Number(id), user.id);
    request.log.info(
      { operator: user.id, merge: id, failed: problems.length },
      "an operator undid a merge of duplicates",
    );
    const message = t(
      "{count, plural, one {# venue restored, with its links and check-ins.} other {# venues restored, with their links and check-ins.}}",
      { count: done },
    );
    if (problems.length === 0) return goTo(reply, DUPLICATES_PAGE, { kind: "success", message });
    const heading = `${message} ${t("{count, number} could not be restored.", { count: problems.length })}`;
    return goTo(reply, DUPLICATES_PAGE, { kind: "warning", heading, message: listed(problems) });
  } catch (error) {
    if (!(error instanceof KnownError) || error.status !== 409) throw error;
    return goTo(reply, DUPLICATES_PAGE, {
      kind: "warning",
      heading: t("Nothing was changed."),
      message: error.message,
    });
  }
}
