import { randomUUID } from "node:crypto";
import { KnownError } from "../errors.ts";
import { MOST_REASONS } from "./candidates.ts";
import { BEFORE } from "./decisions.ts";
import { AT_ONCE, together } from "./decisions-together.ts";
import type { Harmonizer } from "./deps.ts";
import type { Harmonization, Person } from "./harmonizations.ts";
import { IS_FREE } from "./locks.ts";
import { type Candidate, OUTCOME, type Query } from "./rows.ts";

type Deps = Pick<Harmonizer, "pool">;

/**
 * Which listings are like one: `pattern`, those that are alike to their best candidates and differ from them in the same
 * way; `same`, those that say the same of their place in every cell that is compared.
 */
export const KINDS = ["pattern", "same"] as const;
export type Kind = (typeof KINDS)[number];

/** Listings that can be decided at once. */
const MOST_RELATIVES = 10_000;

export interface Relative {
  number: number;
  query: Query;
  best: Candidate;
}

/** How many listings are of the family of one, itself with them, up to MOST_RELATIVES; and the first of them. */
export async function familyOf(deps: Deps, h: Harmonization, person: Person, number: number, kind: Kind, first = 20) {
  const { rows } = await deps.pool.query<{ count: number }>({
    name: `family-count-${kind}`,
    text: `SELECT count(*)::int AS count FROM (SELECT FROM ${members(kind)} LIMIT ${MOST_RELATIVES}) AS each`,
    values: [h.id, person.id, number],
  });
  const { rows: shown } = await deps.pool.query<Relative>({
    name: `family-first-${kind}`,
    text: `SELECT l.number, l.query, l.candidates->0 AS best FROM ${members(kind)} ORDER BY l.number LIMIT $4`,
    values: [h.id, person.id, number, first],
  });
  return { count: rows[0]?.count ?? 0, shown };
}

/**
 * Decides the whole family of a listing as one step: `matched`, each with its own best candidate, or `rejected`. All or
 * none of them; answers how many.
 *
 * @param expected how many the person was told of
 * @throws KnownError 409 where there are more by now
 */
export async function decideFamily(
  deps: Deps,
  h: Harmonization,
  person: Person,
  number: number,
  { kind, decision, expected }: { kind: Kind; decision: "matched" | "rejected"; expected: number },
): Promise<number> {
  return together(deps.pool, async (client) => {
    const { rows } = await client.query<{ number: number }>({
      name: `family-numbers-${kind}`,
      text: `SELECT l.number FROM ${members(kind)} ORDER BY l.number LIMIT ${MOST_RELATIVES} FOR UPDATE OF l`,
      values: [h.id, person.id, number],
    });
    if (rows.length > expected) throw more(rows.length);
    const group = randomUUID();
    const decided = decision === "matched" ? MATCHED : REJECTED;
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      const numbers = rows.slice(from, from + AT_ONCE).map((row) => row.number);
      await client.query({ name: "family-steps", text: KEEP, values: [h.id, person.id, numbers, group] });
      await client.query({ name: `family-${decision}`, text: decided, values: [h.id, person.id, numbers] });
    }
    return rows.length;
  });
}

/** Listings `l` of the family of number $3 that a person may decide: none that was put off, or that somebody else has. */
function members(kind: Kind): string {
  const alike = kind === "same" ? "l.query = one.query" : "l.pattern = one.pattern AND one.pattern <> ''";
  return `app.listing l JOIN app.harmonization h ON h.id = l.harmonization_id
    JOIN app.listing one ON one.harmonization_id = l.harmonization_id AND one.number = $3
    WHERE l.harmonization_id = $1 AND l.decision IS NULL AND l.status = 'asked' AND ${OUTCOME} = 'review' AND ${alike}
      AND l.adding IS NULL AND (l.skipped_at IS NULL OR l.number = $3) AND ${IS_FREE}`;
}

const CHOSEN = "l.harmonization_id = $1 AND l.number = ANY ($3::int[])";

const KEEP = `INSERT INTO app.decision_step (harmonization_id, group_id, account_id, number, before)
  SELECT $1, $4, $2, l.number, ${BEFORE} FROM app.listing l WHERE ${CHOSEN}`;

const DECIDED = `decided_how = 'family', decided_by = $2, decided_at = now(), skipped_at = NULL,
  locked_by = NULL, locked_until = NULL`;
const MATCHED = `UPDATE app.listing l SET decision = 'matched', venue_id = l.best_id,
  venue_name = l.candidates->0->>'name',
  reason = (SELECT string_agg(e->>'text', '; ' ORDER BY n)
    FROM jsonb_array_elements(l.candidates->0->'evidence') WITH ORDINALITY AS each(e, n) WHERE n <= ${MOST_REASONS}),
  ${DECIDED} WHERE ${CHOSEN}`;
const REJECTED = `UPDATE app.listing l SET decision = 'rejected', reason = 'none of the venues like it',
  ${DECIDED} WHERE ${CHOSEN}`;

const more = (count: number) =>
  new KnownError(409, "conflict", `There are ${count} of them by now. Look at them again.`, { title: "Not decided" });
