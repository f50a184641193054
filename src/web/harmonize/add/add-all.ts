import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import { startAdding } from "../../../harmonize/add/add-listings.ts";
import { categoryGuesser } from "../../../harmonize/add/category.ts";
import { countUnguessed } from "../../../harmonize/add/choose-category.ts";
import { listListings } from "../../../harmonize/results/listings.ts";
import { progressOf } from "../../../harmonize/results/progress.ts";
import { isOpen, unanswered } from "../../../harmonize/run/positions.ts";
import { textField } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import { sendPage } from "../../base/page.ts";
import { backTo } from "../base/notice.ts";
import { choiceAmong, flatCategories } from "../results/categories.ts";
import { listingRow } from "../results/listings.ts";
import { rowFields } from "../results/rows.ts";
import { COUNT_MS, heldBackNow, heldBackView, notYetMarked, type Owned } from "./held-back.ts";

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
  if (begun === "positions") return backToQuestion(reply, owned.h.id);
  if (begun === "category")
    return sendForm(
      web,
      request,
      reply.code(400),
      owned,
      t("Choose a category for the rows without one, or leave them out."),
    );
  return backTo(reply, owned.h.id, begun === "begun" ? undefined : busy());
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
  const { member, auth, h } = owned;
  const byAddress = isByAddress || undefined;
  const categories = await web.directory.categories(auth);
  if (isOpen(h.positions)) return "positions";
  const isKnown = flatCategories(categories).some(({ id }) => id === categoryId);
  const guess = categoryGuesser(categories);
  const isNeeded = async () => {
    if (leavesOut) return false;
    const except = notYetMarked((await heldBackNow(web, owned)) ?? []);
    return (await countUnguessed(web.harmonizer, h, guess, { byAddress, except })) !== 0;
  };
  if (!isKnown && (categoryId !== "" || (await isNeeded()))) return "category";
  const hasBegun = await startAdding(web.harmonizer, h, member, { categoryId: categoryId || undefined, byAddress });
  return hasBegun ? "begun" : "busy";
}

const isChecked = (request: FastifyRequest, name: string) => textField(request.body, name) === "1";

const backToQuestion = (reply: FastifyReply, id: string) =>
  backTo(reply, id, { kind: "warning", message: unanswered().message });

async function sendForm(web: Web, request: FastifyRequest, reply: FastifyReply, owned: Owned, error?: string) {
  const { member, auth, h } = owned;
  if (h.state !== "ready") return backTo(reply, h.id, busy());
  if (isOpen(h.positions)) return backToQuestion(reply, h.id);
  const { after } = parseParameters(paging, request.query);
  const [categories, { addable, addableByAddress, unplaced, ...progress }, held, page] = await Promise.all([
    web.directory.categories(auth),
    progressOf(web.harmonizer, h, { waitMs: COUNT_MS }),
    heldBackNow(web, owned),
    listListings(web.harmonizer, h, { outcome: "none", after }),
  ]);
  const isCounted = progress.isCounted && held !== undefined;
  const except = notYetMarked(held ?? []);
  const { listings } = page;
  const numbers = listings.map(({ number }) => number);
  const { guess, of } = await choiceAmong(categories, web, h, numbers);
  if (!isCounted) reply.header("refresh", "3");
  return sendPage(reply, member, "harmonize/add/all", {
    title: t("Add as new"),
    run: { id: h.id, name: h.name },
    isCounted,
    number: Math.max(0, addable - except.size),
    held: await heldBackView(web, h, held ?? []),
    byAddress: addableByAddress,
    isByAddress: isChecked(request, "byAddress"),
    unplaced,
    unguessed: isCounted ? await countUnguessed(web.harmonizer, h, guess, { byAddress: true, except }) : undefined,
    listings: listings.map((each) => ({ ...listingRow(h, each), category: of(each.number) })),
    rows: { page: rowFields(listings).page, after: after ? String(after) : "" },
    pager: { isFirst: !after, next: page.after },
    picker: { categories, name: "categoryId", value: textField(request.body, "categoryId"), error },
    errors: error ? [{ field: "categoryId", message: error }] : [],
  });
}

const paging = z.object({ after: wholeNumber("after", 0, 2_000_000_000).optional() });
