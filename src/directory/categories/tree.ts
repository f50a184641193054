import tree from "../../../prisma/categories.json" with { type: "json" };
import { normalizeName } from "../../matching/normalize/normalize.ts";

/** `icon` names a file in public/icons. */
export interface Category {
  id: string;
  name: string;
  pluralName: string;
  shortName: string;
  icon: string;
  children: Category[];
}

export const categoryTree: readonly Category[] = tree;

/** All categories, parents first. */
export const allCategories: readonly Category[] = categoryTree.flatMap(withDescendants);

const paths = new Map(categoryTree.flatMap((root) => pathsBelow(root, [])));
const spellings = new Map(allCategories.map((category) => [category, spellingsOf(category)]));

export function findCategory(id: string): Category | undefined {
  return paths.get(id)?.at(-1);
}

/** Tells the match what the categories of its candidates are called. Changes the rows: copies would cost more than the match. */
export function withCategories<Row extends { categoryId: string | null; category?: string | undefined }>(
  rows: Row[],
): Row[] {
  for (const row of rows) row.category ??= row.categoryId === null ? undefined : findCategory(row.categoryId)?.name;
  return rows;
}

/** Starts with the top group; empty for an unknown id. */
export function categoryPath(id: string): readonly Category[] {
  return paths.get(id) ?? [];
}

/** Includes the category itself; empty for an unknown id. */
export function descendantIds(id: string): string[] {
  const category = findCategory(id);
  return category ? withDescendants(category).map((each) => each.id) : [];
}

/** Finds whole words: "coffee" finds "Coffee Shop", "bar" does not find "Barber". Exact names come first. */
export function searchCategories(text: string): Category[] {
  const term = normalizeName(text);
  const words = splitWords(term);
  if (words.length === 0) return [];
  const found = allCategories.filter((category) => words.every((word) => spellings.get(category)?.words.has(word)));
  const isNamedSo = (category: Category) => Number(spellings.get(category)?.names.includes(term));
  return found.sort((a, b) => isNamedSo(b) - isNamedSo(a));
}

function withDescendants(category: Category): Category[] {
  return [category, ...category.children.flatMap(withDescendants)];
}

function pathsBelow(category: Category, above: readonly Category[]): [string, readonly Category[]][] {
  const path = [...above, category];
  return [[category.id, path], ...category.children.flatMap((child) => pathsBelow(child, path))];
}

function spellingsOf({ name, pluralName, shortName }: Category): { names: string[]; words: Set<string> } {
  const names = [name, pluralName, shortName].map(normalizeName);
  return { names, words: new Set(names.flatMap(splitWords)) };
}

function splitWords(normalized: string): string[] {
  return normalized.split(" ").filter((word) => word !== "" && word !== "and");
}
