import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import { decideFamily, FAMILY_KINDS, familyOf, type Relative } from "../../../harmonize/review/family.ts";
import { nextListing } from "../../../harmonize/review/order.ts";
import { reasonsOf } from "../../../harmonize/run/candidates.ts";
import { goTo } from "../../../http/pages/notice.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { formatNumber } from "../../../language/format.ts";
import { reasonInWords } from "../../../language/reasons.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { sendPage } from "../../base/page.ts";
import { certaintyOf } from "../../venues/comparison.ts";
import { creditsOf } from "../../venues/view.ts";
import type { Seen } from "../base/guards.ts";
import { fieldsOf, type ReviewAt, reviewAt, reviewHref, withQuery } from "./place.ts";
import { familyInWords } from "./words.ts";

const chosen = z.object({
  kind: z
    .enum(FAMILY_KINDS, { error: () => t("kind must be one of {names}", { names: FAMILY_KINDS.join(", ") }) })
    .default("pattern"),
});
const wish = chosen.extend({
  decision: z.enum(["matched", "rejected"], { error: () => t("decision must be matched or rejected") }),
  expected: wholeNumber("expected", 1, 10_000),
  seen: z.iso.datetime({ error: () => t("seen must be a time") }).transform((text) => new Date(text)),
});

export async function showFamily(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  return sendFamily(web, reply, await reviewAt(web, request, seen), parseParameters(chosen, request.query).kind);
}

/** The same by POST: decides for all of them. */
export async function decideAll(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  const review = await reviewAt(web, request, seen);
  const { h, member, queue, listing } = review;
  const order = parseParameters(wish, request.body);
  const deciding = decideFamily(web.harmonizer, { h, person: member, number: listing.number }, order);
  const decided = await deciding.catch((error: unknown) => {
    if (!(error instanceof KnownError) || error.status !== 409) throw error;
    return error;
  });
  if (decided instanceof KnownError) {
    const notice: Notice = { kind: "danger", message: decided.message };
    return sendFamily(web, reply.code(409), review, order.kind, notice);
  }
  const next = await nextListing(web.harmonizer, { h, person: member, queue }, listing.number);
  const hrefOf = (at: number) => web.config.web.url + reviewHref(h, queue, at);
  const told = familyInWords(decided, order.decision, hrefOf);
  return goTo(reply, reviewHref(h, queue, next, next ? {} : { after: String(listing.number) }), told);
}

async function sendFamily(
  web: Web,
  reply: FastifyReply,
  review: ReviewAt,
  kind: (typeof FAMILY_KINDS)[number],
  notice?: Notice,
) {
  const { member, h, queue, listing } = review;
  const [pattern, same] = await Promise.all(
    FAMILY_KINDS.map((each) =>
      familyOf(web.harmonizer, { h, person: member, number: listing.number }, each, each === kind ? 20 : 0),
    ),
  );
  const family = kind === "pattern" ? pattern : same;
  const href = `/harmonizations/${h.id}/listings/${listing.number}/family`;
  return sendPage(reply, member, "harmonize/review/family", {
    title: t("Decide for all similar listings"),
    notice,
    run: { id: h.id, name: h.name },
    name: listing.query?.name ?? t("this listing"),
    cardHref: reviewHref(h, queue, listing.number),
    postHref: href,
    tabs: FAMILY_KINDS.map((each) => ({
      label: each === "pattern" ? t("Alike in the same way") : t("The same listing again"),
      count: formatNumber((each === "pattern" ? pattern : same)?.count ?? 0),
      href: withQuery(href, { ...fieldsOf(queue), kind: each }),
      isCurrent: each === kind,
    })),
    fields: { ...fieldsOf(queue), kind, expected: String(family?.count ?? 0), seen: family?.at?.toISOString() ?? "" },
    kind,
    count: family?.count ?? 0,
    credits: creditsOf(family?.shown.map(({ best }) => best) ?? []),
    relatives: family?.shown.map((each) => relativeView(each, h.acceptFrom, reviewHref(h, queue, each.number))) ?? [],
  });
}

const relativeView = ({ query, best }: Relative, limit: number, href: string) => ({
  name: query.name,
  address: query.address ?? "",
  href,
  venue: best.name,
  venueAddress: best.address ?? "",
  certainty: certaintyOf(best.score, limit),
  reasons: reasonsOf(best).map(reasonInWords).join("; "),
});
export type ShownRelative = ReturnType<typeof relativeView>;
