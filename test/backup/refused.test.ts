import { describe, expect, it } from "vitest";
import { testDatabase } from "../support/database/database.ts";
import { backUp, emptyDatabase, KEY, open, restoreInto } from "./restored.ts";

const { url, database } = await testDatabase();
// Random, so that it does not compress: the backup has several frames.
await database.pool.query(`INSERT INTO directory.category (id, name, plural_name, short_name, icon, position)
  SELECT n, string_agg(md5(random()::text), ''), '', '', '', n FROM generate_series(1, 400) n, generate_series(1, 100) GROUP BY n`);
const backups = { plain: await backUp(url), encrypted: await backUp(url, KEY) };
const DAMAGED = /^Part \d+ of this backup was changed/;

describe.each([
  ["plain", undefined],
  ["encrypted", KEY],
] as const)("a backup, %s", (how, key) => {
  const whole = backups[how];
  it("backup: leaves a database empty if a bit of it has changed, and a whole one can be restored there", async () => {
    const target = await emptyDatabase();
    const changed = Buffer.from(whole);
    changed[whole.length - 10] = (changed[whole.length - 10] ?? 0) ^ 1;
    await expect(restoreInto(target.url, changed, key)).rejects.toThrow(DAMAGED);
    const count = async () =>
      (await target.database.pool.query("SELECT count(*)::int AS rows FROM directory.category")).rows[0].rows;
    expect(await count()).toBe(0);
    await restoreInto(target.url, whole, key);
    expect(await count()).toBe(400);
  });
});

it("backup: an encrypted backup shows none of its rows, and does not open without its key", async () => {
  const { rows } = await database.pool.query("SELECT name FROM directory.category WHERE id = '7'");
  expect(backups.encrypted.includes(rows[0].name)).toBe(false);
  expect(backups.encrypted.includes("directory.category")).toBe(false);
  await expect(open(backups.encrypted)).rejects.toThrow("This backup is encrypted. Give its key with --key-file");
  await expect(open(backups.encrypted, `${KEY}x`)).rejects.toThrow("The key does not open this backup");
});

it("backup: two encrypted backups of one state have nothing in common behind their headers", async () => {
  const again = await backUp(url, KEY);
  const tail = (bytes: Buffer) => bytes.subarray(-5000);
  expect(backups.encrypted.includes(tail(again).subarray(0, 16))).toBe(false);
  expect(tail(again).equals(tail(backups.encrypted))).toBe(false);
});

it("backup: a database that is not empty is refused and stays as it is", async () => {
  await expect(restoreInto(url, backups.plain)).rejects.toThrow("The database is not empty (it has app.account)");
  const other = await emptyDatabase();
  await other.database.pool.query("CREATE TABLE public.notes AS SELECT 'mine' AS text");
  await expect(restoreInto(other.url, backups.plain)).rejects.toThrow(
    "The database is not empty (it has public.notes)",
  );
  expect((await other.database.pool.query("SELECT * FROM public.notes")).rows).toEqual([{ text: "mine" }]);
});

it("backup: an empty database cannot be backed up", async () => {
  const { url } = await emptyDatabase();
  await expect(backUp(url)).rejects.toThrow("There is nothing to back up");
});

it("backup: one of a newer schema or format is refused before the database is touched", async () => {
  const { url, database } = await testDatabase();
  await database.pool.query(`INSERT INTO public._prisma_migrations (id, checksum, finished_at, migration_name)
    VALUES ('x', '', now(), '29990101000000_later')`);
  await expect(open(await backUp(url))).rejects.toThrow(
    "This backup is newer than this program: it has 29990101000000_later. Restore it with release 1.2.3 or a newer one.",
  );
  const later = backups.plain.toString("latin1").replace('{"format":1', '{"format":2');
  await expect(open(Buffer.from(later, "latin1"))).rejects.toThrow(
    "This backup has format 2, which this release does not know",
  );
});
