import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import type { Parameter } from "../run/rows.ts";

const LOCKED_FOR = "interval '2 minutes'";

export const isFree = ({ person }: { person: Parameter }): string =>
  `(l.locked_by IS NULL OR l.locked_by = ${person} OR l.locked_until <= now())`;

export const takenBy = (person: Parameter): string => `locked_by = ${person}, locked_until = now() + ${LOCKED_FOR}`;

/** Takes or keeps a listing. Returns false if another person has it, or it does not exist. */
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
