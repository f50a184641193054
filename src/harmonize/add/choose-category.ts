import { execute, queryRows, sql } from "../../db/sql.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type Candidate, OUTCOME, type Query } from "../run/rows.ts";
import type { CategoryGuess, GuessCategory } from "./category.ts";
import { ADDABLE, ADDABLE_BY_ADDRESS } from "./many.ts";
import { categorySaid } from "./venue.ts";

type Deps = Pick<Harmonizer, "pool">;

interface Guessed {
  number: number;
  cells: string[];
  query: Query | null;
  chosen: string | null;
  candidates: Candidate[];
}

const GUESSED = sql`l.number, l.cells, l.query, l.category_id AS chosen, l.candidates`;

const guessed = (h: Harmonization, { query, ...row }: Guessed, guess: GuessCategory) =>
  guess({ ...row, name: query?.name ?? "", said: categorySaid(h, { ...row, query }) });

/** Guesses the categories of some listings; those without a guess are missing. */
export async function guessCategories(
  { pool }: Deps,
  h: Harmonization,
  numbers: readonly number[],
  guess: GuessCategory,
): Promise<Map<number, CategoryGuess>> {
  const rows = await queryRows<Guessed>(pool)`
    SELECT ${GUESSED} FROM app.listing l WHERE harmonization_id = ${h.id} AND number = ANY (${numbers}::int[])`;
  return new Map(
    rows.flatMap((row) => {
      const found = guessed(h, row, guess);
      return found ? [[row.number, found] as const] : [];
    }),
  );
}

const STRETCH = 500;
const PATIENCE_MS = 1500;

/**
 * Counts the listings to be added without a guess; undefined if the file is too large to see in time.
 */
export async function countUnguessed(
  { pool }: Deps,
  h: Harmonization,
  guess: GuessCategory,
  { byAddress = false, except, patienceMs = PATIENCE_MS }: Counting = {},
): Promise<number | undefined> {
  const until = performance.now() + patienceMs;
  let count = 0;
  for (let after = 0; after < h.listingCount; after += STRETCH) {
    if (performance.now() > until) return undefined;
    const rows = await queryRows<Guessed>(pool)`
      SELECT ${GUESSED} FROM app.harmonization h JOIN app.listing l ON l.harmonization_id = h.id
       WHERE h.id = ${h.id} AND l.number > ${after} AND l.number <= ${after + STRETCH} AND (${ADDABLE} OR (${byAddress} AND ${ADDABLE_BY_ADDRESS}))`;
    count += rows.filter((row) => !except?.has(row.number) && !guessed(h, row, guess)).length;
  }
  return count;
}

interface Counting {
  /** Whether those with only an estimated position are added too. */
  byAddress?: boolean | undefined;
  /** Numbers of those that are held back. */
  except?: ReadonlySet<number> | undefined;
  patienceMs?: number;
}

/** Keeps the category that a person chose for the venues of listings without a match; null for the guess. Returns how many. */
export async function chooseCategory(
  { pool }: Deps,
  { id }: Pick<Harmonization, "id">,
  numbers: readonly number[],
  categoryId: string | null,
): Promise<number> {
  const rowCount = await execute(pool)`
    UPDATE app.listing l SET category_id = ${categoryId},
      problem = CASE WHEN l.problem->>'code' <> 'no_category' THEN l.problem END FROM app.harmonization h
     WHERE h.id = ${id} AND h.state = 'ready' AND l.harmonization_id = h.id AND l.number = ANY (${numbers}::int[])
       AND ${OUTCOME} = 'none' AND l.adding IS NULL`;
  return rowCount ?? 0;
}
