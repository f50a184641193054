import { normalizeName } from "../../matching/normalize/normalize.ts";
import {
  allCategories,
  type Category,
  categoryPath,
  categoryTree,
  descendantIds,
  findCategory,
  searchCategories,
} from "../categories/tree.ts";

export interface Type {
  id: string;
  name: string;
  description?: string;
  broader?: { id: string; name: string }[];
}

/** The type of all venues, for clients that require one. */
const ANY: Type = { id: "venue", name: "Venue", description: "Any kind of place" };

export const defaultTypes: Type[] = [ANY, ...categoryTree.map(typeOf)];

type Categorized = { categoryId: string | null };
type Named = { id: string; name: string };
const named = ({ id, name }: Named): Named => ({ id, name });

/**
 * OpenRefine preselects the most frequent type of a sample and, of several, the first. With "any venue" first, it
 * matches a mixed column with any type.
 */
export function typesOfVenue({ categoryId }: Categorized): Named[] {
  return [ANY, ...categoryPath(categoryId ?? "").toReversed()].map(named);
}

export function categoryOfVenue({ categoryId }: Categorized): Named[] {
  return categoryPath(categoryId ?? "")
    .slice(-1)
    .map(named);
}

/** Returns undefined for any type, or if no type is known. People type names of categories instead of ids. */
export function categoriesOfTypes(types: readonly string[]): Set<string> | undefined {
  if (types.some((type) => type.toLowerCase() === ANY.id)) return undefined;
  const categories = types.flatMap((type) => (findCategory(type) ? [{ id: type }] : searchCategories(type)));
  return categories.length > 0 ? new Set(categories.flatMap(({ id }) => descendantIds(id))) : undefined;
}

export function suggestTypes(prefix: string): Type[] {
  const wanted = normalizeName(prefix);
  const all: { type: Type; names: string }[] = [
    { type: ANY, names: "venue" },
    ...allCategories.map((category) => ({ type: typeOf(category), names: spellings(category) })),
  ];
  const byId = all.filter(({ type }) => type.id === prefix.trim());
  const byName = all.filter((each) => !byId.includes(each) && ` ${each.names}`.includes(` ${wanted}`));
  const begins = ({ names }: { names: string }) => Number(names.startsWith(wanted));
  const isAsked = prefix.trim() === "" || wanted !== "";
  return [...byId, ...(isAsked ? byName.sort((a, b) => begins(b) - begins(a)) : [])].map(({ type }) => type);
}

function typeOf(category: Category): Type {
  const above = categoryPath(category.id).slice(0, -1);
  const { id, name } = above.at(-1) ?? ANY;
  return {
    id: category.id,
    name: category.name,
    ...(above.length > 0 && { description: above.map((each) => each.name).join(" › ") }),
    broader: [{ id, name }],
  };
}

const spellings = ({ name, pluralName, shortName }: Category): string =>
  [name, pluralName, shortName].map(normalizeName).join(" ");
