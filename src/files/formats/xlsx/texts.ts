import { MOST_TEXTS, tooMuch } from "../base/limits.ts";
import { parseXml } from "../base/xml.ts";

/** Returns a shared text of a workbook by its number. */
export type Texts = (index: number) => string;

const CHUNK = 1024 * 1024;
/** Characters of a cell, by Excel's own limit. */
const LONGEST = 32_767;

/** Reads the shared texts. Throws KnownError 413 if they take more than MOST_TEXTS bytes. */
export async function readTexts(bytes: AsyncIterable<Buffer> | undefined): Promise<Texts> {
  const { add, at } = textStore();
  if (!bytes) return at;
  const item = textCollector();
  const handlers = {
    ...item,
    close(name: string) {
      if (name === "si") add(item.take());
      else item.close(name);
    },
  };
  for await (const _ of parseXml(bytes, handlers));
  return at;
}

/** Keeps texts as bytes outside the heap, because there may be millions. */
function textStore() {
  const chunks: Buffer[] = [];
  let places = new Uint32Array(2048); // beginning and end of each
  let count = 0;
  let end = 0;
  function add(text: string): void {
    const length = Buffer.byteLength(text);
    if ((end % CHUNK) + length > CHUNK || chunks.length === 0) {
      end = chunks.length * CHUNK;
      chunks.push(Buffer.allocUnsafe(CHUNK));
    }
    if (end + length + places.byteLength > MOST_TEXTS)
      throw tooMuch(`The texts in this workbook, each counted once, take more than ${MOST_TEXTS / CHUNK} MB.`);
    chunks.at(-1)?.write(text, end % CHUNK);
    if (count * 2 === places.length) {
      const more = new Uint32Array(places.length * 2);
      more.set(places);
      places = more;
    }
    places.set([end, end + length], count * 2);
    end += length;
    count += 1;
  }
  function at(index: number): string {
    const [from = 0, to = 0] = index < count ? places.subarray(index * 2, index * 2 + 2) : [];
    const start = from % CHUNK;
    return chunks[Math.floor(from / CHUNK)]?.toString("utf8", start, start + to - from) ?? "";
  }
  return { add, at };
}

/** Collects the text of a cell with its runs, without what says how it is pronounced. */
export function textCollector() {
  let text = "";
  let isText = false;
  let isPhonetic = false;
  return {
    open(name: string): void {
      if (name === "t") isText = !isPhonetic;
      else if (name === "rPh") isPhonetic = true;
    },
    text(piece: string): void {
      if (isText && text.length < LONGEST) text += piece;
    },
    close(name: string): void {
      if (name === "t") isText = false;
      else if (name === "rPh") isPhonetic = false;
    },
    take(): string {
      const taken = text.slice(0, LONGEST);
      text = "";
      return unescaped(taken);
    },
  };
}

/** Excel writes control characters as `_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
