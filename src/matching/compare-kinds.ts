import { BELONGINGS, DEPARTMENTS, INSTITUTIONS, STOPS, TRADES } from "./normalize/place-kinds.ts";
import type { Prepared } from "./prepare.ts";
import type { Word } from "./text/word.ts";

/** Returns the kinds (bits) of the words without a close counterpart. @param met similarity to the best counterpart */
export function unmetKinds(words: Word[], met: number[]): number {
  return words.reduce((kinds, word, at) => ((met[at] as number) < 0.7 ? kinds | word.kinds : kinds), 0);
}

/** @param ofA kinds of words that only the first name has; `ofB`: only the second */
export function compareKinds(a: Prepared, b: Prepared, ofA: number, ofB: number) {
  const extra = ofA === 0 || ofB === 0 ? ofA | ofB : 0;
  const isWithin = (a.kinds & b.kinds & INSTITUTIONS) !== 0;
  const [trades, departments] = isWithin ? [0, extra] : [TRADES, DEPARTMENTS];
  const group = [BELONGINGS, STOPS, trades, departments].findIndex((kinds) => (extra & kinds) !== 0);
  return {
    sameKind: Number((a.kinds & b.kinds) !== 0),
    otherKind: Number(ofA !== 0 && ofB !== 0 && (ofA & ofB) === 0),
    extraBelonging: Number(group === 0),
    extraStop: Number(group === 1),
    extraTrade: Number(group === 2),
    extraDepartment: Number(group === 3),
    extraKind: Number(extra !== 0 && group < 0),
  };
}
