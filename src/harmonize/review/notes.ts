import { type Db, execute, queryRow, queryRows, type Sql, sql } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import { mayOnList } from "../run/harmonizations.ts";
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

/** SQL: whether a question `n` about a listing `l` waits for an answer. A decision since then answers it. */
const IS_OPEN = sql`(n.asked_id IS NOT NULL AND n.answered_at IS NULL AND coalesce(l.decided_at <= n.created_at, true))`;

/** SQL: whether a person is asked about a listing `l`. */
export const isAsked = (accountId: string): Sql => sql`EXISTS (SELECT FROM app.note n
  WHERE n.harmonization_id = l.harmonization_id AND n.number = l.number AND n.asked_id = ${accountId}::uuid AND ${IS_OPEN})`;

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

/** How many rows of each file a person is asked about. */
export async function askedIn(db: Db, accountId: string): Promise<Map<string, number>> {
  const rows = await queryRows<{ id: string; asked: number }>(db)`
    SELECT l.harmonization_id AS id, count(DISTINCT l.number)::int AS asked
      FROM app.note n JOIN app.listing l USING (harmonization_id, number)
     WHERE n.asked_id = ${accountId} AND ${IS_OPEN} GROUP BY 1`;
  return new Map(rows.map(({ id, asked }) => [id, asked]));
}

/**
 * Writes a note, which answers what its author was asked about the row; with `askedId` it is a question to somebody.
 * @throws KnownError 400 if they may not decide on this list, 404 if there is no such row
 */
export async function addNote(
  db: Db,
  { h, person, number }: Reviewed,
  { text, askedId }: { text: string; askedId: string | undefined },
): Promise<void> {
  if (askedId !== undefined && !mayOnList("reviewer", { ...h, isShared: false }, { id: askedId, isAdmin: false }))
    throw new KnownError(400, "param_error", t("Ask somebody who reviews or owns this list."));
  const written = await queryRow(db)`
    WITH answered AS (
      UPDATE app.note SET answered_at = now()
       WHERE harmonization_id = ${h.id} AND number = ${number} AND asked_id = ${person.id} AND answered_at IS NULL)
    INSERT INTO app.note (harmonization_id, number, account_id, text, asked_id)
    SELECT l.harmonization_id, l.number, ${person.id}::uuid, ${text}, ${askedId ?? null}::uuid
      FROM app.listing l WHERE l.harmonization_id = ${h.id} AND l.number = ${number} RETURNING id`;
  if (!written) throw new KnownError(404, "not_found", t("There is no such listing."));
}
