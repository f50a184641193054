import { type Field, wordKey } from "../../matching/fields.ts";

/** `differs` if the other text has nothing like it. */
export interface Part {
  text: string;
  differs: boolean;
}

/** UTF-16 units; longer texts are not compared by words. */
const LONGEST = 400;

/** A single different character makes these another value, so they differ as a whole. */
const WHOLE: readonly Field[] = ["zip", "phone", "twitter"];

/**
 * Splits two texts of a field into parts, marking the words that the other lacks, as the matching reads them. The parts
 * of a text add up to it.
 */
export function differences(field: Field, a: string, b: string): [Part[], Part[]] {
  if (WHOLE.includes(field) || Math.max(a.length, b.length) > LONGEST) return [whole(a, true), whole(b, true)];
  const [left, right] = [cut(field, a), cut(field, b)];
  return [lackedBy(right, left), lackedBy(left, right)];
}

export const whole = (text: string, differs: boolean): Part[] => (text ? [{ text, differs }] : []);

/** A word, or with an empty key the text between two words. */
interface Token {
  text: string;
  key: string;
}

/** Chinese, Japanese and Thai have no spaces between words. */
const words = new Intl.Segmenter("en", { granularity: "word" });

const cut = (field: Field, text: string): Token[] =>
  [...words.segment(text)].map(({ segment }) => ({ text: segment, key: wordKey(field, segment) }));

/** Text between two marked words is marked too. */
function lackedBy(others: Token[], tokens: Token[]): Part[] {
  const known = new Set(others.map(({ key }) => key));
  const parts: Part[] = [];
  let between = "";
  const add = (text: string, differs: boolean) => {
    const last = parts.at(-1);
    if (last?.differs === differs) last.text += text;
    else if (text) parts.push({ text, differs });
  };
  for (const { text, key } of tokens) {
    if (key === "") {
      between += text;
      continue;
    }
    const differs = !known.has(key);
    add(between, differs && parts.at(-1)?.differs === true);
    add(text, differs);
    between = "";
  }
  add(between, false);
  return parts;
}
