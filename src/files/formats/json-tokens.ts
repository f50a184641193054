type Sign = "{" | "}" | "[" | "]" | "," | ":" | "string" | "other";

export interface Token {
  sign: Sign;
  from: number;
  to: number;
}

const SIGNS = new Map<number, Sign>([..."{}[],:"].map((sign) => [sign.charCodeAt(0), sign as Sign]));
const [QUOTE, BACKSLASH, SPACE] = [34, 92, 32];
const OTHER_END = /[\s{}[\],:"]/g;
const BRACKET_OR_QUOTE = /[{}[\]"]/g;

/** Splits a JSON text that comes in pieces into tokens. Numbers and words are not looked at. Forgets what is before `keepFrom`. */
export function jsonTokens() {
  let text = "";
  let [at, line, searched] = [0, 1, 0];
  /** The first line end that is not counted, or the end of the text: what is before it is not searched again. */
  let lineEnd = 0;
  /** Where the kept text and an unfinished string begin; -1 for none. */
  let [kept, opened] = [-1, -1];
  const begin = () => Math.min(kept < 0 ? at : kept, opened < 0 ? at : opened);

  function lineAt(end: number): number {
    for (; lineEnd < end; lineEnd = lineEndIn(text, lineEnd + 1)) line += 1;
    return line;
  }
  /** Appends a piece, and returns by how much positions move towards the beginning. */
  function push(piece: string): number {
    const start = begin();
    lineAt(start);
    [text, at, searched] = [text.slice(start) + piece, at - start, searched - start];
    lineEnd = lineEndIn(text, lineEnd - start);
    [kept, opened] = [Math.max(kept - start, -1), Math.max(opened - start, -1)];
    return start;
  }
  function stringEnd(): Token | undefined {
    let end = text.indexOf('"', searched);
    while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
    const from = opened;
    [opened, at, searched] = end < 0 ? [opened, text.length, text.length] : [-1, end + 1, 0];
    return end < 0 ? undefined : { sign: "string", from, to: at };
  }
  function next(): Token | undefined {
    if (opened >= 0) return stringEnd();
    while (at < text.length && text.charCodeAt(at) <= SPACE) at += 1;
    if (at === text.length) return undefined;
    const [from, sign] = [at, SIGNS.get(text.charCodeAt(at))];
    at += 1;
    if (sign) return { sign, from, to: at };
    if (text.charCodeAt(from) === QUOTE) {
      [opened, searched] = [from, at];
      return stringEnd();
    }
    OTHER_END.lastIndex = at;
    at = OTHER_END.exec(text)?.index ?? text.length; // the next piece may continue it, as another token
    return { sign: "other", from, to: at };
  }
  /** The next bracket. Makes no tokens of what is before it, which takes half the time of next(). */
  function nextBracket(): Token | undefined {
    for (;;) {
      if (opened >= 0 && !stringEnd()) return undefined;
      BRACKET_OR_QUOTE.lastIndex = at;
      const isFound = BRACKET_OR_QUOTE.test(text);
      at = isFound ? BRACKET_OR_QUOTE.lastIndex : text.length;
      const sign = isFound ? SIGNS.get(text.charCodeAt(at - 1)) : undefined;
      if (!isFound || sign) return sign && { sign, from: at - 1, to: at };
      [opened, searched] = [at - 1, at];
    }
  }
  function keepFrom(position: number): void {
    kept = position;
  }
  /** Forgets what is kept, and all of an unfinished string but a backslash at its end that escapes what follows. */
  function forget(): void {
    [kept, opened] = [-1, opened < 0 ? -1 : text.length - (isEscaped(text, text.length) ? 1 : 0)];
  }
  const textOf = (from: number, to?: number) => text.slice(from, to);
  /** Characters that are kept. */
  const length = () => text.length - begin();
  return { push, next, nextBracket, lineAt, keepFrom, forget, textOf, length };
}

function lineEndIn(text: string, from: number): number {
  const found = text.indexOf("\n", from);
  return found < 0 ? text.length : found;
}

/** Whether an odd number of backslashes is before this position. */
function isEscaped(text: string, position: number): boolean {
  let before = position - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (position - before) % 2 === 0;
}
