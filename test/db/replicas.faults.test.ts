import { setTimeout as after } from "node:timers/promises";
import { afterAll, afterEach, expect, test } from "vitest";
import { openDatabase } from "../../src/db/database.ts";
import { openReplicas, type Replicas } from "../../src/db/replicas.ts";
import { startPrimary } from "../support/outages/standby.ts";

const primary = await startPrimary();
const database = openDatabase(primary.url);
afterAll(database.close);
await database.pool.query("CREATE TABLE note (text text)");
await database.pool.query("CREATE UNLOGGED TABLE fleeting (text text)");
const standby = await primary.replicate();
const admin = await standby.admin();
afterAll(() => admin.end().catch(() => {}));

afterEach(() => admin.query("SELECT pg_wal_replay_resume()").catch(() => {})); // also after a failure

const said: string[] = [];
function open(urls: string[], more: { lagLimitMs?: number } = {}): Replicas {
  const replicas = openReplicas(urls, { primary: database.pool, log: (message) => said.push(message), ...more });
  afterAll(replicas.close);
  return replicas;
}

const replicas = open([standby.url]);
const IS_REPLICA = "SELECT pg_is_in_recovery() AS it";
const isReplica = async (from: Replicas, position?: number) =>
  (await from.reader(position).query(IS_REPLICA)).rows[0].it;
const writtenAt = async () => {
  await database.pool.query("INSERT INTO note VALUES ('one')");
  const { rows } = await database.pool.query(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS position",
  );
  return rows[0].position as number;
};
const until = async (holds: () => Promise<boolean>) => {
  while (!(await holds())) await after(20);
};

test("C32: a replica is asked once it has what the caller wrote, and before that the primary", async () => {
  await until(() => isReplica(replicas));
  await admin.query("SELECT pg_wal_replay_pause()");
  const position = await writtenAt();
  await after(600); // two polls
  expect([await isReplica(replicas, position), await isReplica(replicas)]).toEqual([false, true]);
  await admin.query("SELECT pg_wal_replay_resume()");
  await until(() => isReplica(replicas, position));
});

test("C32: what fails at the replica is asked once more at the primary, and the replica is asked again", async () => {
  const { rows } = await replicas.reader().query("SELECT count(*)::int AS n FROM fleeting"); // refused during recovery
  expect(rows).toEqual([{ n: 0 }]);
  await expect(replicas.reader().query("SELECT nothing")).rejects.toMatchObject({ code: "42703" });
  expect(await isReplica(replicas)).toBe(true);
  expect(replicas.status()).toEqual([expect.objectContaining({ failed: 2, lagSeconds: expect.any(Number) })]);
});

test("C32: a replica that is further behind than the limit is not asked", async () => {
  const strict = open([standby.url], { lagLimitMs: 1000 });
  await until(() => isReplica(strict));
  await admin.query("SELECT pg_wal_replay_pause()");
  await writtenAt();
  await until(async () => !(await isReplica(strict)));
  expect([strict, replicas].map((each) => each.status()[0]?.isAsked)).toEqual([false, true]);
  expect(await isReplica(replicas)).toBe(true);
  await admin.query("SELECT pg_wal_replay_resume()");
  await until(() => isReplica(strict));
});

test("C32: a server that is no replica, or a replica of another one, is not asked, which is logged", async () => {
  const other = await startPrimary();
  const theirs = await other.replicate();
  const wrong = open([other.url, theirs.url]);
  await after(1000);
  for (const _ of [1, 2, 3]) expect(await isReplica(wrong)).toBe(false);
  expect(said.join("\n")).toContain("is not asked: it is not a replica of a primary");
  expect(said.join("\n")).toContain("is not asked: it is a replica of another database server");
});

test("C32: while a replica is stopped every read succeeds, and it is asked again when it is back", async () => {
  await until(() => isReplica(replicas));
  await admin.end();
  const stopping = standby.stop();
  for (let times = 0; times < 200; times++) expect(typeof (await isReplica(replicas))).toBe("boolean");
  await stopping;
  expect(await isReplica(replicas)).toBe(false);
  await until(async () => replicas.status()[0]?.lagSeconds === null);
  await standby.start();
  await until(() => isReplica(replicas));
});
