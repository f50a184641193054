import type { FastifyReply, FastifyRequest } from "fastify";
import { type ConflictSearch, conflictsOf, wantConflicts } from "../../../harmonize/conflicts/search.ts";
import type { Shift } from "../../../harmonize/conflicts/shift.ts";
import { type Conflicts, showConflicts } from "../../../harmonize/conflicts/shown.ts";
import { anyWorker } from "../../../harmonize/results/progress.ts";
import { type Harmonization, isOwner, mayOnList } from "../../../harmonize/run/harmonizations.ts";
import { isOpen } from "../../../harmonize/run/positions.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import { distanceInWords, sendPage } from "../../base/page.ts";
import { creditsOf } from "../../venues/view.ts";
import type { Seen } from "../base/guards.ts";
import { positionsView } from "../base/positions.ts";
import { sectionsOf } from "./conflict-sections.ts";

/** `/harmonizations/:id/conflicts`: in a large file a worker searches, and the page shows its progress. */
export async function showConflictsPage(
  { harmonizer }: Web,
  _request: FastifyRequest,
  reply: FastifyReply,
  { member, h }: Seen,
): Promise<FastifyReply> {
  const search = await conflictsOf(harmonizer, h);
  const conflicts = search.findings && (await showConflicts(harmonizer, h, member, search.findings));
  if (search.done !== undefined) reply.header("refresh", "2");
  return sendPage(reply, member, "harmonize/results/conflicts", {
    title: t("Conflicts in {name}", { name: h.name }),
    file: { name: h.name, href: `/harmonizations/${h.id}` },
    positions: positionsView(h.positions),
    search: { ...searchView(h, search), hasWorker: await anyWorker(harmonizer.pool) },
    found: conflicts && view(h, conflicts),
    isOwner: isOwner(h, member),
    mayReview: mayOnList("reviewer", h, member),
  });
}

/** `POST /harmonizations/:id/conflicts`: a worker searches again. */
export async function findConflicts(
  { harmonizer }: Web,
  _request: FastifyRequest,
  reply: FastifyReply,
  { h: { id } }: Seen,
): Promise<FastifyReply> {
  await wantConflicts(harmonizer, { id });
  return reply.redirect(`/harmonizations/${id}/conflicts`, 303);
}

function searchView({ listingCount }: Harmonization, { foundAt, done }: ConflictSearch) {
  return {
    isFinding: done !== undefined,
    words:
      done === undefined
        ? ""
        : t("{done, number} of {all, plural, one {# row} other {# rows}} searched so far.", {
            done,
            all: listingCount,
          }),
    share: done === undefined ? undefined : Math.min(1, done / Math.max(1, listingCount)),
    found: foundAt && shownTime(foundAt),
  };
}

export type SearchView = ReturnType<typeof searchView> & { hasWorker: boolean };

function view({ id, positions }: Harmonization, conflicts: Conflicts) {
  const { shift } = conflicts;
  const sections = sectionsOf(id, conflicts).map(({ total, items, ...section }) => ({
    ...section,
    items,
    total,
    number: formatNumber(total),
    more:
      total > items.length
        ? t("The first {shown, number} of {total, number}.", { shown: items.length, total })
        : undefined,
  }));
  return {
    sections,
    credits: creditsOf(sections.flatMap(({ items }) => items.flatMap(({ listings }) => listings))),
    shift: shift && shiftWords(shift),
    isClear: !shift && !isOpen(positions) && sections.every(({ total }) => total === 0),
  };
}

export type ConflictsView = ReturnType<typeof view>;

const shiftWords = ({ metres, direction, matches }: Shift): string =>
  t(
    "Its positions lie about {distance} {direction, select, north {north} northEast {north-east} east {east} southEast {south-east} south {south} southWest {south-west} west {west} other {north-west}} of their venues, according to {matches, plural, one {# clear match} other {# clear matches}}. They possibly use another datum or projection, or are in other columns. Shift them back and upload the file again, or begin again with those columns.",
    { distance: distanceInWords(metres), direction: direction.replace("-e", "E").replace("-w", "W"), matches },
  );
