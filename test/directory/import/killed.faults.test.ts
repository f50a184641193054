import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { spawnCommand } from "../../cli/samespot-command.ts";
import { dataFolder } from "../../support/samespot.ts";
import { HEADER, importing, rows } from "./importing.ts";

const { url, database, write } = await importing();

const VENUES = 15_000;
const ROUNDS = 4;

test("an import that was killed at any point and repeated stores every venue once", async () => {
  const file = write("killed.csv", HEADER + rows(VENUES));
  const env = { DATABASE_URL: url, DATA_DIR: dataFolder() };
  const start = () => spawnCommand(env, ["import", file, "--source", "killed", "--json"]);
  const stored = async () => Number((await database.pool.query("SELECT count(*) FROM directory.venue")).rows[0].count);
  const left: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = await stored();
    const child = start();
    let isOver = false;
    child.ended.finally(() => {
      isOver = true;
    });
    // In the first round kills before anything is stored, then at any point from the first new venue on.
    while (round > 0 && !isOver && (await stored()) === before) await after(5);
    await after(Math.random() * 100);
    child.kill("SIGKILL");
    await child.ended;
    left.push(VENUES - (await stored()));
  }
  expect(left.some((count) => count > 0 && count < VENUES)).toBe(true); // otherwise nothing was cut in the middle
  const { code, stdout } = await start().ended;
  const result = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(result).toMatchObject({ updated: 0, refused: 0 });
  expect(result.imported + result.unchanged).toBe(VENUES);
  const { rows: found } = await database.pool.query(
    "SELECT count(*)::int, count(DISTINCT name)::int AS names FROM directory.venue",
  );
  expect(found).toEqual([{ count: VENUES, names: VENUES }]);
});
