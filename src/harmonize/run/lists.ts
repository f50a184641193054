import type { Pool } from "pg";
import type { Prisma } from "../../db/generated/client.ts";
import type { HarmonizationState, ListRole, PauseReason } from "../../db/generated/enums.ts";
import { takeLocks } from "../../db/locks.ts";
import { type Db, execute, queryRows, rawSql, type Sql, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { t } from "../../language/translate.ts";
import { badRequest, KnownError } from "../../shared/errors.ts";
import type { Harmonizer } from "./deps.ts";
import { ASKED_AS, HAS_TASK } from "./harmonizations.ts";

/** Makes a list for a new file, owned by whoever sends it; on the command line (`accountId` null) by nobody. Returns its id. */
export async function newList(
  prisma: Pick<Prisma.TransactionClient, "list">,
  { directory, name, accountId }: { directory: string; name: string; accountId: string | null },
): Promise<string> {
  const people = accountId === null ? {} : { people: { create: { accountId, role: "owner" as const } } };
  const { id } = await prisma.list.create({ data: { directory, name, ...people }, select: { id: true } });
  return id;
}

/** Deletes a list that has no file left. */
export async function dropList(db: Db, id: string): Promise<void> {
  await execute(db)`
    DELETE FROM app.list AS a WHERE id = ${id} AND NOT EXISTS (SELECT FROM app.harmonization h WHERE h.list_id = a.id)`;
}

/** A condition of lists. */
export const ownedBy = (accountId: string): Prisma.ListWhereInput => ({
  people: { some: { accountId, role: "owner" } },
});

/** SQL: whether an account can still do something: it is not disabled here, and its connection has not ended, as far as is known. */
const isHere = (account: string): Sql => sql`(${rawSql(account)}.disabled_at IS NULL
  AND EXISTS (SELECT FROM app.connection c WHERE c.account_id = ${rawSql(account)}.id AND c.broken_at IS NULL))`;
const IS_HERE = isHere("a");

const nameOf = (account: string): Sql => {
  const a = rawSql(account);
  return sql`coalesce(nullif(concat_ws(' ', ${a}.first_name, ${a}.last_name), ''), ${a}.handle)`;
};

/** SQL: a person's name from their account `a`; null if deleted. */
export const NAME_OF = nameOf("a");

export interface ListPerson {
  accountId: string;
  name: string;
  handle: string | null;
  role: ListRole;
  /** Whether they are disabled here or have no connection to the directory, so that no work goes on by it. */
  isGone: boolean;
}

/** Names of people by the ids of their accounts, but those that are deleted. */
export async function peopleNamed(db: Db, ids: string[]): Promise<Map<string, string>> {
  const rows = await queryRows<{ id: string; name: string }>(db)`
    SELECT a.id, coalesce(${NAME_OF}, '') AS name FROM app.account a WHERE a.id = ANY (${ids}::uuid[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Owners first. */
export const peopleOf = (db: Db, listId: string): Promise<ListPerson[]> =>
  queryRows<ListPerson>(db)`
    SELECT a.id AS "accountId", coalesce(${NAME_OF}, '') AS name, a.handle, p.role, NOT ${IS_HERE} AS "isGone"
      FROM app.list_person p JOIN app.account a ON a.id = p.account_id
     WHERE p.list_id = ${listId} ORDER BY p.role DESC, name, a.id`;

/**
 * Finds somebody who has logged in to this app by their handle or their whole name, in upper or lower case.
 * @throws KnownError 400 if there is nobody, or several of that name
 */
export async function personCalled(db: Db, directory: string, who: string): Promise<{ id: string; name: string }> {
  const called = who.trim().replace(/^@/, "").replace(/\s+/g, " ");
  const found = await queryRows<{ id: string; name: string; isByHandle: boolean }>(db)`
    SELECT a.id, coalesce(${NAME_OF}, '') AS name, lower(a.handle) IS NOT DISTINCT FROM lower(${called}) AS "isByHandle" FROM app.account a
     WHERE a.directory = ${directory} AND a.disabled_at IS NULL
       AND (lower(a.handle) = lower(${called}) OR lower(concat_ws(' ', a.first_name, a.last_name)) = lower(${called}))
     ORDER BY 3 DESC LIMIT 2`;
  const [first, second] = found;
  if (!called || !first)
    throw badRequest(t("Nobody with this username or name has logged in here: “{who}”.", { who: called }));
  if (second && !first.isByHandle)
    throw badRequest(t("Several people are called “{who}”. Write the username.", { who: called }));
  return first;
}

interface Change {
  listId: string;
  accountId: string;
  /** Null takes the person from the list. */
  role: ListRole | null;
}

/**
 * Changes what somebody may do with a list, one change at a time (attacks W121). Work that used the connection of an owner who no longer is one
 * goes on with another's.
 * @param may SQL of whether the list `a` may be changed now, once it is locked
 * @throws KnownError 409 for the last owner, 404 if it may not be changed
 */
export const changeRole = (pool: Pool, { listId, accountId, role }: Change, may: Sql): Promise<void> =>
  inTransaction(pool, async (client) => {
    await takeLocks(client, sql`SELECT FROM app.list WHERE id = ${listId} FOR UPDATE`);
    const mayNow = await execute(client)`SELECT FROM app.list a WHERE a.id = ${listId} AND ${may}`;
    if (mayNow === 0) throw new KnownError(404, "not_found", t("There is no such list, or it is no longer yours."));
    const [before] = await queryRows<{ role: ListRole }>(client)`
      SELECT role FROM app.list_person WHERE list_id = ${listId} AND account_id = ${accountId}`;
    if (role === null)
      await execute(client)`DELETE FROM app.list_person WHERE list_id = ${listId} AND account_id = ${accountId}`;
    else
      await execute(client)`
        INSERT INTO app.list_person (list_id, account_id, role) VALUES (${listId}, ${accountId}, ${role}::app.list_role)
        ON CONFLICT (list_id, account_id) DO UPDATE SET role = excluded.role`;
    if (before?.role !== "owner" || role === "owner") return;
    const heirs = await queryRows<{ id: string }>(client)`
      SELECT a.id FROM app.list_person p JOIN app.account a ON a.id = p.account_id
       WHERE p.list_id = ${listId} AND p.role = 'owner' ORDER BY ${IS_HERE} DESC, a.id`;
    if (!heirs[0])
      throw new KnownError(409, "conflict", t("A list needs an owner. Make somebody else an owner first."));
    await handOn(client, sql`h.list_id = ${listId}`, { from: accountId, to: heirs[0].id });
  });

/** SQL: whether a person owns a list `a`. */
export const isOwnedBy = (accountId: string): Sql => sql`EXISTS (SELECT FROM app.list_person p
  WHERE p.list_id = a.id AND p.account_id = ${accountId} AND p.role = 'owner')`;

/** SQL: whether a person owns the list of a file `h`. */
export const hasOwner = (accountId: string): Sql => sql`EXISTS (SELECT FROM app.list_person p
  WHERE p.list_id = h.list_id AND p.account_id = ${accountId} AND p.role = 'owner')`;

/** SQL: whether no owner of a list `a` can do anything any more. */
export const IS_LEFT = sql`NOT EXISTS (SELECT FROM app.list_person p JOIN app.account o ON o.id = p.account_id
  WHERE p.list_id = a.id AND p.role = 'owner' AND ${isHere("o")})`;

/** The work of files, SQL of `h`, uses another connection from now on. */
function handOn(db: Db, files: Sql, { from, to }: { from: string; to: string }): Promise<number> {
  return execute(db)`
    UPDATE app.harmonization h
       SET task = CASE WHEN h.${HAS_TASK} AND h.task->>'accountId' = ${from} THEN h.task || jsonb_build_object('accountId', ${to}::text) ELSE h.task END,
           account_id = CASE WHEN h.account_id = ${from}::uuid THEN ${to}::uuid ELSE h.account_id END
     WHERE ${files} AND (h.account_id = ${from}::uuid OR ${ASKED_AS} = ${from})`;
}

/**
 * Gives the work of a file that waits for a connection to another owner of its list who has one (attacks F140). The undo of adds waits: a
 * directory lets only the person delete a venue who has added it.
 */
export async function goOnWithAnother(
  deps: Pick<Harmonizer, "pool" | "authFor">,
  { id, accountId }: { id: string; accountId: string | null },
): Promise<boolean> {
  const other = accountId === null ? undefined : await anotherOwner(deps, id, accountId);
  if (!other || accountId === null) return false;
  const files = sql`h.id = ${id} AND h.paused_for = 'connection' AND h.state <> 'undoing'`;
  return (await handOn(deps.pool, files, { from: accountId, to: other.accountId })) > 0;
}

/** Returns another owner of the list of a file, with their token. */
export async function anotherOwner(
  deps: Pick<Harmonizer, "pool" | "authFor">,
  id: string,
  besides: string,
): Promise<{ accountId: string; auth: NonNullable<Awaited<ReturnType<Harmonizer["authFor"]>>> } | undefined> {
  const owners = await queryRows<{ accountId: string }>(deps)`
    SELECT a.id AS "accountId" FROM app.harmonization h JOIN app.list_person p ON p.list_id = h.list_id
      JOIN app.account a ON a.id = p.account_id
     WHERE h.id = ${id} AND p.role = 'owner' AND a.id <> ${besides} AND a.disabled_at IS NULL ORDER BY a.id`;
  for (const { accountId } of owners) {
    const auth = await deps.authFor(accountId);
    if (auth) return { accountId, auth };
  }
  return undefined;
}

/** What an admin may know of a list: nothing of its rows. */
export interface ListForAdmins {
  id: string;
  name: string;
  files: number;
  /** Of its newest file. */
  state: HarmonizationState;
  pausedFor: PauseReason | null;
  /** Whose connection its work waits for. */
  waitsFor: string | null;
  owners: { name: string; isGone: boolean }[];
  /** Whether an admin may hand it over: no owner can do anything any more. */
  isLeft: boolean;
}

/** Returns lists whose name, or an owner's, contains `named`, the newest first. Those without an owner belong to all admins. */
export const listsForAdmins = (
  db: Db,
  directory: string,
  { named, after, most }: { named: string; after: number; most: number },
): Promise<ListForAdmins[]> =>
  queryRows<ListForAdmins>(db)`
    SELECT a.id, a.name, f.files, f.state, f.paused_for AS "pausedFor", f.waits AS "waitsFor", coalesce(o.owners, '[]') AS owners,
           o.owners IS NOT NULL AND ${IS_LEFT} AS "isLeft"
      FROM app.list a
      JOIN LATERAL (SELECT count(*) OVER ()::int AS files, h.state, h.paused_for,
                           CASE WHEN h.paused_for = 'connection' THEN (SELECT coalesce(${nameOf("w")}, '') FROM app.account w WHERE w.id::text = ${ASKED_AS}) END AS waits
                      FROM app.harmonization h WHERE h.list_id = a.id AND h.state NOT IN ('uploading', 'deleting')
                     ORDER BY h.created_at DESC LIMIT 1) f ON true
      LEFT JOIN LATERAL (SELECT jsonb_agg(jsonb_build_object('name', coalesce(${nameOf("w")}, ''), 'isGone', NOT ${isHere("w")})) AS owners
                           FROM app.list_person p JOIN app.account w ON w.id = p.account_id
                          WHERE p.list_id = a.id AND p.role = 'owner') o ON true
     WHERE a.directory = ${directory} AND (${named} = '' OR strpos(lower(a.name), lower(${named})) > 0 OR strpos(lower(o.owners::text), lower(${named})) > 0)
     ORDER BY a.created_at DESC, a.id LIMIT ${most} OFFSET ${after}`;

/** SQL: files whose work waits for the connection of an account `a` (attacks F140). */
export const WAITS_FOR = sql`(SELECT count(*)::int FROM app.harmonization h
  WHERE h.paused_for = 'connection' AND h.state NOT IN ('uploading', 'deleting') AND ${ASKED_AS} = a.id::text)`;
