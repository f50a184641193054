import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import type { Parameter } from "../run/rows.ts";

/** So long a listing is one reviewer's from when they last showed a sign of life. */
const LOCKED_FOR = "interval '2 minutes'";

/** Whether a listing `l` is free for a person, in SQL, by the database's clock. */
export const isFree = ({ person }: { person: Parameter }): string =>
  `(l.locked_by IS NULL OR l.locked_by = ${person} OR l.locked_until <= now())`;

/** Makes a listing that of a person, in SQL. */
export const takenBy = (person: Parameter): string => `locked_by = ${person}, locked_until = now() + ${LOCKED_FOR}`;

/** Takes, or keeps, a listing for this person. False where somebody else has it, or there is no such listing. */
export async function lockListing(
  { pool }: Pick<Harmonizer, "pool">,
  { h, person, number }: { h: Pick<Harmonization, "id">; person: Person; number: number },
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "lock-listing",
    text: `UPDATE app.listing l SET ${takenBy("$2")} WHERE l.harmonization_id = $1 AND l.number = $3
      AND ${isFree({ person: "$2" })}`,
    values: [h.id, person.id, number],
  });
  return rowCount === 1;
}
