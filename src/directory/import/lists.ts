/** Characters of a list in text form that are looked at. */
const LONGEST_LIST = 4000;

/** "text" or 'text' with its escapes, or anything up to the next comma. */
const ELEMENT = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|[^\s,"'][^,]*/g;

/** The top of the category paths of the Foursquare OS Places release: where a path begins after a comma. */
const TOP_CATEGORY =
  /^(?:Arts and Entertainment|Business and Professional Services|Community and Government|Dining and Drinking|Event|Health and Medicine|Landmarks and Outdoors|Retail|Sports and Recreation|Travel and Transportation)\s*(?:>|$)/;

/**
 * The texts of a list, as it stands in JSON or in the text forms that exports to CSV write: `[a, b]`, `['a', "b"]`,
 * `['a' 'b']`, `{a,"b, c"}`. A value that is no list is a list of one, nothing an empty list.
 */
export function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(cellText).filter((text) => text !== undefined);
  const text = cellText(value)?.trim() ?? "";
  const [, inside] = /^[[{](.*)[\]}]$/s.exec(text) ?? [];
  if (inside === undefined) return text === "" ? [] : [text];
  return elementsOf(inside.slice(0, LONGEST_LIST));
}

/** A value as text. Undefined for nothing, and for what is neither text nor number. */
export function cellText(value: unknown): string | undefined {
  return (typeof value === "string" && value.trim() !== "") || typeof value === "number" ? String(value) : undefined;
}

/** Paths without quotes hold commas of their own ("Dining and Drinking > Cafe, Coffee, and Tea House"). */
function elementsOf(inside: string): string[] {
  const hasPaths = inside.includes(">");
  const elements: string[] = [];
  let isOpen = false;
  for (const [whole, double, single] of inside.matchAll(ELEMENT)) {
    const quoted = double ?? single;
    const last = elements.at(-1);
    if (quoted !== undefined) elements.push(quoted.replace(/\\(.)/gs, "$1"));
    else if (isOpen && hasPaths && last !== undefined && !TOP_CATEGORY.test(whole))
      elements[elements.length - 1] = `${last}, ${whole.trim()}`;
    else elements.push(whole.trim());
    isOpen = quoted === undefined;
  }
  return elements;
}
