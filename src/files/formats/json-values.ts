import { LONGEST_RECORD, MOST_DEPTH } from "./base/limits.ts";
import { unusableFile } from "./base/refusal.ts";
import { jsonTokens } from "./json-tokens.ts";

/** A record as it is written. */
export interface JsonValue {
  /** Of the text, from 1. */
  line: number;
  /** Undefined if it is longer than LONGEST_RECORD. */
  text: string | undefined;
}

/** Where records are: in the list behind these names, or one after the other in the text (undefined). */
export type Place = string[] | undefined;

interface Level {
  isList: boolean;
  /** In an object: the name of this value. */
  key: string;
  /** Whether the names that lead here begin those of the place. */
  isOnWay: boolean;
}

/** The open lists and objects of a text, and the name of the next value. Names are compared once: they may be long. */
function levels(wanted: Place) {
  const stack: Level[] = [];
  let key = "";
  return {
    stack,
    named(text: string): void {
      try {
        key = JSON.parse(text);
      } catch {
        key = "";
      }
    },
    open(sign: "{" | "["): void {
      const parent = stack.at(-1);
      const isOnWay = !parent || (parent.isOnWay && !parent.isList && key === wanted?.[stack.length - 1]);
      stack.push({ isList: sign === "[", key, isOnWay });
      if (stack.length > MOST_DEPTH) throw tooDeep();
    },
    close: () => void stack.pop(),
    /** Whether the innermost list is the wanted one. */
    isThere(): boolean {
      const last = stack.at(-1);
      return last?.isList === true && last.isOnWay && stack.length - 1 === wanted?.length;
    },
    /** The names that lead to the innermost list; undefined if it is no list, or within another. */
    place(): Place {
      const isReached = stack.at(-1)?.isList && !stack.slice(0, -1).some(({ isList }) => isList);
      return isReached ? stack.slice(1).map(({ key }) => key) : undefined;
    },
  };
}

export const tooDeep = () =>
  unusableFile(
    `This JSON is nested more than ${MOST_DEPTH} levels deep. Write its lists with fewer levels, or as CSV.`,
    413,
  );

const isOpening = (sign: string): sign is "{" | "[" => sign === "{" || sign === "[";
const isClosing = (sign: string): boolean => sign === "}" || sign === "]";

/** Finds the first list of objects, unless several values follow each other. */
export async function findPlace(pieces: AsyncIterable<string>): Promise<Place> {
  const [source, open] = [jsonTokens(), levels(undefined)];
  let found: Place;
  let isEnded = false;
  for await (const piece of pieces) {
    source.push(piece);
    // Once the list is found, only whether anything follows the value that it is in matters.
    const next = () => (found && !isEnded ? source.nextBracket() : source.next());
    for (let token = next(); token; token = next()) {
      const { sign, from, to } = token;
      if (isEnded) return undefined;
      if (sign === "string") open.named(source.textOf(from, to));
      if (sign === "{") found ??= open.place();
      if (isOpening(sign)) open.open(sign);
      else if (isClosing(sign)) open.close();
      if (found?.length === 0) return found;
      isEnded = open.stack.length === 0;
    }
    if (source.length() > LONGEST_RECORD) source.forget();
  }
  return found;
}

/** Yields the records at a place, in batches. One that the end of the text cuts off comes as it is. */
export async function* jsonValues(pieces: AsyncIterable<string>, place: Place): AsyncGenerator<JsonValue[]> {
  const [source, open] = [jsonTokens(), levels(place)];
  const { stack } = open;
  /** The depth at which records are; -1 until the list is found. */
  let depth = place ? -1 : 0;
  let begun: { line: number; from: number } | undefined;
  let isLong = false;
  let found: JsonValue[] = [];
  const finish = (to?: number) => {
    if (begun) found.push({ line: begun.line, text: isLong ? undefined : source.textOf(begun.from, to) });
    source.keepFrom(-1);
    [begun, isLong] = [undefined, false];
  };
  for await (const piece of pieces) {
    const moved = source.push(piece);
    if (begun) begun.from -= moved;
    // Of a record only its end matters.
    const next = () => (begun ? source.nextBracket() : source.next());
    for (let token = next(); token; token = next()) {
      const { sign, from, to } = token;
      if (!begun && stack.length === depth && !isClosing(sign) && sign !== "," && sign !== ":") {
        begun = { line: source.lineAt(from), from };
        source.keepFrom(from);
      } else if (!begun && sign === "string") open.named(source.textOf(from, to));
      if (isOpening(sign)) {
        open.open(sign);
        if (depth < 0 && open.isThere()) depth = stack.length;
      } else if (isClosing(sign)) {
        open.close();
        if (stack.length < depth) return yield found;
      }
      if (begun && stack.length === depth) finish(to);
    }
    if (source.length() > LONGEST_RECORD) {
      isLong = begun !== undefined;
      source.forget();
    }
    yield found;
    found = [];
  }
  // A text that is cut off between two records ends with one that cannot be read, too.
  if (!begun && stack.length > 0 && depth >= 0) found.push({ line: source.lineAt(source.length()), text: "" });
  finish();
  yield found;
}
