import { mkdtempSync } from "node:fs";
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
  const diff = openDiff(file);
  for (const change of CHANGES) diff.write(change);
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
  expect(() => openDiff(path.join(folder, "changes.txt"))).toThrow("ends in .csv, .ndjson or .parquet");
});
