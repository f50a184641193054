import type { ApiScope } from "../../db/generated/enums.ts";
import { execute, prepared, queryRow, queryRows } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import { randomToken, sha256 } from "../../shared/crypto.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";

/** Every token may read; `decide` changes files and decisions here, `write` adds and annotates venues at the directory. */
export const SCOPES = ["read", "decide", "write"] as const satisfies readonly ApiScope[];
export type Scope = (typeof SCOPES)[number];

/** How long a token may live, in days. */
export const LIFETIMES = [30, 90, 365] as const;
const MOST_LIVE = 20;

/** By which people, and programs that look for leaked secrets, recognize a token. */
const PREFIX = "sspat_";
export const TOKEN = new RegExp(`^${PREFIX}[\\w-]{43}$`);

interface Wanted {
  name: string;
  scopes: readonly Scope[];
  days: number;
  /** Ids of files whose lists it may see; undefined for all files of the person. */
  files: string[] | undefined;
}

/**
 * Makes a token and returns it; only its hash is kept.
 *
 * @throws KnownError 409 if the person has as many as they may have
 */
export function makeToken(
  { prisma }: Pick<Web, "prisma">,
  accountId: string,
  { name, scopes, days, files }: Wanted,
): Promise<string> {
  const token = PREFIX + randomToken();
  return prisma.$transaction(async (tx) => {
    // So that two made at once are counted one after the other.
    await tx.$queryRaw`SELECT FROM app.account WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
    const live = await tx.apiToken.count({ where: { accountId, endedAt: null, expiresAt: { gt: new Date() } } });
    if (live >= MOST_LIVE) throw tooManyTokens();
    const lists = await tx.list.findMany({
      where: { files: { some: { id: { in: files ?? [] } } } },
      select: { id: true },
    });
    const expiresAt = new Date(Date.now() + days * 24 * 60 * 60_000);
    const granted = {
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
      allFiles: files === undefined,
      listIds: lists.map(({ id }) => id),
    };
    await tx.apiToken.create({ data: { accountId, name, hash: sha256(token), expiresAt, ...granted } });
    return token;
  });
}

const tooManyTokens = () =>
  new KnownError(
    409,
    "conflict",
    t("You have {most} tokens, the most that one person can have. End one first.", { most: MOST_LIVE }),
  );

export interface LiveToken {
  id: string;
  name: string;
  scopes: Scope[];
  allFiles: boolean;
  lists: number;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
}

/** The person's tokens that have neither ended nor expired, newest first. */
export const liveTokens = ({ pool }: Pick<Web, "pool">, accountId: string): Promise<LiveToken[]> =>
  queryRows<LiveToken>(pool)`
    SELECT id, name, scopes::text[] AS scopes, all_files AS "allFiles", cardinality(list_ids) AS lists,
           created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt"
      FROM app.api_token WHERE account_id = ${accountId} AND ended_at IS NULL AND expires_at > now() ORDER BY id DESC`;

/** Returns false if the person has no such live token. */
export async function endToken({ pool }: Pick<Web, "pool">, accountId: string, id: string): Promise<boolean> {
  const ended = await execute(pool)`
    UPDATE app.api_token SET ended_at = now()
     WHERE id = ${id} AND account_id = ${accountId} AND ended_at IS NULL AND expires_at > now()`;
  return ended === 1;
}

/** For an account that is disabled: enabling it brings none back. */
export const endTokensOf = ({ pool }: Pick<Web, "pool">, accountId: string): Promise<number> =>
  execute(pool)`UPDATE app.api_token SET ended_at = now() WHERE account_id = ${accountId} AND ended_at IS NULL`;

export interface Granted {
  id: string;
  accountId: string;
  scopes: Scope[];
  allFiles: boolean;
}

/** Returns undefined for a token that is unknown, has ended or has expired. */
export async function useToken({ pool }: Pick<Web, "pool">, token: string): Promise<Granted | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const found = await queryRow<Granted & { isNoted: boolean }>(prepared(pool))`
    SELECT id, account_id AS "accountId", scopes::text[] AS scopes, all_files AS "allFiles",
           coalesce(last_used_at > now() - interval '1 minute', false) AS "isNoted"
      FROM app.api_token WHERE hash = ${sha256(token)} AND ended_at IS NULL AND expires_at > now()`;
  if (!found) return undefined;
  const { isNoted, ...granted } = found;
  if (!isNoted)
    await execute(pool)`
      UPDATE app.api_token SET last_used_at = now()
       WHERE id = ${granted.id} AND coalesce(last_used_at < now() - interval '1 minute', true)`;
  return granted;
}

/** Which of these files the token may see: those of its lists, in any edition. */
export async function seenWith(
  { pool }: Pick<Web, "pool">,
  token: Granted,
  files: readonly string[],
): Promise<Set<string>> {
  if (token.allFiles) return new Set(files);
  const rows = await queryRows<{ id: string }>(prepared(pool))`
    SELECT h.id FROM app.harmonization h JOIN app.api_token t ON t.id = ${token.id} AND h.list_id = ANY(t.list_ids)
     WHERE h.id = ANY(${files}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

/** Lets a token of chosen lists see a file that it has brought in. */
export const letSee = ({ pool }: Pick<Web, "pool">, { id }: Granted, file: string): Promise<number> =>
  execute(pool)`
    UPDATE app.api_token t SET list_ids = t.list_ids || h.list_id FROM app.harmonization h
     WHERE t.id = ${id} AND h.id = ${file} AND NOT t.all_files AND h.list_id <> ALL(t.list_ids)`;
