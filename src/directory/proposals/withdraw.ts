import { together } from "../../db/bulk/together.ts";
import { takeLocks } from "../../db/locks.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { removeHeld } from "../corrections/delete.ts";
import type { DirectoryDeps } from "../deps.ts";
import type { TokenPair } from "../tokens.ts";

/**
 * Takes a proposal of the user back before an operator decides it; a held venue is deleted. Repeating it has no effect. Throws KnownError
 * 404 for an id that is none of the user's, 409 if it was decided already.
 */
export const withdrawProposal = ({ pool }: Pick<DirectoryDeps, "pool">, id: string, by: TokenPair): Promise<void> =>
  together(pool, async (client) => {
    const { rows } = await takeLocks<{ venueId: string; isNew: boolean | null; state: string }>(client, {
      text: `SELECT venue_id AS "venueId", is_new AS "isNew", state FROM directory.venue_proposal
        WHERE id = $1 AND user_id = $2 FOR UPDATE`,
      values: [id, by.userId],
    });
    const [proposal] = rows;
    if (!proposal) throw notFound("You have no such proposal.");
    const { venueId, isNew, state } = proposal;
    if (state === "withdrawn") return;
    if (state !== "open") throw new KnownError(409, "conflict", "An operator has decided this proposal already.");
    if (isNew) await removeHeld(client, venueId, by);
    await client.query("UPDATE directory.venue_proposal SET state = 'withdrawn', decided_at = now() WHERE id = $1", [
      id,
    ]);
  });
