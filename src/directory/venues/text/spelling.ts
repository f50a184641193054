import type { Pool } from "pg";
import { editDistance } from "../../places/geocode.ts";

const MEANT = 6;

/** How many letters may be wrong; none in short words, which would match others. */
export const mistakes = (word: string): number =>
  word.length < 4 || word.length > 40 ? 0 : word.length < 7 ? 1 : word.length < 11 ? 2 : 3;

/** Fewest wrong letters first, then most frequent. directory.name_word is as old as the last refresh of the places. */
export async function respell(pool: Pool, words: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ word: string; near: string; venues: number }>({
    name: "respell",
    text: `SELECT wrong.word, n.word AS near, n.venues
             FROM unnest($1::text[]) AS wrong(word) CROSS JOIN LATERAL (
                  SELECT * FROM directory.name_word w WHERE w.word % wrong.word
                   ORDER BY similarity(w.word, wrong.word) DESC, w.venues DESC LIMIT 40) n
            WHERE NOT EXISTS (SELECT FROM directory.name_word w WHERE w.word >= wrong.word COLLATE "C"
                               AND w.word < (wrong.word || chr(1114111)) COLLATE "C")`,
    values: [words.filter((word) => mistakes(word) > 0)],
  });
  const found = new Map<string, string[]>();
  const near = rows
    .map((row) => ({ ...row, off: editDistance(row.word, row.near) }))
    .filter(({ word, off }) => off <= mistakes(word))
    .sort((a, b) => a.off - b.off || b.venues - a.venues);
  for (const { word, near: meant } of near) {
    const list = found.get(word) ?? [];
    if (list.length < MEANT) found.set(word, [...list, meant]);
  }
  return found;
}
