import { UNSPACED } from "./normalize/place-kinds.ts";
import { skeletonOf } from "./normalize/sound.ts";
import type { Prepared } from "./prepare.ts";
import { dice, editSimilarity } from "./text/similarity.ts";

type Words = Pick<Prepared, "words">;

/** Returns the similarity of the sounds, without fillers and kinds of place; 0 if too little is left. */
export function soundLikeness(a: Words, b: Words): number {
  const [left, right] = [a, b].map(({ words }) =>
    skeletonOf(
      words
        .filter(({ kinds, isFiller }) => kinds === 0 && !isFiller)
        .map(({ text }) => text)
        .join(""),
    ),
  ) as [string, string];
  return Math.min(left.length, right.length) < 3 ? 0 : editSimilarity(left, right);
}

export function originalLikeness(a: Prepared, b: Prepared): number {
  return Math.max(dice(a.originalTrigrams, b.originalTrigrams), editSimilarity(a.original, b.original));
}

/** Whether a name is in a script without spaces. */
export const isUnspacedName = ({ original }: Prepared): boolean => UNSPACED.test(original);
