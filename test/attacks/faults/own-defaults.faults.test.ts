import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Address, connect, createPool } from "../../../src/db/connections.ts";
import { openDatabase } from "../../../src/db/database.ts";
import { withOwnConnection } from "../../../src/db/own-connection.ts";
import { separatePrograms } from "../../../src/db/roles.ts";
import { throughPooler } from "../../../src/db/through-pooler.ts";
import { runCommand } from "../../cli/samespot-command.ts";
import { testDatabase } from "../../support/database/database.ts";
import { hasPgBouncer, startPgBouncer } from "../../support/database/pgbouncer.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { dataFolder, startSamespot } from "../../support/samespot.ts";
import { throughDirectory } from "../running-apps.ts";

/** What a database, a role or a whole server may have, each other than with the embedded one, and what connections have instead. */
const SETTINGS: Record<string, [theirs: string, ours: string]> = {
  jit: ["on", "off"],
  client_encoding: ["LATIN1", "UTF8"],
  DateStyle: ["German, DMY", "ISO, YMD"],
  IntervalStyle: ["iso_8601", "postgres"],
  TimeZone: ["Asia/Kolkata", "UTC"],
  extra_float_digits: ["-10", "1"],
  bytea_output: ["escape", "hex"],
  standard_conforming_strings: ["off", "on"],
  default_transaction_isolation: ["serializable", "read committed"],
  "pg_trgm.similarity_threshold": ["0.9", "0.3"],
  "pg_trgm.word_similarity_threshold": ["0.9", "0.3"],
  statement_timeout: ["777", "0"],
  lock_timeout: ["777", "0"],
  idle_in_transaction_session_timeout: ["777", "0"],
  idle_session_timeout: ["777", "0"],
  log_parameter_max_length_on_error: ["-1", "0"],
};
/** Theirs to choose. Costs of plans alone, so that the answers are the same. */
const THEIRS = { jit_above_cost: "0", random_page_cost: "40", work_mem: "64", plan_cache_mode: "force_custom_plan" };

async function makeAwkward(url: string): Promise<Record<string, string>> {
  const owner = await connect({ connectionString: url });
  const theirs = Object.entries(SETTINGS).map(([name, [value]]) => [name, value]);
  for (const [name, value] of [...theirs, ...Object.entries(THEIRS)])
    await owner.query(`ALTER DATABASE "${owner.database}" SET ${name} = '${value}'`);
  await owner.end();
  return {};
}

describe("F83: a database with other defaults than the embedded one", async () => {
  const { url } = await testDatabase();
  await makeAwkward(url);
  const urls = await separatePrograms(url);
  const addresses: Record<string, Address> = { "the database": urls.app };
  if (hasPgBouncer) addresses["a pooler"] = (await throughPooler((await startPgBouncer(url)).url, urls, () => {})).app;
  type Ask = (text: string) => Promise<unknown>;
  const kinds: Record<string, Ask> = {
    "a connection": async (text) => {
      const client = await connect({ connectionString: url });
      return client
        .query(text)
        .then(({ rows }) => rows, String)
        .finally(() => client.end());
    },
    "a connection of its own": (text) =>
      withOwnConnection(url, { name: "test", statementMs: 9000 }, async (client) => (await client.query(text)).rows),
  };
  for (const [where, address] of Object.entries(addresses)) {
    const { pool, prisma, close } = openDatabase(address, { patience: 10_000 });
    const bare = createPool("bare", address, { max: 1 }, () => {});
    afterAll(() => Promise.all([close(), bare.end()]));
    kinds[`a pool at ${where}`] = async (text) => (await pool.query(text)).rows;
    kinds[`a pool without settings at ${where}`] = async (text) => (await bare.query(text)).rows;
    kinds[`a transaction of a pool at ${where}`] = async (text) => {
      const client = await pool.connect();
      await client.query("BEGIN");
      const { rows } = await client.query(text).finally(() => client.query("COMMIT"));
      client.release();
      return rows;
    };
    kinds[`Prisma at ${where}`] = (text) => prisma.$queryRawUnsafe(text);
    kinds[`a transaction of Prisma at ${where}`] = (text) => prisma.$transaction((tx) => tx.$queryRawUnsafe(text));
  }

  const asked = Object.keys(SETTINGS).map((name) => `current_setting('${name}') AS "${name}"`);
  const text = `SELECT ${asked.join(", ")}, current_setting('transaction_isolation') AS isolation`;

  test.each(Object.keys(kinds))("F83: %s has the settings on which plans and answers depend", async (kind) => {
    const [is] = (await (kinds[kind] as Ask)(text)) as Record<string, string>[];
    const { isolation, default_transaction_isolation: _, ...others } = is ?? {};
    expect(isolation).toBe("read committed");
    for (const [name, value] of Object.entries(others)) {
      if (LIMITS.includes(name)) expect([name, value]).not.toEqual([name, "777ms"]);
      else expect([name, value]).toEqual([name, SETTINGS[name]?.[1]]);
    }
    expect(Object.keys(others)).toHaveLength(Object.keys(SETTINGS).length - 1);
  });
});

