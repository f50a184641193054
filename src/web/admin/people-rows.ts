import type { Prisma } from "../../db/generated/client.ts";
import { LOCKS } from "../../db/locks.ts";
import { queryRows, rawSql } from "../../db/sql.ts";
import { WAITS_FOR } from "../../harmonize/run/lists.ts";
import { endSessionsOf } from "../../http/pages/sessions.ts";
import { t } from "../../language/translate.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { endTokensOf } from "../api/tokens.ts";
import type { Web } from "../base/deps.ts";
import { isNamedAdmin } from "../base/members.ts";
import { SESSION_LIMITS } from "../settings/own-sessions.ts";

export const PAGE_SIZE = 50;

export interface Person {
  id: string;
  externalId: string;
  handle: string | null;
  name: string;
  admin: "granted" | "named" | undefined;
  disabledAt: Date | null;
  lastLoginAt: Date;
  sessions: number;
  /** Files whose work waits until they connect again. */
  waiting: number;
}

/**
 * Returns a page of the accounts of this directory whose name or handle contains `query`, last log-in first, and
 * whether there are more. Does not count them all, which would be slow. `page` starts at 1.
 */
export async function findPeople({ pool, config }: Web, { query, page }: { query: string; page: number }) {
  const rows = await queryRows<PersonRow>(pool)`
    SELECT a.*,
           (SELECT count(*)::int FROM app.session WHERE account_id = a.id AND ended_at IS NULL
               AND expires_at > now()
               AND created_at > now() - make_interval(secs => ${SESSION_LIMITS.absoluteSeconds})) AS sessions, ${WAITS_FOR} AS waiting
      FROM (SELECT id, external_id, handle, concat_ws(' ', first_name, last_name) AS name, role, disabled_at, last_login_at
              FROM app.account
             WHERE directory = ${config.api.url}
               AND (${query} = '' OR strpos(lower(concat_ws(' ', first_name, last_name, handle)), lower(${query})) > 0)
             ORDER BY last_login_at DESC, id LIMIT ${rawSql(PAGE_SIZE + 1)} OFFSET ${(page - 1) * PAGE_SIZE}) AS a
     ORDER BY last_login_at DESC, id`;
  const people = rows.slice(0, PAGE_SIZE).map((row) => toPerson(config.admins, row));
  return { people, hasMore: rows.length > PAGE_SIZE };
}

interface PersonRow {
  id: string;
  external_id: string;
  handle: string | null;
  name: string;
  role: "member" | "admin";
  disabled_at: Date | null;
  last_login_at: Date;
  sessions: number;
  waiting: number;
}

function toPerson(admins: readonly string[], row: PersonRow): Person {
  const { id, handle, name, sessions, waiting } = row;
  const admin = isNamedAdmin(admins, row) ? "named" : row.role === "admin" ? "granted" : undefined;
  const times = { disabledAt: row.disabled_at, lastLoginAt: row.last_login_at };
  return { id, externalId: row.external_id, handle, name, admin, ...times, sessions, waiting };
}

interface Order {
  actor: string;
  id: string;
}

export const makeAdmin = (web: Web, order: Order) =>
  changing(web, order, (tx, { id }) => tx.account.update({ where: { id }, data: { role: "admin" } }));

export const takeAdmin = (web: Web, order: Order) =>
  changing(web, order, (tx, account) => {
    refuseNamed(web, account);
    return tx.account.update({ where: { id: account.id }, data: { role: "member" } });
  });

export async function disable(web: Web, order: Order): Promise<void> {
  await changing(web, order, (tx, account) => {
    refuseNamed(web, account);
    return tx.account.updateMany({ where: { id: account.id, disabledAt: null }, data: { disabledAt: new Date() } });
  });
  await endSessionsOf(web.pool, "app", order.id);
  await endTokensOf(web, order.id);
}

export const enable = (web: Web, order: Order) =>
  changing(web, order, (tx, { id }) => tx.account.update({ where: { id }, data: { disabledAt: null } }));

export async function endSessions(web: Web, order: Order): Promise<void> {
  await changing(web, order, async () => undefined);
  await endSessionsOf(web.pool, "app", order.id);
}

type Account = { id: string; external_id: string; handle: string | null };

/**
 * Makes one change at a time, to another account, by an actor who is still an admin. So at least one admin always
 * remains, even if two take the role from each other at once.
 *
 * @throws KnownError 404 for an unknown account or an actor who is no longer an admin
 */
async function changing(
  { prisma, config }: Web,
  { actor, id }: Order,
  change: (tx: Prisma.TransactionClient, account: Account) => Promise<unknown>,
): Promise<void> {
  if (actor === id) throw refused(t("Only another admin can change your account."));
  await prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCKS.admins})`;
    const rows = await tx.account.findMany({ where: { id: { in: [actor, id] }, directory: config.api.url } });
    const [self, account] = [actor, id].map((each) => rows.find((row) => row.id === each));
    const named = self && isNamedAdmin(config.admins, { external_id: self.externalId, handle: self.handle });
    if (!account || !self || self.disabledAt || !(named || self.role === "admin")) throw notFound();
    await change(tx, { id, external_id: account.externalId, handle: account.handle });
  });
}

/** The settings outrank changes by admins. */
function refuseNamed({ config }: Web, account: Account): void {
  if (isNamedAdmin(config.admins, account)) throw refused(t("The setting ADMINS names this account: remove it there."));
}

const refused = (message: string) => new KnownError(409, "conflict", message);
