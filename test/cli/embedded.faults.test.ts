import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { serverLives } from "../../src/db/embedded/files.ts";
import { dataFolder } from "../support/samespot.ts";
import { spawnCommand } from "./samespot-command.ts";

const dir = dataFolder();
mkdirSync(dir, { recursive: true });
const run = (...args: string[]) => spawnCommand({ DATA_DIR: dir }, args).ended;
const data = path.join(dir, "pg");

test("two commands at once share the embedded database, and the last one stops it", async () => {
  const ended = await Promise.all([run("migrate", "--json"), run("application", "list", "--json")]);
  expect(ended).toMatchObject([{ code: 0 }, { code: 0, stdout: '{"applications":[]}\n' }]);
  expect(serverLives(data)).toBe(false);
});

test("Ctrl-C ends an import and stops the database, and the next import resumes", async () => {
  const file = path.join(dir, "venues.csv");
  const report = path.join(dir, "report.tsv");
  const phone = (index: number) => (index === 6000 ? "0" : ""); // left out, and with that reported
  const line = (_: unknown, index: number) =>
    `${index},Cafe ${index},${40 + (index % 999) / 500},-71.4,${phone(index)}\n`;
  writeFileSync(file, `id,name,lat,lng,phone\n${Array.from({ length: 16_000 }, line).join("")}`);
  const importing = spawnCommand({ DATA_DIR: dir }, ["import", file, "--report", report]);
  while (!existsSync(report) || statSync(report).size === 0) await after(20);
  importing.kill("SIGINT");
  const { code, stdout, stderr } = await importing.ended;
  expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
  expect(stderr).toMatch(/^Interrupted\. \d+ venues of the file are stored\. Run the import again to continue\.\n$/);
  expect(serverLives(data)).toBe(false);
  const stored = Number(/\d+/.exec(stderr)?.[0]);
  const again = JSON.parse((await run("import", file, "--json")).stdout);
  expect(again).toMatchObject({ imported: 16_000 - stored, unchanged: stored, refused: 0 });
});
