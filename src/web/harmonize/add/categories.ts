import type { FastifyReply, FastifyRequest } from "fastify";
import type { Category } from "../../../contract/resources.ts";
import type { CategoryGuess } from "../../../harmonize/add/category.ts";
import { chooseCategory } from "../../../harmonize/add/choose-category.ts";
import { textField } from "../../../http/pages/forms.ts";
import { goTo } from "../../../http/pages/notice.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { categoryName } from "../../../language/categories.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Visit } from "../../base/members.ts";
import type { Seen } from "../base/guards.ts";
import { chosenRows } from "../results/row-value.ts";

/** `POST /harmonizations/:id/categories` (`row`…, `rowCategory`): the category of chosen listings, or the guess again. */
export async function chooseCategories(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen & Visit) {
  const { found, auth } = seen;
  const categoryId = textField(request.body, "rowCategory");
  const after = /^\d{1,9}$/.exec(textField(request.body, "after"))?.[0];
  const href = `/harmonizations/${found.id}/add${after ? `?after=${after}` : ""}#without`;
  const isGuess = textField(request.body, "guess") === "1";
  const numbers = chosenRows(request.body).map(({ number }) => number);
  if (numbers.length === 0) return goTo(reply, href, warning(t("Choose listings first. Nothing was changed.")));
  if (!isGuess && !flat(await web.directory.categories(auth)).some(({ id }) => id === categoryId))
    return goTo(reply, href, warning(t("Choose a category for the chosen listings. Nothing was changed.")));
  const count = await chooseCategory(web.harmonizer, found, numbers, isGuess ? null : categoryId);
  return goTo(reply, href, {
    kind: count > 0 ? "success" : "warning",
    message: isGuess
      ? t("Back to the guess: {count, plural, one {# listing} other {# listings}}.", { count })
      : t("Category chosen for {count, plural, one {# listing} other {# listings}}.", { count }),
  });
}

const warning = (message: string): Notice => ({ kind: "warning", message });

/** All categories, parents first; `depth` from 0. */
export const flat = (tree: readonly Category[], depth = 0): { id: string; name: string; depth: number }[] =>
  tree.flatMap(({ id, name, categories = [] }) => [{ id, name, depth }, ...flat(categories, depth + 1)]);

/** Words a guess: the category, and how it was guessed. */
export function guessInWords(guess: CategoryGuess | undefined, names: ReadonlyMap<string, string>) {
  if (!guess) return { name: t("none guessed"), how: "" };
  return { name: categoryName(names.get(guess.id) ?? guess.id), how: HOW[guess.by](guess.from) };
}

const HOW: Record<CategoryGuess["by"], (from: string) => string> = {
  person: () => t("chosen by hand"),
  column: (from) => t("the file says “{from}”", { from }),
  namesake: () => t("as venues nearby of the same name"),
  word: (from) => t("by “{from}” in the name", { from }),
};
