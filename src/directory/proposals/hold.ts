import { execute, prepared, rawSql } from "../../db/sql.ts";
import { sha256 } from "../../shared/crypto.ts";
import { isOperator } from "../access.ts";
import { valuesOf } from "../corrections/values.ts";
import type { DirectoryDeps, Transaction } from "../deps.ts";
import type { TokenPair } from "../tokens.ts";
import type { VenueRow } from "../venues/rows.ts";

/** Accepted new venues, edits and reports of duplicates after which a user is no longer unproven. */
const PROVEN = 3;

/** Whether new venues of a user wait for an operator's approval (HOLD_NEW_VENUES). Those of operators never do. */
export async function holdsVenuesOf(
  { prisma, pool, operator }: Pick<DirectoryDeps, "prisma" | "pool" | "operator">,
  { userId }: Pick<TokenPair, "userId">,
): Promise<boolean> {
  const { holdNewVenues = "off" } = operator ?? {};
  if (holdNewVenues === "off") return false;
  const user = await prisma.user.findUnique({ where: { id: userId } });
  if (user && isOperator(operator, user)) return false;
  if (holdNewVenues === "all") return true;
  const proofs = await execute(prepared(pool))`
    SELECT FROM directory.venue_proposal
     WHERE user_id = ${userId} AND state = 'accepted' AND decided_by IS NOT NULL AND NOT (is_new IS TRUE AND into_id IS NOT NULL)
     LIMIT ${rawSql(PROVEN)}`;
  return proofs < PROVEN;
}

/** Puts held venues into the operators' queue. */
export async function queueVenues(
  tx: Transaction,
  venues: readonly VenueRow[],
  { userId, clientId }: TokenPair,
): Promise<void> {
  const rows = venues.map((venue) => ({
    id: venue.id,
    key: Buffer.from(sha256(JSON.stringify([venue.id, "new"]))).toString("hex"),
    wanted: Object.fromEntries(Object.entries({ ...valuesOf(venue), closed: "" }).filter(([, value]) => value)),
  }));
  await tx.$executeRaw`
    INSERT INTO directory.venue_proposal (venue_id, is_new, wanted, was, key, user_id, client_id)
    SELECT id, true, wanted, '{}', key, ${userId}, ${clientId}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n(id text, wanted jsonb, key text)`;
}
