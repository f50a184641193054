import type { PoolClient } from "pg";
import type { Values } from "../../contract/correction-parameters.ts";
import { MOST_OPEN_PROPOSALS } from "../../contract/proposals.ts";
import { takeLocks } from "../../db/locks.ts";
import { execute, type PoolDb, prepared, queryRow, queryRows, rawSql, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { sha256 } from "../../shared/crypto.ts";
import { badRequest, KnownError, notFound } from "../../shared/errors.ts";
import { isOperator } from "../access.ts";
import { removeHeld } from "../corrections/delete.ts";
import { changesOf, countryOf, type Editor, editIn, readVenue, refusalToEdit } from "../corrections/edit.ts";
import { valuesOf } from "../corrections/values.ts";
import type { DirectoryDeps, Transaction } from "../deps.ts";
import type { TokenPair } from "../tokens.ts";
import type { VenueRow } from "../venues/rows.ts";

interface Proposed {
  id: string;
  /** As checkValues() returns them; none with `into`. */
  wanted: Values;
  /** What the proposal is based on; undefined if it does not matter. */
  was: Values | undefined;
  /** The venue that it is a duplicate of. */
  into: string | undefined;
  comment: string | undefined;
}

/**
 * Records a proposal for a venue, and carries it out at once if the user may make this edit. Returns its id, or that of the open
 * proposal that the user repeats. Throws KnownError 400 for a venue and itself; 409 as editVenue() does, or if the user has too many open ones.
 */
export async function propose(
  deps: Pick<DirectoryDeps, "pool">,
  proposed: Proposed,
  by: Editor & { clientId: string },
): Promise<string> {
  const { id, into, was } = proposed;
  if (id === into) throw badRequest("A venue is no duplicate of itself.");
  const cc = await countryOf(deps, proposed.wanted);
  return inTransaction(deps.pool, async (client) => {
    // One proposal of a user at a time, so that they are counted and a repetition is found.
    await takeLocks(client, sql`SELECT FROM directory."user" WHERE id = ${by.userId} FOR NO KEY UPDATE`);
    const venue = await readVenue(client, id);
    const wanted = into === undefined ? changesOf(venue, proposed.wanted, was) : {};
    const former = Object.fromEntries(Object.entries(valuesOf(venue)).filter(([name]) => name in wanted));
    const row = { ...proposed, wanted, was: former, key: keyOf(id, wanted, into) };
    if (into === undefined && !(await refusalToEdit(client, id, by)))
      return insert(client, row, by, await editIn(client, { id, wanted, was, cc }, by));
    return (await findOpen(client, row.key, by.userId)) ?? insert(client, row, by, null);
  });
}

/** `wanted` has the order of VALUE_NAMES. */
const keyOf = (...what: [id: string, wanted: Values, into: string | undefined]): string =>
  Buffer.from(sha256(JSON.stringify(what))).toString("hex");

async function findOpen(client: PoolClient, key: string, userId: string): Promise<string | undefined> {
  const rows = await queryRows<{ id: string; key: string }>(client)`
    SELECT id::text, key FROM directory.venue_proposal WHERE user_id = ${userId} AND state = 'open'`;
  const same = rows.find((row) => row.key === key);
  if (!same && rows.length >= MOST_OPEN_PROPOSALS) throw new KnownError(409, "other", TOO_MANY);
  return same?.id;
}

const TOO_MANY = `You have ${MOST_OPEN_PROPOSALS} open proposals. Wait until an operator of the directory has decided one.`;

async function insert(
  client: PoolClient,
  { id, into, wanted, was, comment, key }: Proposed & { key: string },
  { userId, clientId }: Editor,
  change: string | null,
): Promise<string> {
  const row = await queryRow<{ id: string }>(client)`
    INSERT INTO directory.venue_proposal
           (venue_id, into_id, wanted, was, comment, key, user_id, client_id, change_id, state, decided_at)
    VALUES (${id}, ${into ?? null}, ${JSON.stringify(wanted)}, ${JSON.stringify(was)}, ${comment ?? null}, ${key}, ${userId}, ${clientId},
            ${change}::bigint,
            CASE WHEN ${change}::bigint IS NULL THEN 'open' ELSE 'accepted' END::directory.venue_proposal_state,
            CASE WHEN ${change}::bigint IS NOT NULL THEN now() END)
    RETURNING id::text`;
  return row?.id ?? "";
}

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

/**
 * Takes a proposal of the user back before an operator decides it; a held venue is deleted. Repeating it has no effect. Throws KnownError
 * 404 for an id that is none of the user's, 409 if it was decided already.
 */
export const withdrawProposal = (db: PoolDb, id: string, by: TokenPair): Promise<void> =>
  inTransaction(db, async (client) => {
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
