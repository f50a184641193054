import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { migrate, pendingInBackground, pendingMigrations } from "../../../src/db/migrate.ts";
import { FOLDER, migrationNames } from "../../../src/db/migration-files.ts";
import { createLogger } from "../../../src/http/logger.ts";
import { startSamespot } from "../../../src/main.ts";
import { throughDirectory } from "../../attacks/running-apps.ts";
import { testDatabase } from "../../support/database/database.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { collectLogs } from "../../support/logs.ts";
import { PRODUCTION } from "../../support/production.ts";
import { dataFolder, freeAddresses } from "../../support/samespot.ts";

/** The newest migration of the former release, with which former-rows.sql was written. */
const FORMER = "20261123160955_portions";
const KEYS = {
  ENCRYPTION_KEYS: "former-rows-Vq8mZ2xT0pKc4LrW9sBn",
  SESSION_SECRETS: "former-session-h3Yt6Wq1ZpXv8KdR5mCj",
};
const ADA = { handle: "ada", password: "correct horse battery" };
const READER_TOKEN = "vccpP-gweKR3TLmvKMTzXOd9cVdYI1aTd0oPSl86nIc";

const { url, database } = await testDatabase({ template: "none" });
const { pool } = database;
const addresses = await freeAddresses();

beforeAll(async () => {
  const folder = mkdtempSync(path.join(inject("run").folder, "former-"));
  const former = (await migrationNames(FOLDER)).filter((name) => name <= FORMER);
  for (const name of former) cpSync(path.join(FOLDER, name), path.join(folder, name), { recursive: true });
  await migrate(url, { folder });
  rmSync(folder, { recursive: true });
  const rows = readFileSync(path.join(import.meta.dirname, "former-rows.sql"), "utf8")
    .replaceAll("http://localhost:4900", addresses.APP_URL)
    .replaceAll("http://localhost:4901", addresses.AUTH_URL)
    .replaceAll("http://localhost:4902", addresses.BASE_URL);
  await pool.query(rows);
});

test("the upgrade is rehearsed with rows in every table of the former release", async () => {
  const { rows: tables } = await pool.query(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('app', 'directory')",
  );
  const has = tables.map(async ({ name }) => ((await pool.query(`SELECT FROM ${name} LIMIT 1`)).rowCount ? [] : name));
  expect((await Promise.all(has)).flat()).toEqual([]);
});

test("F40: this release starts on the database of the former one, shows its files, matches, and goes on with an unfinished file", async () => {
  expect(await pendingMigrations(pool)).not.toEqual([]);
  const config = readConfig({ ...PRODUCTION, ...addresses, ...KEYS, DATABASE_URL: url, DATA_DIR: dataFolder() });
  const samespot = await startSamespot(config, createLogger({ level: "trace", destination: collectLogs() }));
  onTestFinished(samespot.close);
  expect((await fetch(`${addresses.BASE_URL}/readyz`)).status).toBe(200);

  const unfinished = () => pool.query("SELECT state::text FROM app.harmonization WHERE name = 'Unfinished list'");
  await expect.poll(async () => (await unfinished()).rows).toEqual([{ state: "ready" }]);
  const { rows } = await pool.query(
    `SELECT number, status::text, best_id FROM app.listing JOIN app.harmonization ON id = harmonization_id
      WHERE name = 'Unfinished list' ORDER BY number`,
  );
  expect(rows).toEqual([
    { number: 1, status: "asked", best_id: "5a0000000000000000000001" },
    { number: 2, status: "asked", best_id: "5a0000000000000000000003" },
  ]);

  const query = new URLSearchParams({
    v: "20260101",
    oauth_token: READER_TOKEN,
    intent: "match",
    ll: "40.7128,-74.006",
  });
  query.set("name", "Blue Door Cafe");
  const match = await fetch(`${addresses.BASE_URL}/v2/venues/search?${query}`);
  expect(await match.json()).toMatchObject({
    response: { confident: true, venues: [{ id: "5a0000000000000000000001" }] },
  });

  const browser = createHttpClient(addresses.APP_URL);
  const login = await browser.get("/login");
  await browser.get(await throughDirectory(createHttpClient(addresses.AUTH_URL), login.location, ADA));
  const files = await browser.get("/harmonizations");
  expect(files.body).toContain("Pasted list");
  const { rows: old } = await pool.query("SELECT id FROM app.harmonization WHERE name = 'Pasted list'");
  const page = await browser.get(`/harmonizations/${old[0].id}`);
  expect(page).toMatchObject({ status: 200, body: expect.stringContaining("Pasted list") });

  await expect.poll(() => pendingInBackground(pool)).toEqual([]);
});
