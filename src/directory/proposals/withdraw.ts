import { together } from "../../db/bulk/together.ts";
import { takeLocks } from "../../db/locks.ts";
import { execute, type PoolDb, sql } from "../../db/sql.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { removeHeld } from "../corrections/delete.ts";
import type { TokenPair } from "../tokens.ts";

/**
 * Takes a proposal of the user back before an operator decides it; a held venue is deleted. Repeating it has no effect. Throws KnownError
 * 404 for an id that is none of the user's, 409 if it was decided already.
 */
export const withdrawProposal = (db: PoolDb, id: string, by: TokenPair): Promise<void> =>
  together(db, async (client) => {
    const { rows } = await takeLocks<{ venueId: string; isNew: boolean | null; state: string }>(
      client,
      sql`SELECT venue_id AS "venueId", is_new AS "isNew", state FROM directory.venue_proposal
           WHERE id = ${id} AND user_id = ${by.userId} FOR UPDATE`,
    );
    const [proposal] = rows;
    if (!proposal) throw notFound("You have no such proposal.");
    const { venueId, isNew, state } = proposal;
    if (state === "withdrawn") return;
    if (state !== "open") throw new KnownError(409, "conflict", "An operator has decided this proposal already.");
    if (isNew) await removeHeld(client, venueId, by);
    await execute(client)`
      UPDATE directory.venue_proposal SET state = 'withdrawn', decided_at = now() WHERE id = ${id}`;
  });