/** Pools have limits of their own. */
const LIMITS = ["statement_timeout", "idle_in_transaction_session_timeout"];

const folder = dataFolder();
mkdirSync(folder, { recursive: true });
const PLACES = path.join(folder, "places.csv");
writeFileSync(
  PLACES,
  "id,name,lat,lng,phone\n1,Zwiebelfisch Café,41.8201,-71.4101,+1 401 555 0199\n2,Ångström Books,41.8302,-71.4202,\n",
);
const LISTINGS = path.join(folder, "listings.csv");
writeFileSync(LISTINGS, readFileSync("examples/listings.csv", "utf8").split("\n").slice(0, 12).join("\n"));
const NEAR = { ll: "41.82,-71.41", v: "20260101" };

/** Everything but the ids, times and ports that differ between two runs. */
const steady = (text: string) =>
  text.replace(
    /\b[0-9a-f]{24}\b|(?<="referralId":"v-)\d+|(?<="createdAt":)\d+|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=localhost:)\d+/g,
    "…",
  );

/** An import, a search, an add and a harmonization, with the pages on which times stand. */
async function walk(env: (url: string) => Promise<Record<string, string>>) {
  const { config, demo, webUrl, authUrl, apiUrl, database } = await startSamespot({ env });
  const addresses = { APP_URL: webUrl, AUTH_URL: authUrl, BASE_URL: apiUrl, DATABASE_URL: config.databaseUrl ?? "" };
  return async () => {
    const command = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand({ ...addresses, DATA_DIR: config.dataDir }, [
        ...args,
        "--json",
      ]);
      return { code, stderr, ...JSON.parse(stdout || "{}") };
    };
    const { seconds: _, ...imported } = await command("import", PLACES, "--source", "places");
    const browser = createHttpClient(webUrl);
    const start = await browser.get("/login");
    await browser.get(await throughDirectory(createHttpClient(authUrl), start.location, demo));
    const uris = ["--redirect-uri", "https://map.example/back"];
    const own = await command("application", "add", "--owner", demo.handle, "--name", "Map", ...uris);
    const { access_token } = await command("token", "issue", "--user", demo.handle, "--client-id", own.client_id);
    const ask = async (address: string, more: Record<string, string>) => {
      const query = new URLSearchParams({ ...NEAR, oauth_token: access_token, ...more });
      return steady(await (await fetch(`${apiUrl}/v2/venues/${address}?${query}`)).text());
    };
    const { id: primaryCategoryId } = await database.prisma.category.findFirstOrThrow({
      where: { name: "Coffee Shop" },
    });
    const out = path.join(folder, `${own.client_id}.csv`);
    const run = await command("harmonize", LISTINGS, "-o", out, "--user", demo.handle);
    const [files, download] = [await browser.get("/harmonizations"), await browser.get("/checkins/download")];
    return {
      imported,
      text: await ask("search", { query: "zwiebelfisch" }),
      nearest: await ask("search", {}),
      match: await ask("search", { intent: "match", name: "Angstrom Bookshop", ll: "41.8303,-71.4203" }),
      add: await ask("add", { name: "Samespot Own Defaults", ll: "41.7771,-71.3331", primaryCategoryId }),
      added: await database.prisma.venue.count({ where: { name: "Samespot Own Defaults", lat: 41.7771 } }),
      counts: [run.code, run.matched, run.review, run.none, run.failed],
      rows: steady(readFileSync(out, "utf8")),
      pages: [files.status, files.body.includes("listings.csv"), (await browser.get("/checkins")).status],
      checkins: download.body,
    };
  };
}

describe("F83: on a database with other defaults", async () => {
  const [usual, awkward] = [await walk(async () => ({})), await walk(makeAwkward)];

  test("F83: an import, a search, an add, a harmonization and a copy of check-ins say the same as on the embedded one", async () => {
    const [as, is] = [await usual(), await awkward()];
    expect(is).toEqual(as);
    expect(as).toMatchObject({ imported: { imported: 2 }, added: 1, pages: [200, true, 200] });
    expect(as.text).toContain("Zwiebelfisch");
    expect(as.match).toContain("Ångström Books");
  });
});
