import { LONGEST_RECORD, MOST_DEPTH } from "./base/limits.ts";
import { unusableFile } from "./base/refusal.ts";
import { jsonTokens } from "./json-tokens.ts";

/** A record as it is written. */
export interface JsonValue {
  /** Of the text, from 1. */
  line: number;
  /** Undefined if it is longer than LONGEST_RECORD. */
  text: string | undefined;
  /** Its name, if the records are the members of an object. */
  key?: string;
}

/** Where records are: in the list, or in the object, behind these names, or one after the other in the text (undefined). */
export type Place = { names: string[]; isKeyed: boolean } | undefined;

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
      const isOnWay = !parent || (parent.isOnWay && !parent.isList && key === wanted?.names[stack.length - 1]);
      stack.push({ isList: sign === "[", key, isOnWay });
      if (stack.length > MOST_DEPTH) throw tooDeep();
    },
    close: () => void stack.pop(),
    key: () => key,
    /** Whether the innermost list or object is the wanted one. */
    isThere(): boolean {
      const last = stack.at(-1);
      return last?.isOnWay === true && last.isList !== wanted?.isKeyed && stack.length - 1 === wanted?.names.length;
    },
    /** The names that lead to the innermost list; undefined if it is no list, or within another. */
    place(): Place {
      const isReached = stack.at(-1)?.isList && !stack.slice(0, -1).some(({ isList }) => isList);
      return isReached ? { names: stack.slice(1).map(({ key }) => key), isKeyed: false } : undefined;
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
  const source = jsonTokens();
  const open = levels(undefined);
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
      if (found?.names.length === 0) return found;
      isEnded = open.stack.length === 0;
    }
    if (source.length() > LONGEST_RECORD) source.forget();
  }
  return found;
}

/**
 * Finds the object whose members are records, such as `{"S-1": {"name": …}, "S-2": {"name": …}}`, in the beginning of a text: the
 * text itself, or a member of it.
 */
export async function findKeyed(begin: string): Promise<Place> {
  const membersAt = async (names: string[]) => {
    const found: JsonValue[] = [];
    for await (const values of jsonValues([begin], { names, isKeyed: true })) found.push(...values);
    return found;
  };
  const members = await membersAt([]);
  if (areRecords(members)) return { names: [], isKeyed: true };
  for (const { key = "" } of members.slice(0, MOST_MEMBERS))
    if (areRecords(await membersAt([key]))) return { names: [key], isKeyed: true };
  return undefined;
}

const MOST_MEMBERS = 10;

/** Whether each is an object with half the names of the first. A table by column is none: its members are named from 0. */
function areRecords(members: JsonValue[]): boolean {
  // The end of the beginning may cut one off.
  const all = members.slice(0, Math.max(members.length - 1, 2)).map(({ text }) => namesIn(text));
  const [first = []] = all;
  const isLike = (names: string[]) =>
    names.filter((name) => first.includes(name)).length * 2 >= Math.min(names.length, first.length);
  return all.length > 1 && first.length > 1 && !first.includes("0") && all.every((names) => names[0] && isLike(names));
}

/** The names of an object; none of anything else. */
function namesIn(text = ""): string[] {
  try {
    return text.startsWith("{") ? Object.keys(JSON.parse(text)) : [];
  } catch {
    return [];
  }
}

/** Yields the records at a place, in batches. One that the end of the text cuts off comes as it is. */
export async function* jsonValues(
  pieces: AsyncIterable<string> | Iterable<string>,
  place: Place,
): AsyncGenerator<JsonValue[]> {
  const source = jsonTokens();
  const open = levels(place);
  const { stack } = open;
  /** The depth at which records are; -1 until the list is found. */
  let depth = place ? -1 : 0;
  let begun: { line: number; from: number; key?: string } | undefined;
  let isLong = false;
  let found: JsonValue[] = [];
  let before: string | undefined;
  const mayBegin = (sign: string) =>
    place?.isKeyed ? before === ":" : !isClosing(sign) && sign !== "," && sign !== ":";
  const finish = (to?: number) => {
    if (begun) {
      const { from, ...about } = begun;
      found.push({ ...about, text: isLong ? undefined : source.textOf(from, to) });
    }
    source.keepFrom(-1);
    begun = undefined;
    isLong = false;
  };
  for await (const piece of pieces) {
    const moved = source.push(piece);
    if (begun) begun.from -= moved;
    // Of a record only its end matters.
    const next = () => (begun ? source.nextBracket() : source.next());
    for (let token = next(); token; token = next()) {
      const { sign, from, to } = token;
      if (!begun && stack.length === depth && mayBegin(sign)) {
        begun = { line: source.lineAt(from), from, ...(place?.isKeyed && { key: open.key() }) };
        source.keepFrom(from);
      } else if (!begun && sign === "string") open.named(source.textOf(from, to));
      if (isOpening(sign)) {
        open.open(sign);
        if (depth < 0 && open.isThere()) depth = stack.length;
      } else if (isClosing(sign)) {
        open.close();
        if (stack.length < depth) return yield found;
      }
      before = sign;
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
