import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { expect, test } from "vitest";
import { LEFT_OUT } from "../../src/backup/dump.ts";
import { migrate } from "../../src/db/migrate.ts";
import { backUp, emptyDatabase } from "../backup/restored.ts";
import { testDatabase } from "../support/database/database.ts";
import { tableHashes } from "../support/database/table-hashes.ts";
import { roundsOf } from "../support/rounds.ts";
import { dataFolder } from "../support/samespot.ts";
import { runCommand, spawnCommand } from "./samespot-command.ts";

const KILLS = roundsOf(8, 3);
const folder = dataFolder();
mkdirSync(folder, { recursive: true });
const file = path.join(folder, "whole.backup");

const { url, database } = await testDatabase({ template: "sample" });
const spawn = (to: string, args: string[]) => spawnCommand({ DATABASE_URL: to, DATA_DIR: folder }, args);
/** Of what is not killed: without a process of its own. */
const run = (to: string, args: string[]) => runCommand({ DATABASE_URL: to, DATA_DIR: folder }, args);
const ASIDE = [...LEFT_OUT, "directory.setup_step"]; // a backup notes its time there
const before = await tableHashes(database.pool, ASIDE);

/** Milliseconds that a restore is connected. */
async function connectedMs(pool: Pool, restoring: ReturnType<typeof spawn>): Promise<number> {
  await connected(pool);
  const begun = performance.now();
  await restoring.ended;
  return performance.now() - begun;
}

async function connected(pool: Pool): Promise<void> {
  while ((await connections(pool)) === 0) await sleep(5);
}

async function connections(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    "SELECT FROM pg_stat_activity WHERE application_name = 'samespot restore' AND datname = current_database()",
  );
  return rows.length;
}

/** Returns what a killed restore has left. */
async function stateOf(pool: Pool): Promise<string> {
  const { rows } = await pool.query(
    "SELECT to_regclass('public._prisma_migrations') AS history, to_regclass('directory.venue') AS venues",
  );
  if (rows[0].history === null) return "nothing";
  if (rows[0].venues === null) return "the mark";
  const venues = await pool.query("SELECT FROM directory.venue LIMIT 1");
  return venues.rowCount ? "rows" : "tables";
}

test(`backup: a restore killed ${KILLS} times leaves nothing that starts, and the next one restores everything`, async () => {
  expect((await run(url, ["backup", file])).code).toBe(0);
  const [first, target] = [await emptyDatabase(), await emptyDatabase()];
  const lastsMs = await connectedMs(first.database.pool, spawn(first.url, ["restore", file]));
  const { pool } = target.database;
  const seen: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const restoring = spawn(target.url, ["restore", file]);
    await connected(pool);
    await sleep((lastsMs * 0.6 * kill) / KILLS);
    restoring.kill("SIGKILL");
    expect((await restoring.ended).code).toBe(null);
    await expect.poll(() => connections(pool)).toBe(0);
    const state = await stateOf(pool);
    seen.push(state);
    if (state === "nothing") continue;
    if (state === "rows") break; // it was quicker than the kill; below it must be whole
    for (const starts of [migrate, backUp])
      await expect(starts(target.url)).rejects.toThrow("A restore into this database has not ended.");
  }
  expect(seen).toContain("tables");
  if (seen.at(-1) !== "rows") expect((await run(target.url, ["restore", file])).code).toBe(0);
  expect(await tableHashes(pool, ASIDE)).toEqual(before);
  expect(await migrate(target.url)).toEqual([]);
});

test(`backup: a killed backup has its final name only if it is whole, and an interrupted one leaves no file`, async () => {
  const other = path.join(folder, "killed");
  const partial = () => readdirSync(folder).filter((name) => name.startsWith("killed."));
  const begin = async () => {
    const backingUp = spawn(url, ["backup", other]);
    while (partial().length === 0 && !existsSync(other)) await sleep(1);
    return backingUp;
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const backingUp = await begin();
    await sleep(kill * 8);
    backingUp.kill("SIGKILL");
    await backingUp.ended;
    if (existsSync(other)) expect((await run(url, ["restore", other, "--check"])).code).toBe(0);
    else expect(partial()).toHaveLength(1);
    for (const name of [...partial(), "killed"]) rmSync(path.join(folder, name), { force: true });
  }

  const holder = await database.pool.connect();
  await holder.query("BEGIN; LOCK TABLE directory.venue");
  const interrupted = await begin();
  await sleep(500);
  interrupted.kill("SIGINT");
  expect(await interrupted.ended).toEqual({ code: 130, stdout: "", stderr: "Interrupted.\n" });
  await holder.query("ROLLBACK");
  holder.release();
  expect([existsSync(other), partial()]).toEqual([false, []]);
});
