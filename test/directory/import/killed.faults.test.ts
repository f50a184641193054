import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { PER_THOUSAND, writeRelease } from "../../../bench/support/releases.ts";
import { makeVenues, writeVenues } from "../../../bench/support/venues.ts";
import { runCommand, spawnCommand } from "../../cli/samespot-command.ts";
import { dataFolder } from "../../support/samespot.ts";
import { HEADER, importing, rows } from "./importing.ts";

const { url, database, folder, write, run } = await importing();

/** Three batches, so that a kill after the first leaves some. */
const VENUES = 11_000;
const ROUNDS = { all: 2, diff: 3 };
/** In ten portions. */
const CHANGING = 5000;

test("an import that was killed at any point and repeated stores every venue once", async () => {
  const file = write("killed.csv", HEADER + rows(VENUES));
  const env = { DATABASE_URL: url, DATA_DIR: dataFolder() };
  const start = () => spawnCommand(env, ["import", file, "--source", "killed"]);
  const stored = async () => Number((await database.pool.query("SELECT count(*) FROM directory.venue")).rows[0].count);
  const left: number[] = [];
  for (let round = 0; round < ROUNDS.all; round++) {
    const before = await stored();
    const child = start();
    let isOver = false;
    child.ended.finally(() => {
      isOver = true;
    });
    // At any point from the first new venue on.
    while (!isOver && (await stored()) === before) await after(20);
    await after(Math.random() * 100);
    child.kill("SIGKILL");
    await child.ended;
    left.push(VENUES - (await stored()));
  }
  expect(left.some((count) => count > 0 && count < VENUES)).toBe(true); // otherwise nothing was cut in the middle
  const result = await run(file, { source: "killed" });
  expect(result).toMatchObject({ updated: 0, refused: 0 });
  expect(result.imported + result.unchanged).toBe(VENUES);
  const { rows: found } = await database.pool.query(
    "SELECT count(*)::int, count(DISTINCT name)::int AS names FROM directory.venue",
  );
  expect(found).toEqual([{ count: VENUES, names: VENUES }]);
});

test("F121: the differences of an edition whose import was killed at any point are complete after the last", async () => {
  const csv = path.join(folder, "venues.csv");
  await writeVenues(csv, makeVenues(CHANGING));
  const first = await writeRelease("overture", csv, { folder, groupRows: 512 });
  const next = await writeRelease("overture", csv, { folder, groupRows: 512, isNext: true });
  const env = { DATABASE_URL: url, DATA_DIR: dataFolder() };
  const diff = path.join(folder, "changes.ndjson");
  const begun = await runCommand(env, ["import", first.file, "--edition", "2026-11"]);
  expect(begun.code, begun.stderr).toBe(0);
  const again = ["import", next.file, "--edition", "2026-12", "--merged", next.merged, "--diff", diff];
  const noted = () => (existsSync(`${diff}.part`) ? readFileSync(`${diff}.part`).length : 0);
  let kills = 0;
  for (let round = 0; round < ROUNDS.diff; round++) {
    const before = noted();
    const child = spawnCommand(env, again);
    let isOver = false;
    child.ended.finally(() => {
      isOver = true;
    });
    while (!isOver && noted() <= before + 1) await after(2);
    await after(Math.random() * 30);
    child.kill("SIGKILL");
    await child.ended;
    if (existsSync(diff)) break; // it was quicker than the kill
    kills += 1;
  }
  expect(kills).toBeGreaterThan(0);
  if (!existsSync(diff)) expect((await runCommand(env, again)).code).toBe(0);
  const lines = readFileSync(diff, "utf8").trim().split("\n");
  const changes = lines.map((line) => JSON.parse(line) as { change: string; id: string });
  const counts = Object.entries(Object.groupBy(changes, ({ change }) => change)).map(([name, all]) => [
    name,
    all?.length,
  ]);
  const made = Object.entries(PER_THOUSAND).map(([change, share]) => [change, (share * CHANGING) / 1000]);
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(made));
  expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length);
});
