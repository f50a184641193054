import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type Candidate, OUTCOME, type Query } from "../run/rows.ts";
import type { CategoryGuess, GuessCategory } from "./category.ts";
import { categorySaid } from "./venue.ts";

type Deps = Pick<Harmonizer, "pool">;

/** Guesses the categories of some listings; those without a guess are missing. */
export async function guessCategories(
  { pool }: Deps,
  h: Harmonization,
  numbers: readonly number[],
  guess: GuessCategory,
): Promise<Map<number, CategoryGuess>> {
  const { rows } = await pool.query<{
    number: number;
    cells: string[];
    query: Query | null;
    chosen: string | null;
    candidates: Candidate[];
  }>({
    name: "guess-categories",
    text: `SELECT number, cells, query, category_id AS chosen, candidates FROM app.listing
            WHERE harmonization_id = $1 AND number = ANY ($2::int[])`,
    values: [h.id, numbers],
  });
  return new Map(
    rows.flatMap(({ number, cells, query, ...row }) => {
      const found = guess({ ...row, name: query?.name ?? "", said: categorySaid(h, { cells, query }) });
      return found ? [[number, found] as const] : [];
    }),
  );
}

/** Keeps the category that a person chose for the venues of listings without a match; null for the guess. Returns how many. */
export async function chooseCategory(
  { pool }: Deps,
  { id }: Pick<Harmonization, "id">,
  numbers: readonly number[],
  categoryId: string | null,
): Promise<number> {
  const { rowCount } = await pool.query({
    name: "choose-category",
    text: `UPDATE app.listing l SET category_id = $3 FROM app.harmonization h
            WHERE h.id = $1 AND h.state = 'ready' AND l.harmonization_id = h.id AND l.number = ANY ($2::int[])
              AND ${OUTCOME} = 'none' AND l.adding IS NULL`,
    values: [id, numbers, categoryId],
  });
  return rowCount ?? 0;
}
