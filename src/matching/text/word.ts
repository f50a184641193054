import { isFiller, kindsOfWord } from "../normalize/place-kinds.ts";
import { trigramsOf } from "./similarity.ts";
import { soundOf } from "./spelling.ts";

/** A word of a name, with what is computed when it is first needed. */
export class Word {
  readonly text: string;
  /** An article, a preposition, a legal form or the like. */
  readonly isFiller: boolean;
  /** The kinds of place it stands for, one bit each; 0 for any other word. */
  readonly kinds: number;
  #trigrams: number[] | undefined;
  #sound: string | undefined;

  constructor(text: string) {
    this.text = text;
    this.isFiller = isFiller(text);
    this.kinds = kindsOfWord(text);
  }

  get trigrams(): number[] {
    this.#trigrams ??= trigramsOf(this.text);
    return this.#trigrams;
  }

  /** Approximate pronunciation (`soundOf`). */
  get sound(): string {
    this.#sound ??= soundOf(this.text);
    return this.#sound;
  }
}

/** Caches, because the same words recur in many names. */
export function wordOf(text: string): Word {
  const known = WORDS.get(text);
  if (known) return known;
  const word = new Word(text);
  if (WORDS.size >= MOST_WORDS) WORDS.clear();
  if (text.length <= 30) WORDS.set(text, word);
  return word;
}

const WORDS = new Map<string, Word>();
const MOST_WORDS = 20_000;
