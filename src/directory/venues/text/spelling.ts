import { type Db, prepared, queryRows } from "../../../db/sql.ts";
import { editDistance } from "../../places/geocode.ts";

const MEANT = 6;

/** How many letters may be wrong; none in short words, which would match others. */
export const mistakes = (word: string): number =>
  word.length < 4 || word.length > 40 ? 0 : word.length < 7 ? 1 : word.length < 11 ? 2 : 3;

/** Fewest wrong letters first, then most frequent. directory.name_word is as old as the last refresh of the places. */
export async function respell(db: Db, words: readonly string[]): Promise<Map<string, string[]>> {
  const long = words.filter((word) => mistakes(word) > 0);
  const rows = await queryRows<{ word: string; near: string; venues: number }>(prepared(db))`
    SELECT wrong.word, n.word AS near, n.venues
      FROM unnest(${long}::text[]) AS wrong(word) CROSS JOIN LATERAL (
           SELECT * FROM directory.name_word w WHERE w.word % wrong.word
            ORDER BY similarity(w.word, wrong.word) DESC, w.venues DESC LIMIT 40) n
     WHERE NOT EXISTS (SELECT FROM directory.name_word w WHERE w.word >= wrong.word COLLATE "C"
                        AND w.word < (wrong.word || chr(1114111)) COLLATE "C")`;
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
