import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/db/connections.ts";
import { openDatabase } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { separatePrograms } from "../../src/db/roles.ts";
import { importVenues } from "../../src/directory/import/import-venues.ts";
import { launchBrowser } from "../support/browser.ts";
import { forgetNewestMigration } from "../support/database/history.ts";
import { dataFolder, startSamespot } from "../support/samespot.ts";
import { harmonize } from "./harmonize-walk.ts";
import { visitorsOf } from "./visitor.ts";
import { walk } from "./walk.ts";

const read = (text: string) => parse(text, { columns: true, bom: true }) as Record<string, string>[];
const example = read(readFileSync("examples/listings.csv", "utf8"));
const folder = dataFolder();
mkdirSync(folder, { recursive: true });
const PASSWORD = "of a test only";

/** As in docs/operations.md: the owner migrates, and a member of the two roles runs the server. */
async function asMember(url: string): Promise<Record<string, string>> {
  const { roles } = await separatePrograms(url);
  const login = `${roles?.app}_server`;
  const owner = await connect({ connectionString: url });
  await owner.query(`CREATE ROLE "${login}" LOGIN PASSWORD '${PASSWORD}'`);
  await owner.query(`GRANT "${roles?.app}", "${roles?.directory}" TO "${login}"`);
  await owner.query("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
  await owner.end();
  const own = new URL(url);
  [own.username, own.password] = [login, PASSWORD];
  return { DATABASE_URL: own.href };
}

describe("as a database user that owns nothing", async () => {
  const site = await startSamespot({ env: asMember });
  const url = site.config.databaseUrl ?? "";
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  const visitor = visitorsOf(site, () => browser);

  it("the server starts, each program with its own role, and reports no problem", async () => {
    expect(site.logs.lines.filter((line) => /"level":(40|50|60)/.test(line))).toEqual([]);
    const answers = [site.webUrl, site.authUrl, site.apiUrl].map(async (each) =>
      (await fetch(`${each}/readyz`)).json(),
    );
    expect(await Promise.all(answers)).toEqual(Array(3).fill({ status: "ready", problems: [] }));
  });

  it("the walk works", async () => {
    expect(await walk(await visitor({ name: "member", isChecked: false }))).toBeGreaterThan(100);
  });

  it("a file is uploaded, tried, matched, reviewed by keyboard with an add and an undo, and downloaded", async () => {
    const added = "Samespot Test Café";
    const exported = read(await harmonize(await visitor({ name: "harmonize" }), { added }));
    expect(exported).toHaveLength(example.length);
    const original = (row: Record<string, string>) =>
      Object.values(row).map((cell) => cell.replace(/^'(?=[+=@-])/, ""));
    expect(exported.map((row) => original(row).slice(0, 9))).toEqual(example.map((row) => Object.values(row)));
    const count = (decision: string) => exported.filter((row) => row.decision === decision).length;
    expect(count("matched")).toBeGreaterThan(0.6 * example.length);
    expect(exported.filter(({ decided_by }) => decided_by === "rule").length).toBeGreaterThan(0.5 * example.length);
    const byDemo = exported.filter(({ decided_by }) => decided_by && decided_by !== "rule");
    expect(byDemo.map(({ decision }) => decision).sort()).toEqual(["added", "matched", "matched", "rejected"]);
    const venue = byDemo.find(({ decision }) => decision === "added")?.venue_id ?? "";
    const { name: inDirectory } = await site.database.prisma.venue.findUniqueOrThrow({ where: { id: venue } });
    expect(inDirectory).toBe(added);
    expect(count("failed")).toBeGreaterThanOrEqual(1);
  });

  it("venues are imported, but --replace is refused before anything is changed", async () => {
    const file = path.join(folder, "venues.csv");
    writeFileSync(file, "name,lat,lng\nA Place to Import,41.82,-71.41\n");
    const member = openDatabase(url, { patience: 60_000 });

    const given = { ...member, file, keepIds: false };
    await expect(importVenues({ ...given, replace: true })).rejects.toThrow(/--replace needs the owner/);
    expect(await member.prisma.venue.count()).toBeGreaterThan(10_000);
    expect(await importVenues({ ...given, replace: false })).toMatchObject({ imported: 1 });
    await member.close();
  });

  it("a missing migration is refused with the reason", async () => {
    await forgetNewestMigration(site.database.pool);
    await expect(migrate(url)).rejects.toThrow(/must own its database.*samespot migrate/s);
  });
});
