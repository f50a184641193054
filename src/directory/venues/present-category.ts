import type { Category as CategoryOnWire, VenueCategory } from "../../contract/resources.ts";
import type { Category } from "../categories/tree.ts";

/** `icon.prefix` + a size (32, 44, 64, 88) + `icon.suffix` is the icon's address. */
export function presentCategory(category: Category, baseUrl: string): VenueCategory {
  const { id, name, pluralName, shortName, icon } = category;
  return { id, name, pluralName, shortName, icon: { prefix: `${baseUrl}/icons/${icon}_`, suffix: ".svg" } };
}

export function presentTree(category: Category, baseUrl: string): CategoryOnWire {
  const categories = category.children.map((child) => presentTree(child, baseUrl));
  return { ...presentCategory(category, baseUrl), categories };
}
