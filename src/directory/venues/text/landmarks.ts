import type { Pool } from "pg";
import { askIn, type Ranked, type Scope } from "./ask.ts";
import { categoriesCalled } from "./categories.ts";
import { readingsOf, readTerm, type Term } from "./readings.ts";

/** Metres around a landmark. */
const AROUND = 2_000;

type NearLandmark = readonly [what: string, landmark: string];

/** Splits a normalized term such as "pizza near brown". */
export function saidNear(text: string): NearLandmark[] {
  const [, what, landmark] = /^(.+?) (?:near|nearby|close to|around) (.+)$/.exec(text) ?? [];
  return what && landmark ? [[what, landmark]] : [];
}

/** The last one or two words may be a landmark, as in "cvs wayland square". */
export const perhapsNear = ({ words }: Term): NearLandmark[] =>
  [2, 1].flatMap((count) => {
    const textOf = (some: Term["words"]) => some.map(({ text }) => text).join(" ");
    const [what, landmark] = [textOf(words.slice(0, -count)), textOf(words.slice(-count))];
    return what === "" || categoriesCalled(landmark).size > 0 ? [] : [[what, landmark] as const];
  });

export async function searchNearLandmark(pool: Pool, ways: readonly NearLandmark[], scope: Scope): Promise<Ranked[]> {
  for (const [what, landmark] of ways) {
    const [place] = await askFor(pool, landmark, { ...scope, categoryIds: undefined, count: 1 });
    const radius = Math.min(AROUND, scope.radius);
    const found = place ? await askFor(pool, what, { ...scope, center: place.venue, boxes: undefined, radius }) : [];
    if (found.length > 0) return found;
  }
  return [];
}

function askFor(pool: Pool, text: string, scope: Scope): Promise<Ranked[]> {
  const term = readTerm(text);
  return askIn(pool, scope)(term, readingsOf(term));
}
