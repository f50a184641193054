import type { Packed } from "./apart.ts";

/** What a file is by its first bytes: `zip` may also be a workbook; undefined for delimited text and anything else. */
export function kindOf(begin: Buffer): "gzip" | Packed | undefined {
  if (begin[0] === 0x1f && begin[1] === 0x8b) return "gzip";
  const magic = begin.toString("latin1", 0, 4);
  if (magic === "PK\u0003\u0004" || magic === "PK\u0005\u0006") return "zip";
  if (magic === "PAR1") return "parquet";
  const text = begin.toString("latin1", 0, LOOKED_AT).replaceAll("\0", "").replaceAll(RECORD_SEPARATOR, "");
  if (MAP_BEGIN.test(text)) return "map";
  return JSON_BEGIN.test(text) ? "json" : undefined;
}

const LOOKED_AT = 1000;
/** RFC 8142 puts one before each text. */
export const RECORD_SEPARATOR = "\x1e";

/** The first element, perhaps behind a declaration and comments. */
const MAP_BEGIN = /^(?:ï»¿)?\s*(?:<[?!][^<>]*>\s*)*<(?:\w+:)?(?:kml|gpx)\b/;
/** An object, a list of objects or texts, or nothing but the beginning of either; perhaps after a byte order mark. */
const JSON_BEGIN = /^(?:ï»¿|ÿþ|þÿ)?\s*(?:\[\s*(?:[{["\]]|$)|\{\s*(?:["}]|$))/;
