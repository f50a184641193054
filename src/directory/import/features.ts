import type { Readable } from "node:stream";
import { badRequest } from "./bad-request.ts";

/** Characters. A longer feature is no venue, and its text is not kept. */
const LONGEST_FEATURE = 1024 * 1024;

/**
 * The features of a GeoJSON FeatureCollection of any length, each as its text; undefined for one that is too long. Only
 * where each ends is looked at: one that is no valid JSON costs no other, if its quotes and brackets are closed.
 *
 * @throws KnownError when the text is no object with a list of features, or ends in the middle
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
    throw badRequest("The file is no GeoJSON FeatureCollection. A file with an object a line is named .ndjson.");
  if (scan.depth !== 0) throw badRequest(`The file is damaged or cut off after feature ${count}.`);
}

/** Where a reading stands. */
interface Scan {
  /** Brackets that are open. */
  depth: number;
  /** The outermost of them is that of an object. */
  isObject: boolean;
  /** The list of features was found, and it is open. */
  isFound: boolean;
  isInList: boolean;
  /** The last text right in the collection: when a bracket opens, the name of what is in it. */
  name: string;
  /** What the pieces before hold of the feature under way. */
  kept: string;
  quote: "none" | "open" | "escape";
}

/** The features that end in this piece of the text, wherever it is cut. */
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
