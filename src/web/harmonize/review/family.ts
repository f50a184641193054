import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import {
  decideFamily,
  FAMILY_KINDS,
  FAMILY_ORDERS,
  familyOf,
  type Relative,
} from "../../../harmonize/review/family.ts";
import { reasonsOf } from "../../../harmonize/run/candidates.ts";
import { goTo } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { formatNumber } from "../../../language/format.ts";
import { reasonInWords } from "../../../language/sentences.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { sendPage } from "../../base/page.ts";
import { certaintyOf } from "../../venues/match-card.ts";
import { creditsOf } from "../../venues/view.ts";
import { sortInWords } from "../base/filter.ts";
import type { Seen } from "../base/guards.ts";
import { fieldsOf, type ReviewAt, reviewAt, reviewHref, withQuery } from "./place.ts";
import { nextIn } from "./queue.ts";
import { familyInWords } from "./words.ts";

const chosen = z.object({
  kind: z
    .enum(FAMILY_KINDS, { error: () => t("“kind” must be one of {names}", { names: FAMILY_KINDS.join(", ") }) })
    .default("pattern"),
  order: z
    .enum(FAMILY_ORDERS, { error: () => t("“order” must be one of {names}", { names: FAMILY_ORDERS.join(", ") }) })
    .default("file"),
  from: wholeNumber("from", 1, 99)
    .or(z.literal("").transform(() => undefined))
    .optional(),
});
type Chosen = z.output<typeof chosen>;
const wish = chosen.extend({
  decision: z.enum(["matched", "rejected"], { error: () => t("“decision” must be matched or rejected") }),
  shown: z.string().max(1000).transform(numbersIn),
  others: wholeNumber("others", 0, 10_000).default(0),
  seen: z.iso.datetime({ error: () => t("“seen” must be a time") }).transform((text) => new Date(text)),
});

function numbersIn(text: string): number[] {
  return text
    .split(" ")
    .map(Number)
    .filter((number) => Number.isSafeInteger(number) && number > 0);
}

export async function showFamily(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  return sendFamily(web, reply, await reviewAt(web, request, seen), parseParameters(chosen, request.query));
}

/** The same by POST: decides for those ticked (`row`…), and those not `shown` if `others` says how many. */
export async function decideAll(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  const review = await reviewAt(web, request, seen);
  const { h, member, queue, listing } = review;
  const { shown, others, from, ...order } = parseParameters(wish, request.body);
  const back = { kind: order.kind, order: order.order, from };
  const rows = [(request.body as { row?: string | string[] }).row ?? []].flat();
  const ticked = numbersIn(rows.join(" ")).filter((number) => shown.includes(number));
  const expected = ticked.length + others;
  if (expected === 0)
    return sendFamily(web, reply, review, back, {
      kind: "warning",
      message: t("Tick rows first. Nothing was changed."),
    });
  const deciding = decideFamily(
    web.harmonizer,
    { h, person: member, number: listing.number },
    { ...order, percent: from, expected, trimmed: { shown, ticked, others } },
  );
  const decided = await deciding.catch((error: unknown) => {
    if (!(error instanceof KnownError) || error.status !== 409) throw error;
    return error;
  });
  if (decided instanceof KnownError) {
    const notice: Notice = { kind: "danger", message: decided.message };
    return sendFamily(web, reply.code(409), review, back, notice);
  }
  const next = await nextIn(web, review, listing.number);
  const hrefOf = (at: number) => web.config.web.url + reviewHref(h, queue, at);
  const told = familyInWords(decided, order.decision, hrefOf);
  return goTo(reply, reviewHref(h, queue, next, next ? {} : { after: String(listing.number) }), told);
}

async function sendFamily(web: Web, reply: FastifyReply, review: ReviewAt, chosen: Chosen, notice?: Notice) {
  const { member, h, queue, listing } = review;
  const { kind, order, from } = chosen;
  const of = { h, person: member, number: listing.number };
  const [family, ...counts] = await Promise.all([
    familyOf(web.harmonizer, of, kind, { order, percent: from }),
    ...FAMILY_KINDS.map((each) => familyOf(web.harmonizer, of, each, { first: 0 })),
  ]);
  const href = `/harmonizations/${h.id}/listings/${listing.number}/family`;
  const { count, at, shown } = family;
  return sendPage(reply, member, "harmonize/review/family", {
    title: t("Decide for all similar rows"),
    notice,
    run: { id: h.id, name: h.name },
    name: listing.query?.name ?? t("this row"),
    cardHref: reviewHref(h, queue, listing.number),
    postHref: href,
    tabs: FAMILY_KINDS.map((each, index) => ({
      label: each === "pattern" ? t("Same differences") : t("Identical rows"),
      count: formatNumber(counts[index]?.count ?? 0),
      href: withQuery(href, { ...fieldsOf(queue), kind: each }),
      isCurrent: each === kind,
    })),
    fields: { ...fieldsOf(queue), kind },
    narrowed: { order, from: String(from ?? "") },
    orders: FAMILY_ORDERS.map((value) => ({
      value,
      isCurrent: value === order,
      words: sortInWords(value === "file" ? undefined : value),
    })),
    posted: { seen: at?.toISOString() ?? "", shown: shown.map(({ number }) => number).join(" ") },
    kind,
    all: counts[FAMILY_KINDS.indexOf(kind)]?.count ?? 0,
    count,
    credits: creditsOf(shown.map(({ best }) => best)),
    relatives: shown.map((each) => relativeView(each, h.acceptFrom, reviewHref(h, queue, each.number))),
  });
}

const relativeView = ({ number, query, best }: Relative, limit: number, href: string) => ({
  number,
  name: query.name,
  address: query.address ?? "",
  href,
  venue: best.name,
  venueAddress: best.address ?? "",
  certainty: certaintyOf(best.score, { limit, isWaiting: true }),
  reasons: reasonsOf(best).map(reasonInWords).join("; "),
});
export type ShownRelative = ReturnType<typeof relativeView>;
