/**
 * The picture of `public/icons.svg` for a category of any directory, told by its name: another host's pictures are
 * neither needed nor allowed. A pin for what has none.
 */
export function categoryGlyph(category: string | undefined): string {
  return GLYPHS.find(([, words]) => words.test(category ?? ""))?.[0] ?? "pin";
}

/** The first that fits counts. */
export const GLYPHS: [glyph: string, words: RegExp][] = [
  ["coffee", /coffee|\btea\b|caf[eé]|bakery|bagel|donut|breakfast|ice cream|dessert/i],
  ["bar", /\bbars?\b|\bpubs?\b|night|lounge|brewery|wine|liquor/i],
  ["food", /restaurant|food|pizza|\bdeli\b|diner|steak|grill|kitchen|burger|sandwich|meat|fish/i],
  ["school", /school|college|universit|education|training/i],
  ["sport", /sport|gym|fitness|golf|bowling|yoga|exercise|stadium|race/i],
  ["arts", /\barts?\b|museum|theat|cinema|movie|music|galler|perform/i],
  ["outdoors", /outdoor|\bpark\b|recreation|marina|camp|beach|trail/i],
  ["stay", /hotel|motel|\binn\b|lodging|hostel/i],
  [
    "travel",
    /travel|transit|transport|station|airport|\bbus\b|train|ferry|auto|fuel|\bgas\b|\bcars?\b|vehicle|parking|rental/i,
  ],
  ["health", /health|doctor|medic|dent|pharmac|hospital|veterin|optic/i],
  ["home", /home|furnitur|hardware|building|laundry|house|garden/i],
  ["shop", /shop|store|retail|market|grocer|cloth|shoe|book|florist|jewel/i],
  ["library", /library|government|office|professional|service/i],
];
