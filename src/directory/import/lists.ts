/** Characters read of a list in text form. */
const LONGEST_LIST = 4000;

/** "text" or 'text' with escapes, or text up to the next comma. */
const ELEMENT = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|[^\s,"'][^,]*/g;

/** Top levels of category paths in the Foursquare OS Places release; after a comma, they begin a new path. */
const TOP_CATEGORY =
  /^(?:Arts and Entertainment|Business and Professional Services|Community and Government|Dining and Drinking|Event|Health and Medicine|Landmarks and Outdoors|Retail|Sports and Recreation|Travel and Transportation)\s*(?:>|$)/;

/** Reads JSON and the forms of CSV exports: `[a, b]`, `['a', "b"]`, `['a' 'b']`, `{a,"b, c"}`, or a single value. */
export function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(cellText).filter((text) => text !== undefined);
  const text = cellText(value)?.trim() ?? "";
  const [, inside] = /^[[{](.*)[\]}]$/s.exec(text) ?? [];
  if (inside === undefined) return text === "" ? [] : [text];
  return elementsOf(inside.slice(0, LONGEST_LIST));
}

export function cellText(value: unknown): string | undefined {
  return (typeof value === "string" && value.trim() !== "") || typeof value === "number" ? String(value) : undefined;
}

/** Unquoted paths may contain commas ("Dining and Drinking > Cafe, Coffee, and Tea House"). */
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
