import type { FastifyReply, FastifyRequest } from "fastify";
import type { Category } from "../../../contract/resources.ts";
import { type CategoryGuess, categoryGuesser } from "../../../harmonize/add/category.ts";
import { chooseCategory, guessCategories } from "../../../harmonize/add/choose-category.ts";
import { type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { goTo, textField } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { categoryName } from "../../../language/names.ts";
import { t } from "../../../language/translate.ts";
import { within } from "../../../shared/within.ts";
import { openToken } from "../../base/connections.ts";
import type { Web } from "../../base/deps.ts";
import type { Member, Visit } from "../../base/members.ts";
import { harmonizationOf, type Seen } from "../base/guards.ts";
import { chosenRows } from "./row-value.ts";
import { listOf, onePageOnly } from "./rows.ts";

/**
 * `POST /harmonizations/:id/categories` (`row`…, `rowCategory`): the category of chosen listings, or the guess again. Shows the
 * list of results that they were chosen in (`list`), otherwise the page before *Add all*.
 */
export async function chooseCategories(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen & Visit) {
  const { h, auth } = seen;
  const categoryId = textField(request.body, "rowCategory");
  const after = /^\d{1,9}$/.exec(textField(request.body, "after"))?.[0];
  const addPage = `/harmonizations/${h.id}/add${after ? `?after=${after}` : ""}#without`;
  const href = isListed(request) ? listOf(request, h.id).href : addPage;
  const isGuess = textField(request.body, "guess") === "1";
  if (textField(request.body, "which") === "all") return goTo(reply, href, warning(onePageOnly()));
  const numbers = chosenRows(request.body).map(({ number }) => number);
  if (numbers.length === 0) return goTo(reply, href, warning(t("Choose rows first. Nothing was changed.")));
  if (!isGuess && !flatCategories(await web.directory.categories(auth)).some(({ id }) => id === categoryId))
    return goTo(reply, href, warning(t("Choose a category for the chosen rows. Nothing was changed.")));
  const count = await chooseCategory(web.harmonizer, h, numbers, isGuess ? null : categoryId);
  return goTo(reply, href, {
    kind: count > 0 ? "success" : "warning",
    message: isGuess
      ? t("Back to the guessed category: {count, plural, one {# row} other {# rows}}.", { count })
      : t("Category chosen for {count, plural, one {# row} other {# rows}}.", { count }),
  });
}

const isListed = ({ body }: FastifyRequest): boolean => textField(body, "list") !== "";

/** The page that the listings were chosen on. */
export const chosenOn = (request: FastifyRequest): string =>
  `${harmonizationOf(request)}${isListed(request) ? "" : "/add"}`;

const warning = (message: string): Notice => ({ kind: "warning", message });

/** All categories, parents first. */
export const flatCategories = (tree: readonly Category[]): { id: string; name: string }[] =>
  tree.flatMap(({ id, name, categories = [] }) => [{ id, name }, ...flatCategories(categories)]);

const PATIENCE_MS = 1000;

/**
 * Returns the tree of categories, and the guess for each of these listings without a match. Returns undefined for others than the file's
 * owner, and if the directory does not answer soon, so that the results never wait for it.
 */
export async function categoryChoice(web: Web, member: Member, h: Harmonization, numbers: readonly number[]) {
  const token = openToken(web.vault, member.connection);
  if (token === undefined || h.state !== "ready" || !isOwner(h, member)) return undefined;
  const tree = await within(web.directory.categories({ token }), PATIENCE_MS).catch(() => undefined);
  return tree && { categories: tree, ...(await choiceAmong(tree, web, h, numbers)) };
}

/** Returns how to guess a category, and the guess for each of these listings in words (`of`). */
export async function choiceAmong(tree: Category[], web: Web, h: Harmonization, numbers: readonly number[]) {
  const guess = categoryGuesser(tree);
  const guesses = await guessCategories(web.harmonizer, h, numbers, guess);
  const names = new Map(flatCategories(tree).map(({ id, name }) => [id, name]));
  return { guess, of: (number: number) => guessInWords(guesses.get(number), names) };
}

/** Words a guess: the category, and how it was guessed. */
function guessInWords(guess: CategoryGuess | undefined, names: ReadonlyMap<string, string>) {
  if (!guess) return { name: t("unknown"), how: "" };
  return { name: categoryName(names.get(guess.id) ?? guess.id), how: HOW[guess.by](guess.from) };
}

const HOW: Record<CategoryGuess["by"], (from: string) => string> = {
  person: () => t("chosen by hand"),
  column: (from) => t("the file says “{from}”", { from }),
  namesake: () => t("like nearby venues with the same name"),
  word: (from) => t("from “{from}” in the name", { from }),
};
