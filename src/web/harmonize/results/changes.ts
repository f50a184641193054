import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import {
  type Change,
  type ChangedVenue,
  changedVenues,
  type LookState,
  lookedUp,
  lookStateOf,
  SHOWN_CHANGES,
  wantLook,
} from "../../../harmonize/changes/changes.ts";
import { CHANGES_FORMATS, changesText } from "../../../harmonize/export/changes.ts";
import { anyWorker } from "../../../harmonize/results/progress.ts";
import { type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { wordsOf } from "../../../harmonize/run/problems/words.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import { sendFile } from "../../base/download.ts";
import { distanceInWords, sendPage } from "../../base/page.ts";
import { creditsOf, venueHref } from "../../venues/view.ts";
import type { Seen } from "../base/guards.ts";

const query = z.object({
  show: z
    .enum(SHOWN_CHANGES, { error: () => t("“show” must be one of {names}", { names: SHOWN_CHANGES.join(", ") }) })
    .optional(),
  after: wholeNumber("after", 0, 2_000_000_000).default(0),
});

const changesInWords = (): Record<Change, string> => ({
  merged: t("Merged"),
  closed: t("Closed"),
  gone: t("No longer there"),
  reopened: t("Open again"),
  moved: t("Moved"),
  renamed: t("Renamed"),
  unanswered: t("No answer"),
  unchanged: t("Unchanged"),
});

const PAGE_SIZE = 50;

/** `GET /harmonizations/:id/changes`: what became of the venues of a file since they were matched, or last looked at. */
export async function showChanges(
  { harmonizer }: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  { member, h }: Seen,
): Promise<FastifyReply> {
  const { show, after } = parseParameters(query, request.query);
  const look = await lookStateOf(harmonizer, h);
  const changes = show ? [show] : SHOWN_CHANGES;
  const rows = await changedVenues(harmonizer, h, { changes, after, most: PAGE_SIZE + 1 });
  if (look?.isAtWork) reply.header("refresh", "2");
  const last = rows[PAGE_SIZE - 1];
  return sendPage(reply, member, "harmonize/results/changes", {
    title: t("Changes of {name}", { name: h.name }),
    file: { name: h.name, href: `/harmonizations/${h.id}` },
    isOwner: isOwner(h, member),
    look: look && (await lookView({ harmonizer }, h, look)),
    tiles: look ? tilesOf(h, look, show) : [],
    rows: rows.slice(0, PAGE_SIZE).map((row) => rowView(h, row)),
    credits: creditsOf(rows.slice(0, PAGE_SIZE)),
    first: after > 0 ? hrefOf(h, show) : undefined,
    next: rows.length > PAGE_SIZE && last ? hrefOf(h, show, last.number) : undefined,
  });
}

/** `POST /harmonizations/:id/changes`: a worker looks again. */
export async function lookAgain({ harmonizer }: Web, _request: FastifyRequest, reply: FastifyReply, { h }: Seen) {
  await wantLook(harmonizer, h);
  return reply.redirect(`/harmonizations/${h.id}/changes`, 303);
}

export const changesDownload = z.object({
  format: z.enum(CHANGES_FORMATS, "format must be csv or json").default("csv"),
});

/** `GET /harmonizations/:id/changes/download`: a row for each listing whose venue has changed. */
export function sendChanges({ harmonizer }: Web, request: FastifyRequest, reply: FastifyReply, { h }: Seen) {
  const { format } = parseParameters(changesDownload, request.query);
  const mediaType = { csv: "text/csv; charset=utf-8", json: "application/json" }[format];
  return sendFile(request, reply, { name: `changes.${format}`, mediaType }, changesText(harmonizer, h, format));
}

async function lookView({ harmonizer }: Pick<Web, "harmonizer">, h: Harmonization, look: LookState) {
  const { isAtWork, problem, since, at, counts } = look;
  const { done, all } = isAtWork ? await lookedUp(harmonizer, h, look) : { done: 0, all: 0 };
  return {
    isAtWork,
    isClear: !isAtWork && SHOWN_CHANGES.every((change) => !counts?.[change]),
    problem: problem ? wordsOf(problem) : undefined,
    hasWorker: !isAtWork || (await anyWorker(harmonizer.pool)),
    share: all > 0 ? done / all : undefined,
    progress: t("{done, number} of {all, plural, one {# venue} other {# venues}} looked up so far.", { done, all }),
    since: shownTime(new Date(since)),
    at: shownTime(new Date(at)),
  };
}
export type ShownLook = Awaited<ReturnType<typeof lookView>>;

function tilesOf(h: Harmonization, { counts = {} }: LookState, show: Change | undefined) {
  const sum = SHOWN_CHANGES.reduce((all, change) => all + (counts[change] ?? 0), 0);
  const tile = (label: string, number: number, change?: Change) => ({
    label,
    count: formatNumber(number),
    href: hrefOf(h, change),
    isCurrent: show === change,
  });
  const shown = SHOWN_CHANGES.filter((change) => counts[change] || change === show);
  const words = changesInWords();
  return [tile(t("All changes"), sum), ...shown.map((change) => tile(words[change], counts[change] ?? 0, change))];
}
export type ChangeTile = ReturnType<typeof tilesOf>[number];

function hrefOf({ id }: Harmonization, show: Change | undefined, after?: number): string {
  const query = new URLSearchParams({ ...(show && { show }), ...(after && { after: String(after) }) });
  return `/harmonizations/${id}/changes${query.size > 0 ? `?${query}` : ""}`;
}

function rowView({ id }: Harmonization, { number, listing, ownId, venueId, ...venue }: ChangedVenue) {
  const { change, wasName, nowId, name } = venue;
  return {
    listing: { name: listing ?? t("No name"), ownId, href: `/harmonizations/${id}/review/${number}` },
    venue: {
      name: wasName ?? name ?? venueId,
      id: venueId,
      href: change === "gone" ? undefined : venueHref(nowId ?? venueId),
    },
    change: changesInWords()[change],
    details: detailsOf(venue),
  };
}
export type ChangeRow = ReturnType<typeof rowView>;

function detailsOf({
  change,
  nowId,
  name,
  metres,
}: Pick<ChangedVenue, "change" | "nowId" | "name" | "metres">): string {
  if (change === "merged") return t("now {name} ({id})", { name: name ?? "", id: nowId ?? "" });
  if (change === "moved") return t("{distance} away", { distance: distanceInWords(metres ?? 0) });
  return change === "renamed" ? t("now {name}", { name: name ?? "" }) : "";
}
