import foursquare from "../../../prisma/category-maps/foursquare.json" with { type: "json" };
import osm from "../../../prisma/category-maps/osm.json" with { type: "json" };
import overture from "../../../prisma/category-maps/overture.json" with { type: "json" };
import { allCategories } from "../categories/tree.ts";

const ids = new Map(allCategories.map(({ id, name }) => [name, id]));

/** Names of our tree by a release's own; null where we have nothing that fits. */
const MAPS: Record<string, ReadonlyMap<string, string | null>> = {
  overture: new Map<string, string | null>(Object.entries(overture.categories)),
  foursquare: new Map<string, string | null>(Object.entries(foursquare.categories)),
};

const codes = new Map<string, string | null>(Object.entries({ ...overture.categories, ...osm.categories }));

/** Returns our id for a value that OpenStreetMap or Overture writes, such as `fast_food`. */
export const idOfCode = (code: string): string | undefined => ids.get(codes.get(code) ?? "");

/** Counts the categories of one import that the map of its release lacks, or has nothing for. */
export interface Unmapped {
  places: number;
  categories: Map<string, number>;
}

/**
 * Returns our id for the first of a place's categories that has one. Paths ("Retail > Bookstore > Used Bookstore") fall back on
 * their parents.
 */
export function ourCategory(release: string, categories: readonly string[], unmapped: Unmapped): string | undefined {
  const map = MAPS[release];
  for (const category of categories) {
    const id = ids.get(nearest(map, category) ?? "");
    if (id) return id;
  }
  const [first] = categories;
  if (first === undefined) return undefined;
  unmapped.places += 1;
  unmapped.categories.set(first, (unmapped.categories.get(first) ?? 0) + 1);
  return undefined;
}

function nearest(map: ReadonlyMap<string, string | null> | undefined, category: string): string | null | undefined {
  for (let path = category; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf(" > ")))) {
    const ours = map?.get(path);
    if (ours !== undefined) return ours;
  }
  return undefined;
}
