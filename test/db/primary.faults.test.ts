import { afterAll, expect, test } from "vitest";
import { connect } from "../../src/db/connections.ts";
import { runCommand } from "../cli/samespot-command.ts";
import { testDatabase } from "../support/database/database.ts";
import { freePort } from "../support/free-port.ts";
import { startDatabaseProxy } from "../support/outages/database-proxy.ts";
import { dataFolder } from "../support/samespot.ts";

const { url } = await testDatabase();
const far = await startDatabaseProxy(url, { delayMs: 150 });
afterAll(far.close);
const closed = `127.0.0.1:${await freePort()}`;
const listing = (...hosts: string[]) => url.replace(/@[^/]+/, `@${hosts.join()}`);
const farHost = new URL(far.url).host;

test.each([
  ["first", [farHost, closed]],
  ["last", [closed, farHost]],
])("of several hosts, a primary with a round trip of 300 ms is found when it is listed %s", async (_place, hosts) => {
  const client = await connect({ connectionString: listing(...hosts), connectionTimeoutMillis: 10_000 });
  const { rows } = await client.query("SELECT 1 AS it");
  await client.end();
  expect(rows).toEqual([{ it: 1 }]);
});

test("of several hosts that take writes the one listed first is preferred, though it answers later", async () => {
  const later = await startDatabaseProxy(url, { delayMs: 20 });
  const [first, second] = [new URL(later.url).host, new URL(url).host];
  const client = await connect({ connectionString: listing(first, second) });
  expect(`${client.host}:${client.port}`).toBe(first);
  await client.end();
  later.close();
});

test.each(["DATABASE_URL", "DIRECT_DATABASE_URL"])(
  "an error of a command names %s if that has the address",
  async (setting) => {
    const env = { DATABASE_URL: url, [setting]: listing(closed, closed), DATA_DIR: dataFolder() };
    const { stderr } = await runCommand(env, ["database", "distribute"]);
    expect(stderr).toContain(`. ${setting} says where it is.`);
  },
);
