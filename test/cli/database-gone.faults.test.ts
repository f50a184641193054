import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as after } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { createPatience } from "../../src/cli/patience.ts";
import { openDatabase } from "../../src/db/database.ts";
import { startEmbedded } from "../../src/db/embedded/embedded.ts";
import { patiently } from "../../src/db/unavailable.ts";
import { killServer } from "../faults/server.ts";
import { dataFolder, freeAddresses } from "../support/samespot.ts";
import { spawnCommand } from "./samespot-command.ts";

const folder = dataFolder();
mkdirSync(folder);
const server = await startEmbedded({ dir: folder, settings: { fsync: "off" } });
const database = openDatabase(server.url);
afterAll(async () => {
  await database.close();
  await server.stop();
});
const key = Buffer.alloc(32, "key of a test").toString("base64");
const env = {
  ...{ DATABASE_URL: server.url, DATA_DIR: folder, SAMPLE_DATA: "on", ENCRYPTION_KEYS: key, SESSION_SECRETS: key },
  ...(await freeAddresses()),
};

/** Kills the server once a counter reaches `enough`, or the command has ended. */
async function killAt(enough: number, text: string, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver && (await count(text)) < enough) await after(10);
  await killServer(folder);
}

/** Counts rows, 0 while the database is unavailable or not created. */
const count = (text: string): Promise<number> =>
  database.pool.query(text).then(
    ({ rows }) => rows[0].n,
    () => 0,
  );

const RAW = /prisma|invocation|Connection terminated|administrator command/i;

test("F04: harmonize waits for a database that is killed while it prepares and matches, says so, and writes each row once", async () => {
  const COPIES = 2;
  const [header, ...all] = readFileSync("examples/listings.csv", "utf8").trim().split("\n");
  const lines = all.slice(100, 200);
  const copies = Array.from({ length: COPIES }, (_, copy) => lines.map((line) => `${copy}/${line}`)).flat();
  const [file, out] = [path.join(folder, "listings.csv"), path.join(folder, "out.csv")];
  writeFileSync(file, `${[header, ...copies].join("\n")}\n`);
  const running = spawnCommand(env, ["harmonize", file, "-o", out]);
  await killAt(1, "SELECT count(*)::int AS n FROM directory.category", running.ended);
  const done = "SELECT count(*)::int AS n FROM app.listing WHERE status <> 'pending'";
  for (const share of [0.1, 0.5]) await killAt(share * copies.length, done, running.ended);
  const { code, stdout, stderr } = await running.ended;
  expect(code, stderr).toBe(1); // one of these rows has no name
  expect(stdout).toContain("rows: ");
  expect(stderr).toContain(
    "The database does not answer. Waiting for it, up to 5 minutes.\nThe database answers again.",
  );
  expect(stderr).not.toMatch(RAW);
  const rows = parse(readFileSync(out), { columns: true, bom: true }) as Record<string, string>[];
  expect(rows.map((row) => row["Store ID"])).toEqual(copies.map((line) => line.split(",")[0]));
  const [first, ...others] = Array.from({ length: COPIES }, (_, copy) =>
    rows
      .slice(copy * lines.length, (copy + 1) * lines.length)
      .map((row) => `${row.venue_id} ${row.decision} ${row.score}`),
  );
  for (const each of others) expect(each).toEqual(first);
  expect(await patiently(() => database.prisma.harmonization.count())).toBe(1); // a busy machine connects slowly
});

test("F04: harmonize reports within seconds that the database is unavailable while it writes its file", async () => {
  const [file, out] = [path.join(folder, "unnamed.csv"), path.join(folder, "unnamed-out.csv")];
  const note = "n".repeat(4000);
  const lines = Array.from({ length: 300 }, (_, row) => `${row},,41.8,-71.4,${note}`);
  writeFileSync(file, `id,name,lat,lng,note\n${lines.join("\n")}\n`);
  execFileSync("mkfifo", [`${out}.part`]); // is written no faster than it is read here
  const running = spawnCommand(env, ["harmonize", file, "-o", out, "--columns", "id=1,name=2,lat=3,lng=4"]);
  const written = createReadStream(`${out}.part`);
  await once(written, "readable");
  const killed = killServer(folder);
  const text = await buffer(written);
  await killed;
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(1); // no row has a name
  expect(stderr).toContain(
    "The database does not answer. Waiting for it, up to 5 minutes.\nThe database answers again.",
  );
  expect(parse(text, { columns: true, bom: true })).toHaveLength(300);
});

test("F04: an import whose database is killed reports the stored rows and the way to resume, and resumes", async () => {
  const ROWS = 12_000; // in three batches
  const file = path.join(folder, "venues.csv");
  const line = (_: unknown, n: number) => `${n},Cafe ${n},${40 + (n % 999) / 500},-71.4\n`;
  writeFileSync(file, `id,name,lat,lng\n${Array.from({ length: ROWS }, line).join("")}`);
  const importing = spawnCommand(env, ["import", file]);
  const stored = "SELECT count(*)::int AS n FROM directory.venue WHERE name LIKE 'Cafe 1%'";
  await killAt(1000, stored, importing.ended);
  const { code, stderr } = await importing.ended;
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^The connection to the database was lost\. \d+ venues of the file are stored\. Run the import again to continue\.\n$/,
    ),
  ]);
  const { stdout } = await spawnCommand(env, ["import", file, "--json"]).ended;
  const { imported, unchanged } = JSON.parse(stdout);
  expect([imported > 0, unchanged > 0, imported + unchanged]).toEqual([true, true, ROWS]);
});

test("a command gives up waiting for the database in the end, and says how to resume", async () => {
  const said: string[] = [];
  const away = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
  const controller = new AbortController();
  const options = { signal: controller.signal, say: (message: string) => void said.push(message), hint: "Go on." };
  const wait = createPatience(options);
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const given = expect(wait(() => Promise.reject(away))).rejects.toThrow(
    "The database has not answered for 5 minutes. Go on.",
  );
  await expect.poll(() => said).toEqual(["The database does not answer. Waiting for it, up to 5 minutes."]);
  vi.advanceTimersByTime(5 * 60_000 + 1);
  await given;
  expect(await wait(async () => 1)).toBe(1);
  expect(said).toHaveLength(2);
  controller.abort(new Error("Interrupted."));
  await expect(wait(() => Promise.reject(away))).rejects.toThrow("Interrupted.");
  await expect(wait(() => Promise.reject(new TypeError("ours")))).rejects.toThrow("ours");
});
