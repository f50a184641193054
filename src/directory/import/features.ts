import type { Readable } from "node:stream";
import { badRequest } from "./bad-request.ts";

/** Characters. The text of a longer feature is not stored. */
const LONGEST_FEATURE = 1024 * 1024;

/**
 * Yields each feature as text, undefined if it is too long. Looks only for the ends of features, so one with invalid
 * JSON does not affect others if its quotes and brackets are balanced. Throws KnownError if the text has no list of
 * features or is cut off.
 */
export async function* readFeatures(text: Readable): AsyncGenerator<string | undefined> {
  const scan: Scan = { depth: 0, isObject: false, isFound: false, isInList: false, name: "", kept: "", quote: "none" };
  let count = 0;
  for await (const piece of text.setEncoding("utf8")) {
    for (const feature of featuresIn(piece, scan)) {
      count += 1;
      yield feature;
    }
  }
  if (!scan.isFound)
    throw badRequest("The file is not a GeoJSON FeatureCollection. If it has one object per line, name it .ndjson.");
  if (scan.depth !== 0) throw badRequest(`The file is damaged or cut off after feature ${count}.`);
}

interface Scan {
  depth: number;
  isObject: boolean;
  /** `isFound`: the list of features has been found; `isInList`: it is still open. */
  isFound: boolean;
  isInList: boolean;
  /** The last text directly inside the collection: the key before an opening bracket. */
  name: string;
  kept: string;
  quote: "none" | "open" | "escape";
}

function* featuresIn(piece: string, scan: Scan): Generator<string | undefined> {
  let start = 0;
  for (let at = 0; at < piece.length; at++) {
    const char = piece.charAt(at);
    const wasInList = scan.isInList;
    advance(scan, char);
    if (!wasInList) {
      if (scan.isInList) start = at + 1;
      continue;
    }
    if (scan.isInList && !(char === "," && scan.depth === 2 && scan.quote === "none")) continue;
    const text = scan.kept + piece.slice(start, at);
    scan.kept = "";
    start = at + 1;
    if (scan.isInList || text.trim() !== "") yield text.length > LONGEST_FEATURE ? undefined : text;
  }
  if (scan.isInList) scan.kept = (scan.kept + piece.slice(start)).slice(0, LONGEST_FEATURE + 1);
}

function advance(scan: Scan, char: string): void {
  if (scan.quote === "escape") scan.quote = "open";
  else if (scan.quote === "open") {
    if (char === '"') scan.quote = "none";
    else if (char === "\\") scan.quote = "escape";
    else if (scan.depth === 1 && scan.name.length < 20) scan.name += char;
  } else if (char === '"') {
    scan.quote = "open";
    if (scan.depth === 1) scan.name = "";
  } else if (char === "{" || char === "[") {
    if (scan.depth === 0) scan.isObject = char === "{";
    if (scan.depth === 1 && scan.isObject && char === "[" && scan.name === "features")
      scan.isFound = scan.isInList = true;
    scan.depth += 1;
  } else if (char === "}" || char === "]") {
    scan.depth -= 1;
    if (scan.depth < 2) scan.isInList = false;
  }
}
