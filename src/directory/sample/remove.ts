import type { Pool, PoolClient } from "pg";
import { together } from "../../db/bulk.ts";
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

export async function sampleState(pool: Pool): Promise<SampleState> {
  const { rows } = await pool.query<{ name: string }>({
    name: "sample-state",
    text: "SELECT name FROM directory.setup_step WHERE name LIKE 'sample%'",
  });
  const names = rows.map(({ name }) => name);
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
  const [demo, all] = [await findUser({ prisma }, DEMO_HANDLE), await sampleIds()];
  const { rows } = await pool.query<{ id: string }>(`SELECT id FROM directory.venue v WHERE ${IS_IMPORTED}`, [all]);
  const ids = rows.map(({ id }) => id);
  const uses = await usedAmong(pool, ids, demo?.id);
  const used = ids.filter((id) => uses.has(id)).length;
  const where = { userId: demo?.id ?? "" };
  const [checkins, tokens] = [await prisma.checkin.count({ where }), await prisma.authorization.count({ where })];
  return { venues: ids.length - used, used, checkins, tokens };
}

/**
 * Disables the demo account, and deletes its tokens, its check-ins and the sample venues that nobody uses. It never comes back at a
 * start. Each portion is a transaction; resumeRemoval() continues after a kill. Repeating it has no effect.
 * @param userId the operator whom the history of the venues names
 */
export async function removeSample(deps: Deps, userId: string): Promise<void> {
  await deps.pool.query(
    "INSERT INTO directory.setup_step (name) SELECT unnest($1::text[]) ON CONFLICT (name) DO NOTHING",
    [[BEGUN, RUNNING + userId]],
  );
  await finishRemoval(deps, userId);
}

/** Continues a removal that was interrupted. */
export async function resumeRemoval(deps: Deps): Promise<void> {
  const { rows } = await deps.pool.query<{ name: string }>(
    "SELECT name FROM directory.setup_step WHERE starts_with(name, $1)",
    [RUNNING],
  );
  for (const { name } of rows) await finishRemoval(deps, name.slice(RUNNING.length));
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
  await pool.query("DELETE FROM directory.setup_step WHERE name = $1", [RUNNING + userId]);
}

/** Returns whether there may be more. */
const removeCheckins = (pool: Pool, userId: string): Promise<boolean> =>
  together(pool, async (client) => {
    const { rows } = await client.query<{ id: string; venueId: string }>(
      `SELECT id, venue_id AS "venueId" FROM directory.checkin WHERE user_id = $1 ORDER BY id LIMIT ${PORTION}`,
      [userId],
    );
    const venueIds = [...new Set(rows.map(({ venueId }) => venueId))];
    await lockVenues(client, venueIds);
    await client.query("DELETE FROM directory.checkin WHERE id = ANY ($1)", [rows.map(({ id }) => id)]);
    await countCheckins(client, venueIds);
    return rows.length === PORTION;
  });

const removeVenues = (pool: Pool, ids: readonly string[], userId: string): Promise<void> =>
  together(pool, async (client) => {
    // Waits for check-ins and links that are being added, so that the reads after it see them.
    const there = [...(await lockVenues(client, ids))];
    const used = await usedAmong(client, there, undefined);
    const unused = there.filter((id) => !used.has(id));
    const { rows } = await client.query<{ id: string; row: object }>(
      `SELECT id, to_jsonb(v) AS row FROM directory.venue v WHERE ${IS_IMPORTED}`,
      [unused],
    );
    const { rows: gone } = await client.query<{ id: string }>(
      `DELETE FROM directory.venue v WHERE ${IS_IMPORTED} AND checkins_count = 0 RETURNING id`,
      [unused],
    );
    const deleted = new Set(gone.map(({ id }) => id));
    await recordDeletions(
      client,
      rows.filter(({ id }) => deleted.has(id)).map(({ id, row }) => ({ id, before: { venue: row, links: [] } })),
      { userId, clientId: null },
    );
  });

/** Another import or a user may have brought a venue with the same id. */
const IS_IMPORTED = "id = ANY ($1) AND source_id IS NULL AND creator_id IS NULL";

/** The land of the sample stays under venues that stay. */
async function removeAreas(pool: Pool, ids: readonly string[]): Promise<void> {
  const { rows } = await pool.query(`SELECT 1 FROM directory.venue v WHERE ${IS_IMPORTED} LIMIT 1`, [ids]);
  if (rows.length === 0) await pool.query("DELETE FROM directory.area WHERE starts_with(id, 'sample ')");
}

/**
 * Returns those of the venues that somebody uses: with a link, a check-in of another user than `demoId`, an open proposal, or a
 * change in their history. What was merged into them, or restored by a revert, is such a change.
 */
async function usedAmong(
  client: Pool | PoolClient,
  ids: readonly string[],
  demoId: string | undefined,
): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT venue_id AS id FROM directory.link WHERE venue_id = ANY ($1)
     UNION SELECT venue_id FROM directory.checkin WHERE venue_id = ANY ($1) AND user_id IS DISTINCT FROM $2
     UNION SELECT venue_id FROM directory.moved_venue WHERE venue_id = ANY ($1)
     UNION SELECT venue_id FROM directory.venue_change WHERE venue_id = ANY ($1)
     UNION SELECT unnest(ARRAY[venue_id, into_id]) FROM directory.venue_proposal WHERE state = 'open'`,
    [ids, demoId ?? null],
  );
  return new Set(rows.map(({ id }) => id));
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
