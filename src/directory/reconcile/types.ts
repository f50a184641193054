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

/** A type of the protocol: a category of the tree, or the one that all venues are of. */
export interface Type {
  id: string;
  name: string;
  description?: string;
  broader?: { id: string; name: string }[];
}

/** What every venue is, for clients that insist on a type. */
const ANY: Type = { id: "venue", name: "Venue", description: "Any kind of place" };

/** The types worth offering first: any venue, then the top groups. */
export const defaultTypes: Type[] = [ANY, ...categoryTree.map(typeOf)];

type Categorized = { categoryId: string | null };
type Named = { id: string; name: string };
const named = ({ id, name }: Named): Named => ({ id, name });

/**
 * The types of a candidate: any venue, its category, then those above. OpenRefine preselects the type that most candidates
 * of a sample have and, of several, the one that comes first in them. A column of all kinds is then matched with any.
 */
export function typesOfVenue({ categoryId }: Categorized): Named[] {
  return [ANY, ...categoryPath(categoryId ?? "").toReversed()].map(named);
}

/** A venue's own category, which tells it from its namesakes. */
export function categoryOfVenue({ categoryId }: Categorized): Named[] {
  return categoryPath(categoryId ?? "")
    .slice(-1)
    .map(named);
}

/**
 * The categories that these types stand for, with all beneath them; undefined for any, and where no type is known. A type is
 * the id or, as people type it, the name of a category.
 */
export function categoriesOfTypes(types: readonly string[]): Set<string> | undefined {
  if (types.some((type) => type.toLowerCase() === ANY.id)) return undefined;
  const categories = types.flatMap((type) => (findCategory(type) ? [{ id: type }] : searchCategories(type)));
  return categories.length > 0 ? new Set(categories.flatMap(({ id }) => descendantIds(id))) : undefined;
}

/** The types with this id, or with a name that has a word beginning so; all of them for an empty prefix. */
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
