import type { Pool } from "pg";
import { type Db, execute, prepared, queryRows, rawSql, type Sql, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { unlessUnavailable } from "../../db/unavailable.ts";
import { countCheckins, lockVenues } from "../corrections/merged-names.ts";
import { recordDeletions } from "../corrections/record.ts";
import type { DirectoryDeps } from "../deps.ts";
import { refreshPlaces } from "../places/refresh.ts";
import { DEMO_HANDLE, findUser, setDisabled } from "../users.ts";
import { sampleIds } from "./import-sample.ts";

type Deps = Pick<DirectoryDeps, "pool" | "prisma">;

/** Few enough for the time limit of a statement on a busy server. */
const PORTION = 500;

/** Rows of directory.setup_step: whether the removal was begun, and while it runs, the operator whom the history names. */
const BEGUN = "sample removed";
const RUNNING = "sample removal by ";

/** `going`: the removal was begun and has not ended. */
export type SampleState = "none" | "there" | "going" | "removed";

export async function sampleState(db: Db): Promise<SampleState> {
  const steps = await queryRows<{ name: string }>(prepared(db))`
    SELECT name FROM directory.setup_step WHERE name LIKE 'sample%'`;
  const names = steps.map(({ name }) => name);
  if (names.some((name) => name.startsWith(RUNNING))) return "going";
  if (names.includes(BEGUN)) return "removed";
  return names.includes("sample") ? "there" : "none";
}

export interface Countable {
  /** Sample venues that nobody uses. */
  venues: number;
  /** Sample venues that stay. */
  used: number;
  /** Of the demo account. */
  checkins: number;
  tokens: number;
}

/** Counts what a removal would take. Reads each sample venue by its id, in tenths of a second. */
export async function countSample({ pool, prisma }: Deps): Promise<Countable> {
  const demo = await findUser({ prisma }, DEMO_HANDLE);
  const all = await sampleIds();
  const venues = await queryRows<{ id: string }>(pool)`SELECT id FROM directory.venue v WHERE ${isImported(all)}`;
  const ids = venues.map(({ id }) => id);
  const uses = await usedAmong(pool, ids, demo?.id);
  const used = ids.filter((id) => uses.has(id)).length;
  const where = { userId: demo?.id ?? "" };
  const checkins = await prisma.checkin.count({ where });
  const tokens = await prisma.authorization.count({ where });
  return { venues: ids.length - used, used, checkins, tokens };
}

/**
 * Disables the demo account, and deletes its tokens, its check-ins and the sample venues that nobody uses. It never comes back at a
 * start. Each portion is a transaction; resumeRemoval() continues after a kill. Repeating it has no effect.
 * @param userId the operator whom the history of the venues names
 */
export async function removeSample(deps: Deps, userId: string): Promise<void> {
  const steps = [BEGUN, RUNNING + userId];
  await execute(deps)`
    INSERT INTO directory.setup_step (name) SELECT unnest(${steps}::text[]) ON CONFLICT (name) DO NOTHING`;
  await finishRemoval(deps, userId);
}

/** Continues a removal that was interrupted. */
export async function resumeRemoval(deps: Deps): Promise<void> {
  const steps = await queryRows<{ name: string }>(deps)`
    SELECT name FROM directory.setup_step WHERE starts_with(name, ${RUNNING})`;
  for (const { name } of steps) await finishRemoval(deps, name.slice(RUNNING.length));
}

async function finishRemoval(deps: Deps, userId: string): Promise<void> {
  const { pool, prisma } = deps;
  const demo = await findUser(deps, DEMO_HANDLE);
  if (demo) {
    await setDisabled(deps, demo.id, true);
    await prisma.authorizationCode.deleteMany({ where: { userId: demo.id } });
    await prisma.authorization.deleteMany({ where: { userId: demo.id } });
    while (await removeCheckins(pool, demo.id));
  }
  const ids = await sampleIds();
  for (let from = 0; from < ids.length; from += PORTION)
    await removeVenues(pool, ids.slice(from, from + PORTION), userId);
  await removeAreas(pool, ids);
  const client = await pool.connect();
  await refreshPlaces(client).finally(() => client.release(true));
  await execute(pool)`DELETE FROM directory.setup_step WHERE name = ${RUNNING + userId}`;
}

/** Returns whether there may be more. */
const removeCheckins = (pool: Pool, userId: string): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const checkins = await queryRows<{ id: string; venueId: string }>(client)`
      SELECT id, venue_id AS "venueId" FROM directory.checkin WHERE user_id = ${userId} ORDER BY id LIMIT ${rawSql(PORTION)}`;
    const venueIds = [...new Set(checkins.map(({ venueId }) => venueId))];
    await lockVenues(client, venueIds);
    await execute(client)`DELETE FROM directory.checkin WHERE id = ANY (${checkins.map(({ id }) => id)})`;
    await countCheckins(client, venueIds);
    return checkins.length === PORTION;
  });

