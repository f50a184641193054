import { normalizeName } from "../../../matching/normalize/normalize.ts";
import { allCategories, descendantIds, searchCategories } from "../../categories/tree.ts";
import synonyms from "./category-synonyms.json" with { type: "json" };

export interface Kind {
  words: string[];
  ids: Set<string>;
}

/** The whole text must name them: "coffee", "coffee shops", "movies". */
export function categoriesCalled(text: string): Set<string> {
  const called = SYNONYMS.get(text)?.flatMap((name) => BY_NAME.get(name) ?? []);
  const found = called ?? (GENERIC.has(text) ? [] : searchCategories(text).map(({ id }) => id));
  return new Set(found.flatMap(descendantIds));
}

export function kindsIn(term: readonly string[]): Kind[] {
  const kinds: Kind[] = [];
  for (const fromStart of [true, false])
    for (let count = Math.min(4, term.length); count > 0; count--) {
      const some = fromStart ? term.slice(0, count) : term.slice(-count);
      const ids = categoriesCalled(some.join(" "));
      if (ids.size === 0) continue;
      if (!kinds.some((kind) => kind.words.join() === some.join())) kinds.push({ words: some, ids });
      break;
    }
  return kinds;
}

/** Too common in category names to identify one. */
const GENERIC = new Set(
  "shop shops store stores place places center centers service services house hall home club supply supplies".split(
    " ",
  ),
);

const BY_NAME = new Map(allCategories.map(({ id, name }) => [normalizeName(name), id]));

const SYNONYMS = new Map(
  Object.entries(synonyms).flatMap(([called, names]) => {
    const ours = names.split(", ");
    return called.split(", ").map((each) => [each, ours] as const);
  }),
);
