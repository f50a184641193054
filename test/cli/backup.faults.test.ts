import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { randomToken } from "../../src/shared/crypto.ts";
import { emptyDatabase } from "../backup/restored.ts";
import { addSpots } from "../directory/venues/islands.ts";
import { testDatabase } from "../support/database/database.ts";
import { forgetNewestMigration } from "../support/database/history.ts";
import { restartable } from "../support/outages/restartable.ts";
import { dataFolder } from "../support/samespot.ts";
import { runCommand, spawnCommand } from "./samespot-command.ts";

const folder = dataFolder();
mkdirSync(folder, { recursive: true });
const inFolder = (name: string) => path.join(folder, name);
const [keys, backupKey] = [randomToken(), randomToken()];

const { url, database } = await testDatabase();
await addSpots(database.pool, [{ name: "Cafe", lat: 41.8, lng: -71.4 }]);
const env = { DATABASE_URL: url, DATA_DIR: folder, ENCRYPTION_KEYS: keys, SESSION_SECRETS: randomToken() };
const run = (args: string[], more: Record<string, string> = {}) => runCommand({ ...env, ...more }, args);

describe("samespot backup", () => {
  test("writes a file that only its owner may read, and names the keys that a restore needs", async () => {
    await runCommand(env, ["user", "add", "--handle", "ada", "--password-stdin"], { input: "a long password\n" });
    const { code, stdout } = await run(["backup", inFolder("one")]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+ rows in .*one \(.* s\), not encrypted/)]);
    expect(stdout).toContain("A restore also needs ENCRYPTION_KEYS, which are not in the backup.");
    expect(statSync(inFolder("one")).mode & 0o777).toBe(0o600);
    expect(readFileSync(inFolder("one")).includes(keys)).toBe(false);
  });

  test("does not replace a file without --force", async () => {
    writeFileSync(inFolder("old"), "mine");
    const refused = await run(["backup", inFolder("old"), "--json"]);
    expect(refused).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("exists. Choose another name, or replace it with --force."),
    });
    expect(readFileSync(inFolder("old"), "utf8")).toBe("mine");
    expect((await run(["backup", inFolder("old"), "--force", "--json"])).code).toBe(0);
    expect(await run(["restore", inFolder("old"), "--check"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("The backup is whole."),
    });
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("F99: in a folder, --keep deletes older backups after a good one only, and nothing that was named by a person", async () => {
    mkdirSync(inFolder("kept"));
    const files = () => readdirSync(inFolder("kept")).sort();
    expect((await run(["backup", inFolder("kept")])).code).toBe(0);
    const [first = ""] = files();
    expect(first).toMatch(/^samespot-\d{8}T\d{6}\.\d{3}Z\.backup$/);
    copyFileSync(path.join(inFolder("kept"), first), path.join(inFolder("kept"), "mine.backup"));
    const empty = await emptyDatabase();
    expect((await run(["backup", inFolder("kept"), "--keep", "1"], { DATABASE_URL: empty.url })).code).toBe(1);
    expect(files()).toEqual(["mine.backup", first]);
    const { code, stdout } = await run(["backup", inFolder("kept"), "--keep", "1"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Deleted older backups: ${first}.`)]);
    expect(files()).toEqual(["mine.backup", expect.stringMatching(/^samespot-/)]);
    expect(files()).not.toContain(first);
  });

  test.each([
    { args: ["new", "--keep", "2"], words: "--keep needs a folder" },
    { args: ["-", "--keep", "2"], words: "--keep needs a folder" },
    ...["0", "-1", "1.5", "all", ""].map((keep) => ({ args: [".", `--keep=${keep}`], words: "whole number from 1" })),
  ])("F99: refuses $args, and writes nothing", async ({ args: [target = "", ...more], words }) => {
    const before = readdirSync(folder);
    const { code, stderr } = await run(["backup", target === "-" ? target : inFolder(target), ...more]);
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(words)]);
    expect(code).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual(before);
  });

  test("encrypts with a key from a file or from BACKUP_KEY, and refuses a weak one", async () => {
    writeFileSync(inFolder("key"), `${backupKey}\n`);
    expect((await run(["backup", inFolder("sealed"), "--key-file", inFolder("key")])).stdout).toContain(", encrypted.");
    expect(await run(["restore", inFolder("sealed"), "--check"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is encrypted"),
    });
    expect((await run(["restore", inFolder("sealed"), "--check"], { BACKUP_KEY: backupKey })).code).toBe(0);
    writeFileSync(inFolder("weak"), "hunter2");
    const { code, stderr } = await run(["backup", inFolder("never"), "--key-file", inFolder("weak")]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("is shorter than 32 characters. Make one with: openssl rand -base64 32"),
    ]);
    expect(existsSync(inFolder("never"))).toBe(false);
  });

  test("does not migrate the database, so that it can precede an upgrade", async () => {
    const { url, database } = await testDatabase();
    const missing = await forgetNewestMigration(database.pool);
    expect((await run(["backup", inFolder("before")], { DATABASE_URL: url })).code).toBe(0);
    const { rows } = await database.pool.query("SELECT max(migration_name) AS newest FROM public._prisma_migrations");
    expect(rows[0].newest < missing).toBe(true);
  });
});

describe("samespot restore", () => {
  test("says so if there is no such file, of the backup or of the key", async () => {
    const missing = await run(["restore", inFolder("nothing")]);
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringMatching(/^There is no file .*nothing\. Give the/),
    ]);
    writeFileSync(inFolder("some"), "x");
    const keyless = await run(["restore", inFolder("some"), "--key-file", inFolder("nothing")]);
    expect([keyless.code, keyless.stderr]).toEqual([1, expect.stringContaining("after --key-file.")]);
  });

  test("S95: refuses an unencrypted backup where there is a key, and starts no database for it, unless asked to", async () => {
    await run(["backup", inFolder("clear")]);
    writeFileSync(inFolder("some-key"), `${backupKey}\n`);
    const DATA_DIR = dataFolder();
    for (const [more, ...options] of [[{ BACKUP_KEY: backupKey }], [{}, "--key-file", inFolder("some-key")]] as const)
      expect(await runCommand({ DATA_DIR, ...more }, ["restore", inFolder("clear"), ...options])).toEqual({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining("This backup is not encrypted, although there is a key"),
      });
    expect(existsSync(DATA_DIR) ? readdirSync(DATA_DIR).filter((name) => name.startsWith("pg")) : []).toEqual([]);
    const { url } = await emptyDatabase();
    const asked = await run(["restore", inFolder("clear"), "--allow-unencrypted"], {
      DATABASE_URL: url,
      BACKUP_KEY: backupKey,
    });
    expect(asked.code).toBe(0);
    writeFileSync(inFolder("empty-key"), "\n");
    const empty = await run(["restore", inFolder("clear"), "--key-file", inFolder("empty-key")]);
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining("is empty. Give the file with the key")]);
  });

  test("restores into the embedded database of a new folder, which then starts with everything in it", async () => {
    await run(["backup", inFolder("whole")]);
    const DATA_DIR = dataFolder();
    const embedded = { DATA_DIR, ENCRYPTION_KEYS: keys };
    const restored = await spawnCommand(embedded, ["restore", inFolder("whole"), "--json"]).ended;
    expect({ ...restored, ...JSON.parse(restored.stdout) }).toMatchObject({
      code: 0,
      venues: 1,
      missing_keys: [],
      migrated: [],
    });
    const again = await runCommand(embedded, ["restore", inFolder("whole")]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("The database is not empty") });
    const { stdout } = await runCommand(embedded, ["user", "end-sessions", "--handle", "ada", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ handle: "ada" });
  });

  test("names the keys that are missing, and nobody's work is lost: people log in with the right keys", async () => {
    const { url, database } = await testDatabase({ template: "sample" });
    const samespot = await restartable({ url }, { ENCRYPTION_KEYS: keys });
    const first = await samespot.start();
    const demo = { handle: "demo", password: first.demo?.password ?? "" };
    await samespot.logIn(samespot.newBrowser(), demo);
    const { rows } = await database.pool.query(
      `WITH list AS (INSERT INTO app.list (id, directory, name) VALUES (gen_random_uuid(), $1, 'half.csv') RETURNING id)
      INSERT INTO app.harmonization (list_id, directory, name, state, account_id, id, header, columns, listing_count)
      SELECT (SELECT id FROM list), $1, 'half.csv', 'matching', id, gen_random_uuid(), '{name,lat,lng}', '{"name":0,"lat":1,"lng":2}', 40 FROM app.account RETURNING id`,
      [samespot.BASE_URL],
    );
    await first.close();
    await database.pool.query(
      `INSERT INTO app.listing (harmonization_id, number, line, cells, query)
      SELECT $1, n, n + 1, '{Cafe,41.8,-71.4}', '{"name":"Cafe","lat":41.8,"lng":-71.4}' FROM generate_series(1, 40) n`,
      [rows[0].id],
    );
    await run(["backup", inFolder("half")], { DATABASE_URL: url });

    const target = await emptyDatabase();
    const missing = await run(["restore", inFolder("half"), "--json"], {
      DATABASE_URL: target.url,
      ENCRYPTION_KEYS: randomToken(),
    });
    expect(JSON.parse(missing.stdout).missing_keys).toHaveLength(2);
    const moved = { DATABASE_URL: target.url };
    await expect(samespot.start({ ...moved, ENCRYPTION_KEYS: randomToken() })).rejects.toThrow(
      "ENCRYPTION_KEYS is missing a key",
    );
    const running = await samespot.start(moved);
    onTestFinished(running.close);
    expect((await samespot.logIn(samespot.newBrowser(), demo)).body).toContain("Log out");
    const state = async () =>
      (await target.database.pool.query("SELECT state::text FROM app.harmonization")).rows[0].state;
    await expect.poll(state).toBe("ready"); // its tasks were not in the backup
  });

  test("reads standard input, and says with exit code 1 what is wrong with it", async () => {
    const { url } = await emptyDatabase();
    const bad = await runCommand({ ...env, DATABASE_URL: url }, ["restore", "-"], { input: "SELECT 1;\n" });
    expect(bad).toEqual({
      code: 1,
      stdout: "",
      stderr: "This is not a backup of Samespot, or its beginning is damaged.\n",
    });
  });
});
