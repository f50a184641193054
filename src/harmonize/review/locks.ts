import { execute, prepared, type Sql, sql } from "../../db/sql.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";

const LOCKED_FOR = sql`interval '2 minutes'`;

/** SQL: whether nobody else has a listing `l` open. */
export const isFree = (accountId: string | null): Sql =>
  sql`(l.locked_by IS NULL OR l.locked_by = ${accountId}::uuid OR l.locked_until <= now())`;

export const takenBy = (accountId: string): Sql =>
  sql`locked_by = ${accountId}::uuid, locked_until = now() + ${LOCKED_FOR}`;

/** Takes or keeps a listing. Returns false if another person has it, or it does not exist. */
export async function lockListing(
  db: Pick<Harmonizer, "pool">,
  { h, person, number }: { h: Pick<Harmonization, "id">; person: Person; number: number },
): Promise<boolean> {
  const locked = await execute(prepared(db))`
    UPDATE app.listing l SET ${takenBy(person.id)}
     WHERE l.harmonization_id = ${h.id} AND l.number = ${number} AND ${isFree(person.id)}`;
  return locked === 1;
}
