interface Piece {
  text: string;
  /** Not in the other text. */
  differs: boolean;
}

/** Two texts, in pieces, by their longest common run of words. Together the pieces are the texts; values of a venue are short. */
export function wordDiff(before: string, after: string): { was: Piece[]; now: Piece[] } {
  const a = wordsIn(before);
  const b = wordsIn(after);
  const kept = commonWords(a, b);
  return { was: piecesOf(a, new Set(kept.map(([at]) => at))), now: piecesOf(b, new Set(kept.map(([, at]) => at))) };
}

/** Words, numbers with their decimals, and what stands between them. */
const wordsIn = (text: string): string[] =>
  text.match(/\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Pairs of places in both lists, in order. */
function commonWords(a: readonly string[], b: readonly string[]): [number, number][] {
  const longest = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (longest[i] as number[])[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

function piecesOf(words: readonly string[], kept: ReadonlySet<number>): Piece[] {
  const pieces: Piece[] = [];
  for (const [at, text] of words.entries()) {
    const last = pieces.at(-1);
    const differs = !kept.has(at);
    if (last?.differs === differs) last.text += text;
    else pieces.push({ text, differs });
  }
  return pieces;
}
