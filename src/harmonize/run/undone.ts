import type { ClientBase } from "pg";
import { takeLocks } from "../../db/locks.ts";
import { type Db, execute, type Sql, sql } from "../../db/sql.ts";
import { isGone } from "./gone-venues.ts";
import type { Harmonization } from "./harmonizations.ts";
import { columnBefore, decisionBefore, writeDecisions } from "./write-decisions.ts";

/** SQL: what a listing was before a step `d`. */
export const STEP = sql`d.before`;
export const VENUE_BEFORE = columnBefore(STEP, "venueId", "text");

// An annotation belongs to the venue it was written to, so a restored venue counts as not annotated.
export const NOT_ANNOTATED = sql`annotated_at = CASE WHEN l.annotated_at IS NOT NULL AND l.venue_id IS DISTINCT FROM ${VENUE_BEFORE}
  THEN least(l.annotated_at, l.matched_at - interval '1 ms') ELSE l.annotated_at END`;

/** Takes decisions that were undone, of steps `s`, from the rows of another edition that have kept them (file/carry-over.ts). Returns from how many. */
export async function undoKept(db: Db, run: string, which: Sql): Promise<number> {
  const steps = sql`(SELECT s.account_id, s.created_at, s.before, o.own_id FROM app.decision_step s
    JOIN app.listing o USING (harmonization_id, number) WHERE ${which} AND o.own_id <> '' AND s.undone IS NOT NULL) d`;
  return execute(db)`${writeDecisions({
    run,
    rows: steps,
    decision: decisionBefore(STEP),
    isOf: sql`l.own_id = d.own_id AND l.decided_by = d.account_id AND l.decided_at = d.created_at`,
    where: sql`l.adding IS NULL AND NOT ${isGone(VENUE_BEFORE, run)}`,
    also: [NOT_ANNOTATED],
  })}`;
}

type Of = Pick<Harmonization, "id" | "listId">;

/** Until the transaction ends, no edition of a list comes to its end of being read (attacks F160). */
export const holdEditions = (client: ClientBase, { listId }: Pick<Of, "listId">): Promise<unknown> =>
  takeLocks(client, sql`SELECT FROM app.list WHERE id = ${listId} FOR SHARE`);

/**
 * At the end of reading an edition: takes from its rows what they have kept and what was undone meanwhile. An undo that is under way is waited
 * for, and one that begins then finds the edition.
 */
export async function takeUndone(client: ClientBase, { id, listId }: Of): Promise<void> {
  await takeLocks(client, sql`SELECT FROM app.list WHERE id = ${listId} FOR NO KEY UPDATE`);
  const ofList = sql`s.harmonization_id IN (SELECT e.id FROM app.harmonization e WHERE e.list_id = ${listId} AND e.id <> ${id})`;
  // Of several decisions on one row, each leads to the one before it.
  while ((await undoKept(client, id, ofList)) > 0);
}
