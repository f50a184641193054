import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, expect, test } from "vitest";
import { openDiff } from "../../src/cli/import/diff.ts";
import type { Change } from "../../src/directory/import/release/changes.ts";

const folder = mkdtempSync(path.join(tmpdir(), "samespot-diff-"));
const duckdb = await (await DuckDBInstance.create()).connect();
afterAll(() => duckdb.closeSync());

const CHANGES: Change[] = [
  { change: "new", id: "a", name: 'Café "Ann", مقهى' },
  { change: "moved", id: "b", name: "Bob", columns: ["lat", "lng"], metres: 120 },
  { change: "merged", id: "c", into: "a" },
  ...Array.from({ length: 9000 }, (_, at): Change => ({ change: "closed", id: `closed-${at}` })),
];

async function written(ending: string, read: string) {
  const file = path.join(folder, `changes.${ending}`);
  const diff = openDiff(file, "an edition");
  diff.note(CHANGES);
  await diff.finish();
  diff.close();
  const sql = `SELECT change, id, "into", name, metres::int AS metres, "columns" FROM ${read.replace("FILE", file)}`;
  return (await duckdb.runAndReadAll(sql)).getRowObjectsJson();
}

test("the differences of an edition are the same rows as CSV and as Parquet, for another program", async () => {
  const parquet = await written("parquet", "read_parquet('FILE')");
  expect(parquet).toHaveLength(CHANGES.length);
  const none = { into: null, name: null, metres: null, columns: null };
  expect(parquet.slice(0, 4)).toEqual([
    { ...none, change: "new", id: "a", name: 'Café "Ann", مقهى' },
    { ...none, change: "moved", id: "b", name: "Bob", columns: "lat lng", metres: 120 },
    { ...none, change: "merged", id: "c", into: "a" },
    { ...none, change: "closed", id: "closed-0" },
  ]);
  expect(await written("csv", "read_csv('FILE', header = true, delim = ',', quote = '\"')")).toEqual(parquet);
});

test("the differences of an edition as NDJSON have a line each", async () => {
  const lines = await written(
    "ndjson",
    "read_json('FILE', columns = {change: 'VARCHAR', id: 'VARCHAR', \"into\": 'VARCHAR', name: 'VARCHAR', metres: 'INT', \"columns\": 'VARCHAR[]'})",
  );
  expect(lines).toHaveLength(CHANGES.length);
  expect(lines[1]).toMatchObject({ id: "b", metres: 120, columns: ["lat", "lng"] });
});

test("differences of an edition are refused in a file of another ending, which is named", () => {
  expect(() => openDiff(path.join(folder, "changes.txt"), "an edition")).toThrow("ends in .csv, .ndjson or .parquet");
});

test("F121: differences noted by imports that were killed at any byte are complete after the last, each venue once", async () => {
  const changes: Change[] = Array.from({ length: 40 }, (_, at) => ({
    change: "new",
    id: `v${at}`,
    name: `Venue “${at}”`,
  }));
  const file = path.join(folder, "killed.ndjson");
  const ids = () =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id);
  const batch = 8;
  const one = openDiff(file, "other edition");
  one.note([{ change: "removed", id: "of another edition" }]);
  one.close();
  // Each import stores some batches, then dies while it notes the next, or before that is stored.
  for (let stored = 0; stored < changes.length; stored += batch) {
    const diff = openDiff(file, "this edition");
    diff.note(changes.slice(stored, stored + batch));
    diff.note(changes.slice(stored + batch, stored + 2 * batch));
    diff.close();
    const written = readFileSync(`${file}.part`);
    writeFileSync(`${file}.part`, written.subarray(0, written.length - (stored % 23)));
    expect(existsSync(file), "no file that passes for the whole").toBe(false);
  }
  const last = openDiff(file, "this edition");
  await last.finish();
  last.close();
  expect(ids().sort()).toEqual(changes.map(({ id }) => id).sort());
  expect(existsSync(`${file}.part`)).toBe(false);
});
