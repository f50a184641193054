import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { startEmbedded } from "../../../src/db/embedded/embedded.ts";
import { openPackage } from "../../../src/db/embedded/outside.ts";
import { kill, killChildren, launch, newFolder, patiently, query, serverPid } from "./processes.ts";

/** A user who may not enter, like the user of root's server. */
const nobody = { uid: 65534, gid: 65534 };

describe.runIf(process.getuid?.() === 0)("the embedded database of root, in a folder closed to other users", () => {
  let closed: string;
  let dir: string;
  // The end of the test run stops clusters left in this folder.
  const base = inject("run").folder;
  const outside = [base];
  const home = () => realpathSync(path.join(dir, "pg.home"));
  const start = () => startEmbedded({ dir, outside });
  /** Outside folder of a database with a table. Creating a cluster takes a second, so most tests copy this one. */
  let pristine: string;

  function newPlace(): void {
    closed = newFolder();
    chmodSync(closed, 0o700);
    dir = path.join(closed, "data");
  }

  beforeAll(async () => {
    newPlace();
    const { url, stop } = await start();
    await query(url, "CREATE TABLE kept AS SELECT 7 AS number");
    await stop();
    pristine = home();
  });

  beforeEach(newPlace);

  afterEach(() => {
    killChildren();
    if (existsSync(path.join(dir, "pg.home"))) kill(serverPid(home()));
  });

  test("is created in another folder, which pg.home names, and a later start finds its rows", async () => {
    const first = await start();
    await query(first.url, "CREATE TABLE kept AS SELECT 7 AS number");
    expect(path.dirname(home())).toBe(base);
    expect(statSync(path.join(home(), "pg.secret")).mode & 0o777).toBe(0o600);
    await first.stop();
    await expect(query(first.url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
    expect(await rowsOf(await start())).toEqual([{ number: 7 }]);
  });

  test("adopts a server left by kill -9, shares it with another process, and stops with the last one", async () => {
    keepSeven();
    const killed = await launch(dir, { outside: base });
    killed.process.kill("SIGKILL");
    await once(killed.process, "exit");
    const [one, two] = await Promise.all([launch(dir, { outside: base }), start()]);
    expect([one.adopted, two.adopted, one.url, two.url]).toEqual([true, true, killed.url, killed.url]);
    await one.end();
    expect(await query(two.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await two.stop();
    await expect(query(two.url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
  });

  test("returns with every committed row after kill -9", async () => {
    keepSeven();
    const { url, stop } = await start();
    kill(serverPid(home()));
    expect(await patiently(() => query(url, "SELECT number FROM kept"))).toEqual([{ number: 7 }]);
    await stop();
  });

  test("is created again in the same place after a first start killed half-way", async () => {
    keepSeven();
    const place = home();
    renameSync(path.join(place, "pg"), path.join(place, "pg.new"));
    await (await start()).stop();
    expect(home()).toBe(place);
    expect(readdirSync(place).sort()).toEqual(["data-dir", "pg", "pg.secret"]);
  });

  test("stays with a moved data folder, while a new folder in the old place gets its own", async () => {
    keepSeven();
    const old = dir;
    const moved = path.join(closed, "moved");
    renameSync(old, moved);
    await expect(start().then(rowsOf)).rejects.toThrow('"kept" does not exist');
    dir = moved;
    expect(await rowsOf(await start())).toEqual([{ number: 7 }]);
    expect(realpathSync(path.join(home(), "data-dir"))).toBe(moved);
  });

  test("is a new one for a copied data folder, and the original is unchanged", async () => {
    keepSeven();
    const original = dir;
    dir = path.join(closed, "copy");
    cpSync(original, dir, { recursive: true, verbatimSymlinks: true });
    await expect(start().then(rowsOf)).rejects.toThrow('"kept" does not exist');
    dir = original;
    expect(await rowsOf(await start())).toEqual([{ number: 7 }]);
  });

  test("is a new one after its data folder was deleted, and the leftover server stops", async () => {
    keepSeven();
    const child = await launch(dir, { outside: base });
    child.process.kill("SIGKILL");
    const place = home();
    rmSync(dir, { recursive: true });
    await expect(start().then(rowsOf)).rejects.toThrow('"kept" does not exist');
    await patiently(async () => expect(serverPid(place)).toBe(0));
  });

  test("is a new one after its outside folder was deleted", async () => {
    keepSeven();
    rmSync(home(), { recursive: true });
    await expect(start().then(rowsOf)).rejects.toThrow('"kept" does not exist');
  });

  test("uses the first outside folder that it can create and only root can write", async () => {
    const shared = newFolder();
    chmodSync(shared, 0o777);
    writeFileSync(path.join(closed, "file"), "");
    const candidates = [path.join(closed, "file", "below"), shared, path.join(closed, "closed"), ...outside];
    await (await startEmbedded({ dir, outside: candidates })).stop();
    expect(path.dirname(home())).toBe(base);
  });

  test("names the closed folder when there is no outside folder", async () => {
    const refused = startEmbedded({ dir, outside: [] });
    await expect(refused).rejects.toThrow(`may not enter ${closed} `);
  });

  test("copies its programs once, complete and readable by all, even if two start at once", async () => {
    const root = path.join(closed, "package");
    mkdirSync(path.join(root, "native", "bin"), { recursive: true });
    writeFileSync(path.join(root, "package.json"), '{ "version": "18.1" }');
    writeFileSync(path.join(root, "native", "bin", "postgres-18"), "program", { mode: 0o700 });
    symlinkSync("postgres-18", path.join(root, "native", "bin", "postgres"));
    const place = newFolder();
    mkdirSync(path.join(place, "postgresql-18.1.new", "native", "left-over"), { recursive: true });
    const copies = await Promise.all([1, 2].map(() => openPackage(root, nobody, [place])));
    const copy = path.join(place, "postgresql-18.1");
    expect(copies).toEqual([copy, copy]);
    expect(readdirSync(copy, { recursive: true }).sort()).toEqual([
      "native",
      "native/bin",
      "native/bin/postgres",
      "native/bin/postgres-18",
    ]);
    const program = path.join(copy, "native", "bin", "postgres");
    expect(realpathSync(program)).toBe(`${program}-18`);
    expect([readFileSync(program, "utf8"), statSync(program).mode & 0o777]).toEqual(["program", 0o755]);
    const made = statSync(copy).ctimeMs;
    await openPackage(root, nobody, [place]);
    expect(statSync(copy).ctimeMs).toBe(made);
  });

  test("uses the data folder and the package in place when they are open", async () => {
    const open = newFolder();
    mkdirSync(path.join(open, "native", "bin"), { recursive: true });
    expect(await openPackage(open, nobody, outside)).toBe(open);
    await (await startEmbedded({ dir: open, outside })).stop();
    expect(readdirSync(open).sort()).toEqual(["native", "pg", "pg.lock", "pg.secret"]);
  });

  /** Makes the data folder of a database that has the table `kept`. */
  function keepSeven(): void {
    const place = mkdtempSync(path.join(base, "cluster-"));
    execFileSync("cp", ["-a", `${pristine}/.`, place]);
    rmSync(path.join(place, "data-dir"));
    mkdirSync(dir);
    symlinkSync(dir, path.join(place, "data-dir"));
    symlinkSync(place, path.join(dir, "pg.home"));
  }
});

/** Returns the rows of the table `kept`, and stops the server. */
async function rowsOf({ url, stop }: { url: string; stop(): Promise<void> }): Promise<unknown[]> {
  return query(url, "SELECT number FROM kept").finally(stop);
}
