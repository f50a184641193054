import type { FastifyReply, FastifyRequest } from "fastify";
import { findHeldBack, type HeldBack, isRepairable, repairHeldBack } from "../../../harmonize/add/held-back.ts";
import { loadListings } from "../../../harmonize/conflicts/listings.ts";
import type { Doubt } from "../../../harmonize/positions/place-check.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { repairInWords } from "../../../harmonize/run/problems/slips.ts";
import { recentResultOf } from "../../../harmonize/run/recent-result.ts";
import { goTo, textField } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Visit } from "../../base/members.ts";
import { harmonizationOf, type Seen } from "../base/guards.ts";
import { backTo } from "../base/notice.ts";
import { degrees } from "../base/positions.ts";

export type Owned = Seen & Visit;

export const COUNT_MS = 3000;

/**
 * `POST /harmonizations/:id/repair` (`expected`): puts right the positions of the listings that are held back, as suggested, and has them
 * matched again (attacks F81), unless they are more than the person was shown.
 */
export async function repairPositions(web: Web, request: FastifyRequest, reply: FastifyReply, owned: Owned) {
  const { member, h } = owned;
  const held = await heldBackNow(web, owned);
  if (!held) return backTo(reply, h.id, stillLooking());
  if (!(held.filter(isRepairable).length <= Number(textField(request.body, "expected"))))
    return goTo(reply, `${addPage(request)}#held-back`, notShown());
  const count = await repairHeldBack(web.harmonizer, h, member, held);
  if (count === undefined) return backTo(reply, h.id, busyRepairing());
  if (count === 0) return backTo(reply, h.id, { kind: "info", message: t("No positions were left to correct.") });
  const message = t(
    "{count, plural, one {# position was} other {# positions were}} corrected. Samespot is asking the directory about {count, plural, one {this row} other {these rows}} again.",
    { count },
  );
  return backTo(reply, h.id, { kind: "success", message });
}

const notShown = (): Notice => ({
  kind: "warning",
  message: t(
    "Nothing was corrected: there are more positions than the page showed. Check what will change, then try again.",
  ),
});

const busyRepairing = (): Notice => ({
  kind: "warning",
  message: t("Nothing was corrected: another task is running, or this one was cancelled."),
});

const stillLooking = (): Notice => ({
  kind: "warning",
  message: t("Nothing was corrected yet: the positions are still being compared. Try again in a moment."),
});

export const addPage = (request: FastifyRequest): string => `${harmonizationOf(request)}/add`;

/** Undefined if the file is too large to see in time. */
export async function heldBackNow(web: Web, { h, auth }: Owned): Promise<HeldBack[] | undefined> {
  const look = () => findHeldBack(web.harmonizer, h, auth);
  return (await recentResultOf(web.harmonizer.pool, h, "held back", look, COUNT_MS)).value;
}

/** The numbers of those that still count as addable. */
export const notYetMarked = (held: readonly HeldBack[]): Set<number> =>
  new Set(held.flatMap(({ number, isMarked }) => (isMarked ? [] : [number])));

const MOST_SHOWN = 50;

export async function heldBackView({ harmonizer }: Web, h: Harmonization, held: readonly HeldBack[]) {
  const shown = held.slice(0, MOST_SHOWN);
  const known = await loadListings(
    harmonizer,
    h,
    shown.map(({ number }) => number),
  );
  return {
    count: held.length,
    repairable: held.filter(isRepairable).length,
    repairs: repairsOf(held),
    isCutShort: held.length > shown.length,
    listings: shown.map(({ number, doubt }) => ({
      name: known.get(number)?.name ?? "",
      href: `/harmonizations/${h.id}/review/${number}`,
      is: degrees(doubt.ll),
      wouldBe: doubt.wouldBe && degrees(doubt.wouldBe),
      repair: repairInWords(doubt.slip),
      why: whyDoubtful(doubt),
    })),
  };
}

/** What would be done to how many of them, the most frequent first. */
function repairsOf(held: readonly HeldBack[]) {
  const bySlip = Map.groupBy(held.filter(isRepairable), ({ doubt }) => repairInWords(doubt.slip) ?? "");
  const counted = [...bySlip].map(([repair, { length: count }]) => ({ repair, count }));
  return counted.sort((a, b) => b.count - a.count);
}

export type HeldBackView = Awaited<ReturnType<typeof heldBackView>>;

const whyDoubtful = (doubt: Doubt): string =>
  doubt.code === "implausible_position"
    ? t("{km, number} km from {place}", { km: doubt.km, place: doubt.place })
    : t("far from the other rows");
