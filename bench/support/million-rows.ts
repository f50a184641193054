import type { Pool } from "pg";
import type { ChosenListing } from "./listings.ts";

const AT_A_TIME = 20_000;

export async function hasAnswers(database: Pool, id: string): Promise<boolean> {
  const text = "SELECT FROM app.listing WHERE harmonization_id = $1 AND status = 'asked' LIMIT 1";
  return (await database.query(text, [id])).rowCount === 1;
}

/** Copies results of matched listings, of which there is one, to those still pending. One in ten shares its best candidate with others. */
export async function fillIn(database: Pool, id: string): Promise<void> {
  await database.query(`CREATE TABLE IF NOT EXISTS public.answered AS
    SELECT row_number() OVER () AS n, score, is_clear, best_id, candidates, pattern
      FROM app.listing WHERE harmonization_id = '${id}' AND status = 'asked' LIMIT 5000`);
  await database.query("CREATE UNIQUE INDEX ON public.answered (n)");
  const { rows } = await database.query(
    `SELECT max(number) AS last, (SELECT count(*)::int FROM public.answered) AS answered
       FROM app.listing WHERE harmonization_id = $1`,
    [id],
  );
  const [{ last, answered }] = rows;
  for (let from = 0; from < last; from += AT_A_TIME)
    await database.query(
      `UPDATE app.listing l SET status = 'asked', score = a.score, is_clear = a.is_clear, candidates = a.candidates,
              best_id = CASE WHEN a.best_id IS NULL OR l.number % 10 = 0 THEN a.best_id ELSE 'v' || l.number END,
              pattern = a.pattern, matched_at = now()
         FROM public.answered a
        WHERE l.harmonization_id = $1 AND l.number > $2 AND l.number <= $3 AND l.status = 'pending' AND a.n = 1 + l.number % $4`,
      [id, from, from + AT_A_TIME, answered],
    );
  await database.query("ANALYZE app.listing");
}

export async function rowsLeft(database: Pool, id: string): Promise<number> {
  const text = "SELECT count(*)::int AS rows FROM app.listing WHERE harmonization_id = $1";
  return (await database.query(text, [id])).rows[0].rows;
}

export const tidy = (database: Pool) => database.query("DROP TABLE public.answered");

/** The form that starts a file of csv(). */
export const START = {
  action: "start",
  "column-0": "id",
  "column-1": "name",
  "column-2": "lat",
  "column-3": "lng",
  "column-4": "address",
  "column-5": "phone",
};

/** Yields the lines of a file that repeats the listings, each with `notes` in a seventh column. */
export function* csv(listings: ChosenListing[], rows: number, notes = ""): Generator<string> {
  yield "id,name,lat,lng,address,phone,notes\n";
  let lines = "";
  for (let index = 0; index < rows; index++) {
    const { name, lat, lng, address = "", phone = "" } = listings[index % listings.length] as ChosenListing;
    lines += `${[index, name, lat, lng, address, phone, notes].map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join()}\n`;
    if (lines.length < 60_000) continue;
    yield lines;
    lines = "";
  }
  yield lines;
}
