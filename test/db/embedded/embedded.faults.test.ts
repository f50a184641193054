import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { linkLibraries } from "../../../src/db/embedded/binaries.ts";
import { embeddedHomes, startEmbedded } from "../../../src/db/embedded/embedded.ts";
import { closedFolder } from "../../../src/db/embedded/user.ts";
import { kill, killChildren, launch, newFolder, patiently, query, serverPid } from "./processes.ts";

const asRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const nobodyMayRunUs = asRoot && !closedFolder(import.meta.dirname, { uid: NOBODY, gid: NOBODY });

let dir: string;
let pristine: string;

/** Creating a cluster takes a second, so most tests copy this one. */
beforeAll(async () => {
  pristine = newFolder();
  await (await startEmbedded({ dir: pristine })).stop();
});

beforeEach(() => {
  dir = newFolder();
  execFileSync("cp", ["-a", `${pristine}/.`, dir]);
});

afterEach(() => {
  killChildren();
  kill(serverPid(dir));
  rmSync(dir, { recursive: true, force: true });
});

test("a first start creates the database, even in a relative folder, and a later start finds its rows", async () => {
  dir = newFolder();
  const first = await startEmbedded({ dir: path.relative(process.cwd(), dir) });
  await query(first.url, "CREATE TABLE kept AS SELECT 7 AS number");
  await first.stop();
  await expect(query(first.url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
  const second = await startEmbedded({ dir });
  expect(second.adopted).toBe(false);
  expect(await query(second.url, "SELECT number FROM kept")).toEqual([{ number: 7 }]);
  await second.stop();
});

test("the database sorts and folds letters of all scripts", async () => {
  const { url, stop } = await startEmbedded({ dir });
  await query(url, "CREATE EXTENSION pg_trgm");
  const rows = await query(url, "SELECT lower('ÅÉЖ') AS lower, similarity('кафе', 'кафе') AS same");
  expect(rows).toEqual([{ lower: "åéж", same: 1 }]);
  await stop();
});

test("a server whose process was killed with -9 is adopted", async () => {
  const child = await launch(dir);
  child.process.kill("SIGKILL");
  await once(child.process, "exit");
  const heir = await startEmbedded({ dir });
  expect(heir.adopted).toBe(true);
  expect(heir.url).toBe(child.url);
  await heir.stop();
  await expect(query(heir.url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
});

test.each([
  ["its password does not fit", () => writeFileSync(path.join(dir, "pg.secret"), "another\n"), "samespot"],
  ["the database cannot be made", () => {}, ""],
])("F102: a server is not left behind by a start that fails after it because %s", async (_why, spoil, database) => {
  spoil();
  await expect(startEmbedded({ dir, database })).rejects.toThrow(/password|zero-length/);
  expect([serverPid(dir), embeddedHomes()]).toEqual([0, []]);
});

test("F102: a start that fails leaves the server to others who use it", async () => {
  const { url, stop } = await startEmbedded({ dir });
  await expect(startEmbedded({ dir, database: "" })).rejects.toThrow("zero-length");
  expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await stop();
  expect(serverPid(dir)).toBe(0);
});

test("two processes that start at once share one server, and the last to end stops it", async () => {
  const [one, two] = await Promise.all([launch(dir), launch(dir)]);
  expect([one.adopted, two.adopted].sort()).toEqual([false, true]);
  await one.end();
  expect(await query(two.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await two.end();
  await expect(query(two.url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
});

test("concurrent processes that come and go never lose their server", async () => {
  for (let round = 0; round < 5; round++) {
    const leaving = await startEmbedded({ dir });
    const [coming] = await Promise.all([startEmbedded({ dir }), leaving.stop()]);
    expect(await query(coming.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await coming.stop();
  }
});

test("F04: a server killed with -9 returns on its port with every committed row", async () => {
  const { url, stop } = await startEmbedded({ dir });
  await query(url, "CREATE TABLE kept AS SELECT 7 AS number");
  kill(serverPid(dir));
  const rows = await patiently(() => query(url, "SELECT number FROM kept"));
  expect(rows).toEqual([{ number: 7 }]);
  await stop();
  await expect(query(url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
});

test("a start recovers after process and server were both killed with -9", async () => {
  const child = await launch(dir);
  await query(child.url, "CREATE TABLE kept AS SELECT 7 AS number");
  child.process.kill("SIGKILL");
  kill(serverPid(dir));
  const { url, adopted, stop } = await startEmbedded({ dir });
  expect(adopted).toBe(false);
  expect(await query(url, "SELECT number FROM kept")).toEqual([{ number: 7 }]);
  await stop();
});

test("a pid file that names an unrelated process does not block the start", async () => {
  const pidFile = path.join(dir, "pg", "postmaster.pid");
  writeFileSync(pidFile, `${process.pid}\n${dir}/pg\n1\n1\n\n127.0.0.1\n1 1\nready\n`);
  const { adopted, stop } = await startEmbedded({ dir });
  expect(adopted).toBe(false);
  await stop();
});

test("a first start killed half-way is repeated", async () => {
  dir = newFolder();
  mkdirSync(path.join(dir, "pg.new", "base"), { recursive: true });
  writeFileSync(path.join(dir, "pg.new", "PG_VERSION"), "18\n");
  const { url, stop } = await startEmbedded({ dir });
  expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await stop();
});

test("F16: a request in progress is answered when Ctrl-C reaches the whole process group", async () => {
  const child = await launch(dir, { seconds: 1, detached: true });
  process.kill(-(child.process.pid ?? 0), "SIGINT");
  expect(await child.lastWords()).toEqual({ answer: 42 });
});

test.runIf(nobodyMayRunUs)("a normal user can start the database, and then root on the same folder", async () => {
  dir = newFolder();
  chownSync(dir, NOBODY, NOBODY);
  const child = await launch(dir, { uid: NOBODY });
  expect(statSync(path.join(dir, "pg")).uid).toBe(NOBODY);
  await child.end();
  const { url, stop } = await startEmbedded({ dir });
  expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await stop();
});

test("a start on data of another PostgreSQL version reports that version", async () => {
  writeFileSync(path.join(dir, "pg", "PG_VERSION"), "17\n");
  await expect(startEmbedded({ dir })).rejects.toThrow("was made by PostgreSQL 17");
});

test("a start restores library links missing after a skipped install script", () => {
  const root = path.join(dir, "package");
  mkdirSync(path.join(root, "native", "lib"), { recursive: true });
  const link = { source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" };
  writeFileSync(path.join(root, link.source), "library");
  writeFileSync(path.join(root, "native", "pg-symlinks.json"), JSON.stringify([link]));
  linkLibraries(root);
  linkLibraries(root);
  expect(readFileSync(path.join(root, link.target), "utf8")).toBe("library");
});
