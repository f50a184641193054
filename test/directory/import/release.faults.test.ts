import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, test } from "vitest";
import { type MadeRelease, type ReleaseName, writeRelease } from "../../../bench/support/releases.ts";
import { makeVenues, writeVenues } from "../../../bench/support/venues.ts";
import type { Change } from "../../../src/directory/import/release/changes.ts";
import { importRelease, type ReleaseOptions } from "../../../src/directory/import/release/import-release.ts";
import { findVenues } from "../../../src/directory/venues/find.ts";
import { importing } from "./importing.ts";

const { database, folder } = await importing();
const { pool } = database;
/** Two thousand places: of each thousand the next edition changes and moves 10, closes 4, lacks 1, merges 2, and has 10 new. */
const COUNT = 2_000;
const csv = path.join(folder, "venues.csv");

const run = (file: string, more: Partial<ReleaseOptions> = {}) =>
  importRelease({ ...database, path: file, extent: {}, replace: false, manyClosed: false, ...more });
const one = async (text: string, ...values: unknown[]) => (await pool.query(text, values)).rows[0];

const releases = {} as Record<ReleaseName, { first: MadeRelease; next: MadeRelease }>;
beforeAll(async () => {
  await writeVenues(csv, makeVenues(COUNT));
  for (const name of ["overture", "foursquare"] as const)
    releases[name] = {
      first: await writeRelease(name, csv, { folder, groupRows: 2048 }),
      next: await writeRelease(name, csv, { folder, isNext: true }),
    };
});

describe.each<ReleaseName>(["overture", "foursquare"])("an edition of %s", (name) => {
  test("is stored with the ids, categories and sources of the release, and again without a change", async () => {
    const { first } = releases[name];
    const result = await run(first.file);
    expect(result).toMatchObject({
      release: name,
      edition: undefined,
      new: COUNT,
      refused: 0,
      unmapped: { places: 0 },
    });
    const { rows } = await pool.query("SELECT id, category_id, source_id, city, cc FROM directory.venue");
    const id = name === "overture" ? /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ : /^[0-9a-f]{24}$/;
    expect(rows.filter((row) => !id.test(row.id) || row.source_id === null || row.cc !== "US")).toEqual([]);
    expect(rows.filter((row) => row.category_id !== null).length).toBeGreaterThan(COUNT / 2);
    expect(await run(first.file)).toMatchObject({ new: 0, changed: 0, moved: 0, unchanged: COUNT });
  });

  test("reports right to the row what it adds, changes, moves, merges and closes", async () => {
    const { first, next } = releases[name];
    await run(first.file, { edition: "2026-11" });
    const changes: Change[] = [];
    const onChanges = (more: readonly Change[]) => void changes.push(...more);
    const result = await run(next.file, { edition: "2026-12", merged: next.merged, onChanges });
    const expected = { new: 20, changed: 20, moved: 20, reopened: 0, closed: 8, removed: 2, merged: 4 };
    expect(result).toMatchObject({ ...expected, unchanged: 1946, refused: 0, skipped: { closed: 8 } });
    expect(Object.groupBy(changes, ({ change }) => change)).toMatchObject({
      changed: Array(20).fill({ columns: ["phone"], metres: 0 }),
      moved: Array(20).fill({ columns: ["lat"], metres: 111 }),
    });
    const counted = await one("SELECT count(*)::int AS all, count(closed_at)::int AS closed FROM directory.venue");
    expect(counted).toEqual({ all: COUNT + 20 - 4, closed: 10 });
    const [merge] = changes.filter((change) => change.change === "merged");
    const venues = await findVenues(pool, [merge?.id ?? ""]);
    expect(venues.get(merge?.id ?? "")).toMatchObject({ id: merge?.into });
    expect(await run(next.file, { edition: "2026-12", merged: next.merged })).toMatchObject({
      ...{ new: 0, changed: 0, moved: 0, closed: 0, removed: 0, merged: 0, unchanged: 2006 },
    });
    await expect(run(first.file, { edition: "2026-11" })).rejects.toThrow(/newer than 2026-11/);
  });
});

