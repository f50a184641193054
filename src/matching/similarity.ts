/** The words of a normalized text. */
export const words = (normalized: string): string[] => normalized.split(" ").filter(Boolean);

/** The trigrams of a normalized text, word by word, each word with two blanks before and one behind (as pg_trgm cuts them). */
function trigrams(normalized: string): Set<string> {
  const found = new Set<string>();
  for (const word of words(normalized)) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at++) found.add(padded.slice(at, at + 3));
  }
  return found;
}

/** Dice's coefficient of two normalized texts' trigrams: 0 nothing in common, 1 the same words. */
export function trigramSimilarity(a: string, b: string): number {
  const [left, right] = [trigrams(a), trigrams(b)];
  if (left.size + right.size === 0) return 0;
  let common = 0;
  for (const trigram of left) if (right.has(trigram)) common++;
  return (2 * common) / (left.size + right.size);
}
