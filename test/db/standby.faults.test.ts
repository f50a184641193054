import fc from "fast-check";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { lookAtStandbys, readNames, WAIT_FOR_NONE } from "../../src/db/standby.ts";
import { lookAtServer } from "../../src/doctor/database.ts";
import { notReady } from "../../src/http/health.ts";
import { startPrimary } from "../support/outages/standby.ts";

const primary = await startPrimary();
await migrate(primary.url);
const standby = await primary.replicate();
const admin = await primary.admin();
afterAll(() => admin.end());
const { pool, close } = openDatabase(primary.url);
afterAll(close);

const KEYS = { schema: "app", vault: { keyIds: [] } } as unknown as Parameters<typeof notReady>[1];
const problems = () => notReady(pool, KEYS);
const waitFor = async (names: string) => {
  await admin.query(`ALTER SYSTEM SET synchronous_standby_names = ${admin.escapeLiteral(names)}`);
  await admin.query("SELECT pg_reload_conf()");
  await expect
    .poll(async () => (await pool.query("SHOW synchronous_standby_names")).rows[0])
    .toEqual({
      synchronous_standby_names: names,
    });
};
const commits = async () => (await lookAtServer(admin)).find(({ name }) => name === "Commits");

const blank = fc.stringMatching(/^[ \t]{0,2}$/);
const plainName = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_$]{0,8}$/).filter((name) => !/^(any|first)$/i.test(name));
const quotedName = fc.stringMatching(/^[ A-Za-z0-9_.,()*"'-]{1,9}$/);
const name = fc.oneof(
  plainName.map((text) => ({ text, means: text })),
  quotedName.map((means) => ({ text: `"${means.replaceAll('"', '""')}"`, means })),
  fc.nat({ max: 99 }).map((number) => ({ text: `${number}`, means: `${number}` })),
  fc.constant({ text: "*", means: "*" }),
);
const way = fc.constantFrom("ANY ", "any  ", "FIRST ", "First\t", "");
const setting = fc
  .record({
    way,
    needed: fc.option(fc.integer({ min: 1, max: 9 })),
    names: fc.array(name, { minLength: 1, maxLength: 4 }),
    blank,
  })
  .map(({ way, needed, names, blank }) => {
    const list = names.map(({ text }) => blank + text + blank).join(",");
    const text = needed === null ? list : `${blank}${way}${needed}${blank}(${list})${blank}`;
    return { text, means: { needed: needed ?? 1, listed: names.map(({ means }) => means.toLowerCase()) } };
  });

test("F94: every form of synchronous_standby_names that PostgreSQL accepts is read for what it says", async () => {
  const cases = fc.asyncProperty(setting, async ({ text, means }) => {
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = ${admin.escapeLiteral(text)}`);
    expect(readNames(text)).toEqual(means);
  });
  await fc.assert(cases, { numRuns: 150 }).finally(() => waitFor(""));
});

describe("with a replica", () => {
  const stranger = new pg.Pool({ connectionString: primary.url, max: 1, options: "-c role=stranger" });
  afterAll(() => stranger.end());

  test("F94: a user who sees only the names of replicas counts those that PostgreSQL waits for", async () => {
    await admin.query("CREATE ROLE stranger");
    for (const [names, there] of [
      ["*", 1],
      ["WalReceiver", 1],
      ['FIRST 1 (other, "walreceiver")', 1],
      ["ANY 2 (*)", 1],
      ['"other"', 0],
      ["ANY 1 (walreceiver2, wal)", 0],
    ] as const) {
      await waitFor(names);
      const both = async () => [await lookAtStandbys(admin), await lookAtStandbys(stranger)].map((it) => it?.there);
      await expect.poll(both).toEqual([there, there]);
    }
  });

  test("F94: commits that wait for a replica that is away make the process unready and the doctor say how to go on", async () => {
    await waitFor("");
    expect([await problems(), await commits()]).toEqual([[], undefined]);
    await waitFor("*");
    await expect.poll(commits).toMatchObject({ state: "warning", words: expect.stringContaining("1 connected") });
    expect(await problems()).toEqual([]);

    await standby.stop();
    await expect.poll(problems).toEqual([expect.stringContaining("writes wait for a replica")]);
    expect(await commits()).toMatchObject({ state: "problem", todo: expect.stringContaining(WAIT_FOR_NONE) });
    const writing = admin.query("CREATE TABLE waited ()");
    const first = await Promise.race([
      writing.then(() => "written"),
      pool.query("SELECT pg_sleep(.3)").then(() => "waits"),
    ]);
    expect(first).toBe("waits");
    for (const statement of WAIT_FOR_NONE.split("; ")) await pool.query(statement);
    await writing;
    expect([await problems(), await commits()]).toEqual([[], undefined]);
  });

  test("F94: with two replicas and ANY 1, either may be away", async () => {
    await standby.start();
    const second = await primary.replicate();
    await waitFor("ANY 1 (*)");
    await expect.poll(commits).toMatchObject({ state: "ok", words: expect.stringContaining("2 connected") });
    for (const away of [second, standby]) {
      await away.stop();
      await expect.poll(commits).toMatchObject({ state: "warning" });
      await admin.query("CREATE TABLE IF NOT EXISTS written ()");
      expect(await problems()).toEqual([]);
      if (away === second) await second.start();
      await expect
        .poll(commits)
        .toMatchObject({ words: expect.stringContaining(away === second ? "2 connected" : "1 connected") });
    }
  });
});
