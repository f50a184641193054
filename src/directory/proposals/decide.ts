import type { PoolClient } from "pg";
import { differing, type Values } from "../../contract/correction-parameters.ts";
import { takeLocks } from "../../db/locks.ts";
import { execute, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { t } from "../../language/translate.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { removeHeld } from "../corrections/delete.ts";
import { countryOf, editIn, readVenue } from "../corrections/edit.ts";
import { mergeIn } from "../corrections/merge.ts";
import { lockVenues } from "../corrections/merged-names.ts";
import { valuesOf } from "../corrections/values.ts";
import type { DirectoryDeps } from "../deps.ts";
import { recordPlacesWith } from "../places/refresh.ts";
import { findVenues, seenByOperators, VENUE_ID } from "../venues/find.ts";
import { findProposal, type Proposal } from "./list.ts";

type Deps = Pick<DirectoryDeps, "pool">;

interface Decision {
  id: string;
  /** Of the operator. */
  userId: string;
  /** What the operator says to the proposer. */
  answer: string;
}

/**
 * Carries out a proposal in the name of an operator, and with it the same of other users. Throws KnownError 404, or 409 if it was
 * decided already, or if its venue is gone or has other values than the operator has `seen`.
 */
export async function acceptProposal(deps: Deps, decision: Decision & { seen: Values | undefined }): Promise<void> {
  const { id, userId, seen } = decision;
  const proposal = await find(deps, id);
  const [venueId, into] = await present(deps, proposal);
  const { wanted, isNew } = proposal;
  const cc = await countryOf(deps, wanted);
  await decide(deps, decision, "accepted", async (client) => {
    if (into !== null) return mergeIn(client, { id: venueId, into }, { userId, clientId: null });
    if (isNew) return showToAll(client, venueId, seen);
    const venue = await readVenue(client, venueId);
    if (Object.keys(differing(wanted, valuesOf(venue))).length === 0) return null; // somebody has edited it so
    const edit = { id: venueId, wanted, was: seen ?? proposal.was, cc };
    return editIn(client, edit, { userId, clientId: null, isOperator: true });
  });
}

/**
 * Makes a held venue one with another: its id leads there. Throws KnownError 404, or 409 if it was decided already or a venue is gone.
 */
export async function mergeNew(deps: Deps, decision: Decision & { into: string }): Promise<void> {
  const { id, userId, into } = decision;
  const { venueId, isNew } = await find(deps, id);
  if (!isNew || !VENUE_ID.test(into)) throw new KnownError(409, "conflict", t("There is no venue to merge it into."));
  const merge = (client: PoolClient) => mergeIn(client, { id: venueId, into }, { userId, clientId: null });
  await decide(deps, decision, "accepted", merge, into);
}

/**
 * Declines a proposal, and the same of other users; a held venue is deleted. Throws KnownError 404, or 409 if it was decided already.
 */
export async function declineProposal(deps: Deps, decision: Decision): Promise<void> {
  const { venueId, isNew } = await find(deps, decision.id);
  await decide(deps, decision, "declined", async (client) => {
    if (isNew) await removeHeld(client, venueId, { userId: decision.userId, clientId: null });
    return null;
  });
}

async function showToAll(client: PoolClient, id: string, seen: Values = {}): Promise<null> {
  await lockVenues(client, [id]);
  const venue = await readVenue(client, id);
  if (Object.keys(differing(seen, valuesOf(venue))).length > 0)
    throw new KnownError(409, "conflict", t("The user who added this venue has changed it since. Check it again."));
  await execute(client)`
    UPDATE directory.venue SET closed_at = NULL WHERE id = ${id}`;
  await recordPlacesWith(client, [venue]);
  return null;
}

async function decide(
  { pool }: Deps,
  { id, userId, answer }: Decision,
  state: "accepted" | "declined",
  act: (client: PoolClient) => Promise<string | null>,
  into: string | null = null,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const ids = await lockSame(client, id);
    if (!ids.includes(id)) throw new KnownError(409, "conflict", t("This proposal has already been decided."));
    const change = await act(client);
    await execute(client)`
      UPDATE directory.venue_proposal
         SET state = ${state}::directory.venue_proposal_state, decided_at = now(), decided_by = ${userId}, answer = ${answer || null},
             change_id = ${change}, into_id = coalesce(${into}, into_id)
       WHERE id = ANY (${ids}::bigint[])`;
  });
}

/** All callers lock in the same order, to avoid deadlocks. */
async function lockSame(client: PoolClient, id: string): Promise<string[]> {
  const { rows } = await takeLocks<{ id: string }>(
    client,
    sql`SELECT id::text FROM directory.venue_proposal
         WHERE state = 'open' AND key = (SELECT key FROM directory.venue_proposal WHERE id = ${id})
         ORDER BY venue_proposal.id FOR UPDATE`,
  );
  return rows.map((row) => row.id);
}

async function find({ pool }: Deps, id: string): Promise<Proposal> {
  const proposal = await findProposal(pool, id);
  if (proposal) return proposal;
  throw notFound(t("There is no such proposal."));
}

/** Follows venues that were merged since. */
async function present({ pool }: Deps, { venueId, intoId }: Proposal): Promise<[venueId: string, into: string | null]> {
  const ids = intoId === null ? [venueId] : [venueId, intoId];
  const found = await findVenues(pool, ids, { sees: seenByOperators });
  return [found.get(venueId)?.id ?? venueId, intoId && (found.get(intoId)?.id ?? intoId)];
}
