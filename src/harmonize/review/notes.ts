import { takeLocks } from "../../db/locks.ts";
import { type Db, execute, type PoolDb, queryRows, type Sql, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { t } from "../../language/translate.ts";
import { badRequest, KnownError } from "../../shared/errors.ts";
import { type Harmonization, mayOnList } from "../run/harmonizations.ts";
import { NAME_OF } from "../run/lists.ts";
import type { Reviewed } from "./listing.ts";

export interface Note {
  /** Null if the account is deleted. */
  by: string | null;
  /** Who is asked. */
  asked: string | null;
  text: string;
  at: Date;
  /** Asked, and not answered yet. */
  isOpen: boolean;
}

/** SQL: whether a note `n` has gone on with its row into a later edition (file/carry-over.ts), where what it asks waits then. */
const WENT_ON = sql`EXISTS (SELECT FROM app.harmonization e JOIN app.note k ON k.harmonization_id = e.id
  WHERE e.previous_id = n.harmonization_id AND e.state <> 'deleting' AND k.account_id = n.account_id AND k.created_at = n.created_at)`;

/** SQL: whether a question `n` about a listing `l` waits for an answer. A decision since then answers it. */
const IS_OPEN = sql`(n.asked_id IS NOT NULL AND n.answered_at IS NULL AND coalesce(l.decided_at <= n.created_at, true) AND NOT ${WENT_ON})`;

/** SQL: whether a person is asked about a listing `l`. */
export const isAsked = (accountId: string): Sql => sql`EXISTS (SELECT FROM app.note n
  WHERE n.harmonization_id = l.harmonization_id AND n.number = l.number AND n.asked_id = ${accountId}::uuid AND ${IS_OPEN})`;

/** SQL: whether a question `n` about a listing `l` is answered by a note, and who asked has not written there since. A decision ends that. */
const IS_ANSWERED = sql`(n.answered_at IS NOT NULL AND coalesce(l.decided_at <= n.answered_at, true) AND NOT ${WENT_ON}
  AND NOT EXISTS (SELECT FROM app.note s WHERE s.harmonization_id = n.harmonization_id AND s.number = n.number
                     AND s.account_id = n.account_id AND s.created_at >= n.answered_at))`;

/** SQL: whether a person has an answer to what they asked about a listing `l`. */
const hasAnswerFor = (by: string): Sql => sql`EXISTS (SELECT FROM app.note n
  WHERE n.harmonization_id = l.harmonization_id AND n.number = l.number AND n.account_id = ${by}::uuid AND ${IS_ANSWERED})`;
/** SQL: whether a listing `l` waits for a person: they are asked about it, or have an answer. */
export const waitsFor = (accountId: string): Sql => sql`(${isAsked(accountId)} OR ${hasAnswerFor(accountId)})`;

/** SQL: all notes of a listing `l` as text, one a line; null without. */
export const NOTES = sql`(SELECT string_agg(concat_ws(': ', (SELECT ${NAME_OF} FROM app.account a WHERE a.id = n.account_id), n.text), E'\n' ORDER BY n.id)
  FROM app.note n WHERE n.harmonization_id = l.harmonization_id AND n.number = l.number)`;

/** Oldest first. */
export const notesOf = (db: Db, { h, number }: Pick<Reviewed, "h" | "number">): Promise<Note[]> =>
  queryRows<Note>(db)`
    SELECT (SELECT ${NAME_OF} FROM app.account a WHERE a.id = n.account_id) AS by,
           (SELECT ${NAME_OF} FROM app.account a WHERE a.id = n.asked_id) AS asked,
           n.text, n.created_at AS at, ${IS_OPEN} AS "isOpen"
      FROM app.note n JOIN app.listing l USING (harmonization_id, number)
     WHERE n.harmonization_id = ${h.id} AND n.number = ${number} ORDER BY n.id`;

export async function hasNotes(db: Db, id: string): Promise<boolean> {
  return (await execute(db)`SELECT FROM app.note WHERE harmonization_id = ${id} LIMIT 1`) > 0;
}

/** Rows that wait for somebody. */
export interface Waiting {
  /** They are asked about. */
  questions: number;
  /** To what they asked. */
  answers: number;
}

/** SQL: how many rows `by` file or person `p` wait, of the notes that `p` has written or is asked in. */
const waiting = (by: Sql, people: Sql): Sql => sql`
  SELECT ${by}, count(DISTINCT l.number) FILTER (WHERE n.asked_id = p.account_id AND ${IS_OPEN})::int AS questions,
         count(DISTINCT l.number) FILTER (WHERE n.account_id = p.account_id AND ${IS_ANSWERED})::int AS answers
    FROM ${people} AS p JOIN app.note n ON n.asked_id = p.account_id OR (n.account_id = p.account_id AND n.answered_at IS NOT NULL)
    JOIN app.listing l ON l.harmonization_id = n.harmonization_id AND l.number = n.number`;

/** How many rows of each file wait for a person. */
export async function waitingIn(db: Db, accountId: string): Promise<Map<string, Waiting>> {
  const rows = await queryRows<Waiting & { id: string }>(db)`
    ${waiting(sql`l.harmonization_id AS id`, sql`(SELECT ${accountId}::uuid AS account_id)`)} GROUP BY 1`;
  return new Map(rows.map(({ id, ...waiting }) => [id, waiting]));
}

/** What of a file is open with one of its people. */
export interface InHand extends Waiting {
  accountId: string;
  name: string | null;
  /** Where they decided last, if that was a few minutes ago. */
  line: number | null;
}

/** Returns the people of a list with whom something of a file is open. */
export const inHand = (db: Db, { id, listId }: Pick<Harmonization, "id" | "listId">): Promise<InHand[]> =>
  queryRows<InHand>(db)`
    WITH people AS (SELECT account_id FROM app.list_person WHERE list_id = ${listId}),
    waits AS (${waiting(sql`p.account_id`, sql`people`)} WHERE n.harmonization_id = ${id} GROUP BY 1)
    SELECT a.id AS "accountId", ${NAME_OF} AS name, coalesce(w.questions, 0) AS questions, coalesce(w.answers, 0) AS answers, l.line
      FROM people JOIN app.account a ON a.id = people.account_id
      LEFT JOIN waits w USING (account_id)
      LEFT JOIN LATERAL (SELECT s.number, s.created_at FROM app.decision_step s
        WHERE s.harmonization_id = ${id} AND s.account_id = a.id ORDER BY s.id DESC LIMIT 1) s ON s.created_at > now() - interval '5 minutes'
      LEFT JOIN app.listing l ON l.harmonization_id = ${id} AND l.number = s.number
     WHERE w.questions > 0 OR w.answers > 0 OR l.line IS NOT NULL ORDER BY name, "accountId"`;

/**
 * Writes a note, which answers what its author was asked about the row; with `askedId` it is a question to somebody. The last note of
 * a person about the row, sent again before it is answered, stays one (attacks F170), also if both come at once (attacks F171).
 * @throws KnownError 400 if they may not decide on this list, 404 if there is no such row
 */
export async function addNote(
  db: PoolDb,
  { h, person, number }: Reviewed,
  { text, askedId = null }: { text: string; askedId: string | null | undefined },
): Promise<void> {
  if (askedId !== null && !mayOnList("reviewer", { ...h, isShared: false }, { id: askedId, isAdmin: false }))
    throw badRequest(t("Ask somebody who reviews or owns this list."));
  await inTransaction(db, async (client) => {
    const row = sql`SELECT FROM app.listing WHERE harmonization_id = ${h.id} AND number = ${number} FOR NO KEY UPDATE`;
    if ((await takeLocks(client, row)).rowCount === 0)
      throw new KnownError(404, "not_found", t("There is no such row."));
    await execute(client)`
      WITH answered AS (
        UPDATE app.note n SET answered_at = now() FROM app.listing l
         WHERE l.harmonization_id = ${h.id} AND l.number = ${number} AND n.harmonization_id = ${h.id} AND n.number = ${number}
           AND n.asked_id = ${person.id} AND ${IS_OPEN}),
      own AS (SELECT n.text, n.asked_id, n.answered_at FROM app.note n
               WHERE n.harmonization_id = ${h.id} AND n.number = ${number} AND n.account_id = ${person.id} ORDER BY n.id DESC LIMIT 1)
      INSERT INTO app.note (harmonization_id, number, account_id, text, asked_id)
      SELECT ${h.id}::uuid, ${number}::int, ${person.id}::uuid, ${text}, ${askedId}::uuid
       WHERE NOT EXISTS (SELECT FROM own WHERE own.text = ${text} AND asked_id IS NOT DISTINCT FROM ${askedId}::uuid AND answered_at IS NULL)`;
  });
}
