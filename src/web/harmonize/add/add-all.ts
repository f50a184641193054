import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type LatLng, wholeNumber } from "../../../contract/parameters.ts";
import { startAdding } from "../../../harmonize/add/add-listings.ts";
import { categoryGuesser } from "../../../harmonize/add/category.ts";
import { countUnguessed } from "../../../harmonize/add/choose-category.ts";
import { findHeldBack, type HeldBack, isRepairable, repairHeldBack } from "../../../harmonize/add/held-back.ts";
import { loadListings } from "../../../harmonize/conflicts/listings.ts";
import type { Doubt } from "../../../harmonize/positions/place-check.ts";
import { listListings } from "../../../harmonize/results/listings.ts";
import { progressOf } from "../../../harmonize/results/progress.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { latelyOf } from "../../../harmonize/run/lately.ts";
import { isOpen, unanswered } from "../../../harmonize/run/positions.ts";
import { repairInWords } from "../../../harmonize/run/problems/slips.ts";
import { goTo, textField } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Visit } from "../../base/members.ts";
import { sendPage } from "../../base/page.ts";
import { harmonizationOf, type Seen } from "../base/guards.ts";
import { backTo } from "../base/notice.ts";
import { choiceAmong, flat } from "../results/categories.ts";
import { listingRow } from "../results/listings.ts";
import { rowFields } from "../results/rows.ts";

type Owned = Seen & Visit;

const COUNT_MS = 3000;

const busy = (): Notice => ({
  kind: "warning",
  message: t("Adding did not start: another task is running, or this one was cancelled."),
});

/** `GET /harmonizations/:id/add`: the form, with the first of these listings. */
export const showAddAll = (web: Web, request: FastifyRequest, reply: FastifyReply, owned: Owned) =>
  sendForm(web, request, reply, owned);

/**
 * `POST /harmonizations/:id/add` (`categoryId`, `leaveOut=1`, `byAddress=1`): starts to add every listing without a match. The
 * category is for those without a guess; it may be missing if all have one, and counts for nothing if those are left out.
 */
export async function addAll(web: Web, request: FastifyRequest, reply: FastifyReply, owned: Owned) {
  const leavesOut = isChecked(request, "leaveOut");
  const categoryId = leavesOut ? "" : textField(request.body, "categoryId");
  const begun = await beginAdding(web, owned, { categoryId, leavesOut, byAddress: isChecked(request, "byAddress") });
  if (begun === "positions") return backToQuestion(reply, owned.found.id);
  if (begun === "category")
    return sendForm(
      web,
      request,
      reply.code(400),
      owned,
      t("Choose a category for the rows without one, or leave them out."),
    );
  return backTo(reply, owned.found.id, begun === "begun" ? undefined : busy());
}

interface ToBegin {
  /** Of listings without a guess; empty for none. */
  categoryId: string;
  leavesOut: boolean;
  byAddress: boolean;
}

/**
 * Starts to add every listing without a match. `positions`: the owner has first to say whether the positions are right; `category`: one is
 * needed, or is unknown; `busy`: something else runs, or this was cancelled.
 */
export async function beginAdding(
  web: Web,
  owned: Owned,
  { categoryId, leavesOut, byAddress: isByAddress }: ToBegin,
): Promise<"begun" | "positions" | "category" | "busy"> {
  const { member, auth, found } = owned;
  const byAddress = isByAddress || undefined;
  const categories = await web.directory.categories(auth);
  if (isOpen(found.positions)) return "positions";
  const isKnown = flat(categories).some(({ id }) => id === categoryId);
  const guess = categoryGuesser(categories);
  const isNeeded = async () => {
    if (leavesOut) return false;
    const except = notYetMarked((await heldBackNow(web, owned)) ?? []);
    return (await countUnguessed(web.harmonizer, found, guess, { byAddress, except })) !== 0;
  };
  if (!isKnown && (categoryId !== "" || (await isNeeded()))) return "category";
  const hasBegun = await startAdding(web.harmonizer, found, member, { categoryId: categoryId || undefined, byAddress });
  return hasBegun ? "begun" : "busy";
}

/**
 * `POST /harmonizations/:id/repair` (`expected`): puts right the positions of the listings that are held back, as suggested, and has them
 * matched again (attacks F81), unless they are more than the person was shown.
 */
