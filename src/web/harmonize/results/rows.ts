import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import type { ListedListing } from "../../../harmonize/results/listings.ts";
import { type ChosenList, type ChosenRows, decideMany, MANY_DECISIONS } from "../../../harmonize/results/many.ts";
import { undo } from "../../../harmonize/review/undo.ts";
import { isOwner } from "../../../harmonize/run/harmonizations.ts";
import { goTo } from "../../../http/pages/forms.ts";
import { parseFields, parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { badRequest, KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { filterOf } from "../base/filter.ts";
import type { Seen } from "../base/guards.ts";
import { undoneInWords } from "../review/words.ts";
import { checkEdition } from "./facets.ts";
import { listFields, listHref, outcomeOf } from "./list.ts";
import { manyInWords } from "./many-words.ts";
import { chosenRows, pageValue } from "./row-value.ts";

const WHICH = ["chosen", "page", "all"] as const;

const wish = z.object({
  decision: z.enum(MANY_DECISIONS, {
    error: () => t("“decision” must be one of {names}", { names: MANY_DECISIONS.join(", ") }),
  }),
  which: z.enum(WHICH, { error: () => t("“which” must be one of {names}", { names: WHICH.join(", ") }) }),
  expected: wholeNumber("expected", 0, 2_147_483_647).optional(),
  seen: z.iso.datetime({ error: () => t("“seen” must be a time") }).transform((text) => new Date(text)),
});

/** What a list shows, as the query of its address. */
const back = z.object({ list: z.string().max(4000).optional() });

/** The hidden fields of the form around a list. */
export function rowFields(listings: readonly ListedListing[]) {
  const [first] = listings;
  return { seen: first?.seen_at.toISOString() ?? "", page: pageValue(listings) };
}

/** `POST /harmonizations/:id/listings` (`row`…, `decision`): decides many listings, and shows the same list again; only the owner decides all of a list. */
export async function decideRows(web: Web, request: FastifyRequest, reply: FastifyReply, { member, h }: Seen) {
  const { decision, which, expected, seen } = parseParameters(wish, request.body);
  const { href, asked } = listOf(request, h.id);
  if (which === "all" && (asked.show === "unwritten" || !isOwner(h, member))) throw badRequest(onePageOnly());
  await checkEdition(web, member, h, asked);
  const filter = filterOf(asked, h);
  const list = {
    outcome: outcomeOf(asked.show),
    text: asked.q?.trim() ?? "",
    filter,
    expected,
    seen,
  };
  const chosen: ChosenRows | ChosenList = which === "all" ? list : { rows: chosenRows(request.body) };
  if ("rows" in chosen && chosen.rows.length === 0)
    return goTo(reply, href, { kind: "warning", message: t("Choose rows first. Nothing was changed.") });
  try {
    const done = await decideMany(web.harmonizer, { h, person: member }, decision, chosen);
    return goTo(reply, href, manyInWords(done, decision));
  } catch (error) {
    if (!(error instanceof KnownError) || error.status !== 409) throw error;
    return goTo(reply, href, { kind: "danger", heading: `${error.title}.`, message: error.message });
  }
}

/** `POST /harmonizations/:id/listings/undo`: undoes the member's last decision, and shows the same list again. */
export async function undoRows(web: Web, request: FastifyRequest, reply: FastifyReply, { member, h }: Seen) {
  const undone = await undo(web.harmonizer, h, member);
  return goTo(reply, listOf(request, h.id).href, undoneInWords(undone));
}

export const onePageOnly = () =>
  t(
    "Nothing was changed: you can change rows on only one page at a time. Choose rows on this page, then go on to the next.",
  );

/** Returns the list that a form was sent from (`list`), and its address. */
export function listOf({ body }: FastifyRequest, id: string) {
  const asked = parseParameters(listFields, parseFields(parseParameters(back, body).list ?? ""));
  return { asked, href: `${listHref(id, asked)}#listings` };
}