const removeVenues = (pool: Pool, ids: readonly string[], userId: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    // Waits for check-ins and links that are being added, so that the reads after it see them.
    const there = [...(await lockVenues(client, ids))];
    const used = await usedAmong(client, there, undefined);
    const unused = there.filter((id) => !used.has(id));
    const venues = await queryRows<{ id: string; row: object }>(client)`
      SELECT id, to_jsonb(v) AS row FROM directory.venue v WHERE ${isImported(unused)}`;
    const gone = await queryRows<{ id: string }>(client)`
      DELETE FROM directory.venue v WHERE ${isImported(unused)} AND checkins_count = 0 RETURNING id`;
    const deleted = new Set(gone.map(({ id }) => id));
    await recordDeletions(
      client,
      venues.filter(({ id }) => deleted.has(id)).map(({ id, row }) => ({ id, before: { venue: row, links: [] } })),
      { userId, clientId: null },
    );
  });

/** Another import or a user may have brought a venue with the same id. */
const isImported = (ids: readonly string[]): Sql => sql`id = ANY (${ids}) AND source_id IS NULL AND creator_id IS NULL`;

/** The land of the sample stays under venues that stay. */
async function removeAreas(db: Db, ids: readonly string[]): Promise<void> {
  const stay = await execute(db)`SELECT 1 FROM directory.venue v WHERE ${isImported(ids)} LIMIT 1`;
  if (stay === 0) await execute(db)`DELETE FROM directory.area WHERE starts_with(id, 'sample ')`;
}

/**
 * Returns those of the venues that somebody uses: with a link, a check-in of another user than `demoId`, an open proposal, or a
 * change in their history. What was merged into them, or restored by a revert, is such a change.
 */
async function usedAmong(db: Db, ids: readonly string[], demoId: string | undefined): Promise<Set<string>> {
  const used = await queryRows<{ id: string }>(db)`
    SELECT venue_id AS id FROM directory.link WHERE venue_id = ANY (${ids})
    UNION SELECT venue_id FROM directory.checkin WHERE venue_id = ANY (${ids}) AND user_id IS DISTINCT FROM ${demoId ?? null}
    UNION SELECT venue_id FROM directory.moved_venue WHERE venue_id = ANY (${ids})
    UNION SELECT venue_id FROM directory.venue_change WHERE venue_id = ANY (${ids})
    UNION SELECT unnest(ARRAY[venue_id, into_id]) FROM directory.venue_proposal WHERE state = 'open'`;
  return new Set(used.map(({ id }) => id));
}

/** Where operators remove the demo data, on the auth host. */
export const DEMO_PAGE = "/operator/demo";

/** Whether to say on a page that there is demo data. `href` leads operators to its removal. */
export interface DemoNote {
  href: string | undefined;
}

export async function demoNote(
  { pool }: { pool: Pool },
  user?: { isOperator: boolean },
): Promise<DemoNote | undefined> {
  const state = await sampleState(pool).catch(unlessUnavailable);
  return state === "there" ? { href: user?.isOperator ? DEMO_PAGE : undefined } : undefined;
}
