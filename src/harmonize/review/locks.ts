import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";

/** So long a listing is one reviewer's from when they last showed a sign of life. */
const LOCKED_FOR = "interval '2 minutes'";

/** Whether a listing `l` is free for person $2, in SQL, by the database's clock. */
export const IS_FREE = "(l.locked_by IS NULL OR l.locked_by = $2 OR l.locked_until <= now())";

/** Makes a listing `l` that of person $2, in SQL. */
export const TAKE = `locked_by = $2, locked_until = now() + ${LOCKED_FOR}`;

/** Takes, or keeps, a listing for this person. False where somebody else has it, or there is no such listing. */
export async function lockListing(
  { pool }: Pick<Harmonizer, "pool">,
  { id }: Pick<Harmonization, "id">,
  person: Person,
  number: number,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "lock-listing",
    text: `UPDATE app.listing l SET ${TAKE} WHERE l.harmonization_id = $1 AND l.number = $3 AND ${IS_FREE}`,
    values: [id, person.id, number],
  });
  return rowCount === 1;
}