export async function repairPositions(web: Web, request: FastifyRequest, reply: FastifyReply, owned: Owned) {
  const { member, found } = owned;
  const held = await heldBackNow(web, owned);
  if (!held) return backTo(reply, found.id, stillLooking());
  if (!(held.filter(isRepairable).length <= Number(textField(request.body, "expected"))))
    return goTo(reply, `${addPage(request)}#held-back`, notShown());
  const count = await repairHeldBack(web.harmonizer, found, member, held);
  if (count === undefined) return backTo(reply, found.id, busyRepairing());
  if (count === 0) return backTo(reply, found.id, { kind: "info", message: t("No positions were left to correct.") });
  const message = t(
    "{count, plural, one {# position was} other {# positions were}} corrected. Samespot is asking the directory about {count, plural, one {this row} other {these rows}} again.",
    { count },
  );
  return backTo(reply, found.id, { kind: "success", message });
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

const isChecked = (request: FastifyRequest, name: string) => textField(request.body, name) === "1";

const backToQuestion = (reply: FastifyReply, id: string) =>
  backTo(reply, id, { kind: "warning", message: unanswered().message });

export const addPage = (request: FastifyRequest): string => `${harmonizationOf(request)}/add`;

async function sendForm(web: Web, request: FastifyRequest, reply: FastifyReply, owned: Owned, error?: string) {
  const { member, auth, found } = owned;
  if (found.state !== "ready") return backTo(reply, found.id, busy());
  if (isOpen(found.positions)) return backToQuestion(reply, found.id);
  const { after } = parseParameters(paging, request.query);
  const [categories, { addable, addableByAddress, unplaced, ...progress }, held, page] = await Promise.all([
    web.directory.categories(auth),
    progressOf(web.harmonizer, found, { waitMs: COUNT_MS }),
    heldBackNow(web, owned),
    listListings(web.harmonizer, found, { outcome: "none", after }),
  ]);
  const isCounted = progress.isCounted && held !== undefined;
  const except = notYetMarked(held ?? []);
  const { listings } = page;
  const numbers = listings.map(({ number }) => number);
  const { guess, of } = await choiceAmong(categories, web, found, numbers);
  if (!isCounted) reply.header("refresh", "3");
  return sendPage(reply, member, "harmonize/add/all", {
    title: t("Add as new"),
    run: { id: found.id, name: found.name },
    ...{
      isCounted,
      number: Math.max(0, addable - except.size),
      held: await heldBackView(web, found, held ?? []),
      byAddress: addableByAddress,
      isByAddress: isChecked(request, "byAddress"),
      unplaced,
      unguessed: isCounted
        ? await countUnguessed(web.harmonizer, found, guess, { byAddress: true, except })
        : undefined,
      listings: listings.map((each) => ({ ...listingRow(found, each), category: of(each.number) })),
    },
    rows: { page: rowFields(listings).page, after: after ? String(after) : "" },
    pager: { isFirst: !after, next: page.after },
    picker: { categories, name: "categoryId", value: textField(request.body, "categoryId"), error },
    errors: error ? [{ field: "categoryId", message: error }] : [],
  });
}

/** Undefined if the file is too large to see in time. */
async function heldBackNow(web: Web, { found, auth }: Owned): Promise<HeldBack[] | undefined> {
  const look = () => findHeldBack(web.harmonizer, found, auth);
  return (await latelyOf(web.harmonizer.pool, found, "held back", look, COUNT_MS)).value;
}

/** The numbers of those that still count as addable. */
const notYetMarked = (held: readonly HeldBack[]): Set<number> =>
  new Set(held.flatMap(({ number, isMarked }) => (isMarked ? [] : [number])));

const MOST_SHOWN = 50;

async function heldBackView({ harmonizer }: Web, h: Harmonization, held: readonly HeldBack[]) {
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

const degrees = ({ lat, lng }: LatLng): string => `${+lat.toFixed(5)}, ${+lng.toFixed(5)}`;

const whyDoubtful = (doubt: Doubt): string =>
  doubt.code === "implausible_position"
    ? t("{km, number} km from {place}", { km: doubt.km, place: doubt.place })
    : t("far from the other rows");

const paging = z.object({ after: wholeNumber("after", 0, 2_000_000_000).optional() });
