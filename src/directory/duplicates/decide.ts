import type { Pool, PoolClient } from "pg";
import { type Db, execute, queryRow, queryRows } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { t } from "../../language/translate.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { mergeIn } from "../corrections/merge.ts";
import { lockVenues } from "../corrections/merged-names.ts";
import { revertChange } from "../corrections/revert.ts";
import type { DirectoryDeps } from "../deps.ts";
import { VENUE_ID } from "../venues/find.ts";
import type { Group } from "./groups.ts";
import { formNewGroups } from "./regroup.ts";
import { markUngrouped, writingPairs } from "./store.ts";

type Deps = Pick<DirectoryDeps, "pool">;

export interface Done {
  /** Number of groups, or of proposals. */
  done: number;
  /** What failed, a sentence for each. */
  problems: string[];
}

/**
 * Merges each group, in a transaction of its own, into the venue that stays, and records all as one merge that `undoMerge` reverts.
 * A group fails as a whole: if one of its venues is not there any more, or an operator said that it is another place.
 */
export async function mergeGroups({ pool }: Deps, groups: readonly Group[], userId: string): Promise<Done> {
  const merge = await queryRow<{ id: number }>(pool)`
    INSERT INTO directory.duplicate_merge (user_id, change_ids) VALUES (${userId}, '{}') RETURNING id`;
  const { id } = merge as { id: number };
  const problems: string[] = [];
  for (const group of groups) {
    await inTransaction(pool, (client) => mergeGroup(client, group, { userId, id })).catch(collectProblem(problems));
  }
  if (problems.length === groups.length) await execute(pool)`DELETE FROM directory.duplicate_merge WHERE id = ${id}`;
  await regroup(pool, groups);
  return { done: groups.length - problems.length, problems };
}

async function mergeGroup(
  client: PoolClient,
  { stays, others }: Group,
  { userId, id }: { userId: string; id: number },
): Promise<void> {
  const ids = [stays, ...others];
  await lockVenues(client, ids); // all at once, because each merge locks two of them
  await refuseDifferent(client, ids);
  const changes: string[] = [];
  for (const other of others)
    changes.push(await mergeIn(client, { id: other, into: stays }, { userId, clientId: null }));
  await execute(client)`
    UPDATE directory.duplicate_merge SET change_ids = change_ids || ${changes}::bigint[] WHERE id = ${id}`;
}

async function refuseDifferent(db: Db, ids: readonly string[]): Promise<void> {
  const pair = await queryRow<{ a: string; b: string }>(db)`
    SELECT a_id AS a, b_id AS b FROM directory.duplicate_pair
     WHERE different_at IS NOT NULL AND a_id = ANY (${ids}) AND b_id = ANY (${ids}) LIMIT 1`;
  if (pair) throw new KnownError(409, "conflict", t("An operator said that {a} and {b} are different places.", pair));
}

/** Notes for ever that the venue that should stay is another place than each of the others. */
export async function setApart({ pool }: Deps, groups: readonly Group[], userId: string): Promise<Done> {
  const pairs = groups.flatMap(({ stays, others }) =>
    others.map((other): [string, string] => (other < stays ? [other, stays] : [stays, other])),
  );
  await writingPairs(pool, async (client) => {
    await execute(client)`
      INSERT INTO directory.duplicate_pair (a_id, b_id, score, evidence, different_at, different_by)
      SELECT a, b, 0, '[]', now(), ${userId}
        FROM (SELECT DISTINCT * FROM unnest(${pairs.map(([a]) => a)}::text[], ${pairs.map(([, b]) => b)}::text[]) p (a, b)) said
      ON CONFLICT (a_id, b_id) DO UPDATE SET different_at = now(), different_by = ${userId}, stays_id = NULL
               WHERE duplicate_pair.different_at IS NULL`;
  });
  await regroup(pool, groups);
  return { done: groups.length, problems: [] };
}

/**
 * Reverts all merges of one action, the last first. What cannot be reverted, because a later change is in the way, stays merged and
 * may be undone later. Throws KnownError 404 for an unknown id, 409 if all was undone before.
 */
export async function undoMerge({ pool }: Deps, id: number, userId: string): Promise<Done> {
  const changes = await changesOf(pool, id);
  const problems: string[] = [];
  for (const { change } of changes) await revertChange({ pool }, change, { userId }).catch(collectProblem(problems));
  if (problems.length === 0)
    await execute(pool)`
      UPDATE directory.duplicate_merge SET reverted_at = now(), reverted_by = ${userId} WHERE id = ${id}`;
  await regroup(
    pool,
    changes.map(({ venue, into }) => ({ stays: into, others: [venue] })),
  );
  return { done: changes.length - problems.length, problems };
}

/** Those that are not reverted yet, the last first. */
async function changesOf(db: Db, id: number): Promise<{ change: string; venue: string; into: string }[]> {
  const found = await execute(db)`SELECT FROM directory.duplicate_merge WHERE id = ${id}`;
  if (found === 0) throw notFound(t("There is no such merge."));
  const changes = await queryRows<{ change: string; venue: string; into: string }>(db)`
    SELECT c.id::text AS change, c.venue_id AS venue, c.into_id AS "into"
      FROM directory.duplicate_merge m JOIN directory.venue_change c ON c.id = ANY (m.change_ids)
     WHERE m.id = ${id} AND c.reverted_at IS NULL ORDER BY c.id DESC`;
  if (changes.length === 0) throw new KnownError(409, "conflict", t("This has already been undone."));
  return changes;
}

async function regroup(pool: Pool, groups: readonly Group[]): Promise<void> {
  const ids = [...new Set(groups.flatMap(({ stays, others }) => [stays, ...others]))];
  await writingPairs(pool, (client) => markUngrouped(client, ids));
  await formNewGroups(pool);
}

/** Collects the messages of what failed. */
export const collectProblem = (problems: string[]) => (error: unknown) => {
  if (!(error instanceof KnownError)) throw error;
  problems.push(error.message);
};

/** Reads a group from its ids with spaces between them, the one that stays first. */
export function readGroup(text: string): Group | undefined {
  const [stays, ...others] = text.split(" ");
  if (stays === undefined || others.length === 0 || ![stays, ...others].every((id) => VENUE_ID.test(id)))
    return undefined;
  return new Set(others).has(stays) ? undefined : { stays, others: [...new Set(others)] };
}

export const writeGroup = ({ stays, others }: Group): string => [stays, ...others].join(" ");