describe("an import of a release", () => {
  test("reads a folder, and only groups of rows that may have a place of the box", async () => {
    const south = { west: -180, south: -90, east: 180, north: -89 };
    expect(await run(folder, { extent: { box: south } }).catch(({ message }) => message)).toMatch(
      /is of Overture Places, but .* of Foursquare OS Places/,
    );
    const { file } = releases.overture.first;
    expect(await run(file, { extent: { box: south } })).toMatchObject({ new: 0, skipped: { elsewhere: COUNT } });
    const box = { west: -123, south: 26, east: -60, north: 26.7 };
    const result = await run(file.replace("first", "fir?t"), {
      extent: { box, countries: ["US"], leastConfidence: 0.8 },
    });
    const stored = await one("SELECT count(*)::int AS n, min(lat) AS south, max(lat) AS north FROM directory.venue");
    expect(result.new).toBe(stored.n);
    expect(stored.n).toBeGreaterThan(0);
    expect(stored.n).toBeLessThan(COUNT);
    expect([stored.south >= 26, stored.north <= 26.7]).toEqual([true, true]);
    expect(result.skipped.elsewhere).toBe(COUNT - stored.n);
  });

  test("closes only what an edition lacks within the same box and countries, and never venues of users", async () => {
    const { first, next } = releases.overture;
    await run(first.file, { edition: "2026-11" });
    await pool.query(
      "UPDATE directory.venue SET creator_id = 'u', name = 'Mine' WHERE id IN (SELECT id FROM directory.venue LIMIT 5)",
    );
    await run(next.file, { edition: "2026-12", extent: { countries: ["CA"] } });
    expect(await one("SELECT count(closed_at)::int AS closed FROM directory.venue")).toEqual({ closed: 0 });
    await run(next.file, { edition: "2026-12" });
    expect(
      await one("SELECT count(*)::int AS n FROM directory.venue WHERE name = 'Mine' AND closed_at IS NULL"),
    ).toEqual({ n: 5 });
  });

  test("closes nothing if the files lack more than a fifth, unless told so", async () => {
    const { first, next } = releases.overture;
    await run(first.file, { edition: "2026-11" });
    const extent = { leastConfidence: 0.9 };
    await expect(run(next.file, { edition: "2026-12", extent })).rejects.toThrow(
      /The files lack \d+ % of the venues .*--many-closed/,
    );
    expect(await one("SELECT count(closed_at)::int AS closed FROM directory.venue")).toEqual({ closed: 0 });
    expect((await run(next.file, { edition: "2026-12", extent, manyClosed: true })).removed).toBeGreaterThan(COUNT / 2);
  });
});

test.each([
  ["a folder without Parquet", () => "src", /There is no Parquet file \(\*\.parquet\) at src/],
  [
    "other columns",
    async () => parquet("SELECT 1 AS id, 'x' AS name"),
    /has neither the columns of Overture Places .* It has: id, name\./,
  ],
  ["a file cut off", async () => cut(releases.overture.first.file), /is damaged or not a Parquet file/],
])("an import of %s is refused with what is wrong", async (_, file, message) => {
  await expect(run(await file())).rejects.toThrow(message);
});

async function parquet(select: string): Promise<string> {
  const file = path.join(folder, "other", "other.parquet");
  mkdirSync(path.dirname(file), { recursive: true });
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`);
  return file;
}

function cut(file: string): string {
  const damaged = path.join(folder, "other", "cut.parquet");
  mkdirSync(path.dirname(damaged), { recursive: true });
  const bytes = readFileSync(file);
  writeFileSync(damaged, Buffer.concat([bytes.subarray(0, 3000), bytes.subarray(-bytes.length / 2)]));
  return damaged;
}
