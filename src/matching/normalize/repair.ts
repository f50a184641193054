/**
 * Repairs UTF-8 that was decoded as Windows-1252 or Latin-1, up to three times ("CafÃ©", "CafÃƒÂ©"), and HTML entities
 * ("&amp;", "&#39;", "&eacute;"). What does not decode cleanly stays as it is. An accented letter may become a letter
 * and a combining accent.
 */
export function repairText(text: string): string {
  const decoded = decodeEntities(text);
  return isAscii(decoded) ? decoded : repairMojibake(decoded);
}

export const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text);

function decodeEntities(text: string): string {
  let plain = text;
  // "&amp;amp;" was encoded twice
  for (let times = 0; times < 3 && plain.includes("&") && plain.includes(";"); times++) {
    plain = plain.replace(ENTITY, (whole, decimal, hex, letter, mark, name) => {
      if (letter) return letter + MARKS[mark];
      if (name) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      const isCharacter = code > 0 && code < 0x11_0000 && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : whole;
    });
  }
  return plain;
}

const MARKS: Record<string, string> = {
  grave: "\u0300",
  acute: "\u0301",
  circ: "\u0302",
  tilde: "\u0303",
  uml: "\u0308",
  ring: "\u030a",
  caron: "\u030c",
  cedil: "\u0327",
  slash: "\u0338",
};

const ENTITY = new RegExp(
  `&(?:#(\\d{1,7})|#[xX]([\\da-fA-F]{1,6})|([A-Za-z])(${Object.keys(MARKS).join("|")})|([A-Za-z]{2,6}));`,
  "g",
);

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  middot: "·",
  bull: "•",
  nbsp: " ",
  trade: "™",
  reg: "®",
  copy: "©",
  szlig: "ß",
  aelig: "æ",
  oelig: "œ",
  ordm: "º",
  ordf: "ª",
};

function repairMojibake(text: string): string {
  let repaired = text;
  for (let times = 0; times < 3; times++) {
    const before = repaired;
    repaired = before.replace(MOJIBAKE, asUtf8);
    if (repaired === before) break;
  }
  return repaired;
}

function asUtf8(sequences: string): string {
  const bytes = Uint8Array.from(sequences, (char) => WINDOWS_1252.get(char) ?? char.charCodeAt(0));
  try {
    return UTF8.decode(bytes);
  } catch {
    return sequences === "â€" ? "”" : sequences; // its third byte is undefined in Windows-1252 and often lost
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The characters of bytes 0x80 to 0x9f. The five that Windows-1252 does not define decode to control characters. */
const SPECIALS = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";
const SPECIAL_BYTES = [
  0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96,
  0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f,
];
const WINDOWS_1252 = new Map(SPECIAL_BYTES.map((byte, index) => [SPECIALS[index], byte]));

/** What continuation bytes of UTF-8 (0x80 to 0xbf) were decoded to. */
const NEXT = `[\\x80-\\xbf${SPECIALS}]`;

/** Those that are not letters. */
const NEXT_SIGN = `[\\x80-\\xa9\\xab-\\xb4\\xb6-\\xb9\\xbb-\\xbf${SPECIALS.replace(/\p{L}/gu, "")}]`;

/** Two of them, not both letters: "éžš" may occur in a correct name. */
const TWO_NEXT = `(?:${NEXT_SIGN}${NEXT}|${NEXT}${NEXT_SIGN})`;

/**
 * UTF-8 decoded as single bytes. A capital letter before a sign is not rare in correct text ("CAFÉ™", "MÍŠ"). Therefore
 * a pair of bytes counts only if it encodes a letter of western or central Europe and hardly occurs otherwise, or if
 * several pairs in a row encode Cyrillic, Greek, Hebrew or Arabic.
 */
const MOJIBAKE = new RegExp(
  [
    `[ÂÃÄÅ]${NEXT}`,
    "Æ[\u00a1\u00af\u00b0]",
    `(?:Æ’|Ë[†œ])(?=[Â-ô])|(?<=[Â-ô]${NEXT})(?:Æ’|Ë[†œ])`, // decoded wrongly twice
    "(?<=[a-z])È[˜™š›]",
    `(?<![A-Za-z])[à-ï]${TWO_NEXT}|[áâ]${TWO_NEXT}`, // not in “Café”™
    `[ð-ô]${NEXT}{3}`,
    "â€",
    `(?:[ÎÏ]${NEXT}){2,}`,
    `(?:[Ð-Ó]${NEXT}){2,}`,
    `(?:×${NEXT}){2,}`,
    `(?:[Ø-Û]${NEXT}){2,}`,
  ].join("|"),
  "g",
);
