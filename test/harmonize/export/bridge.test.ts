import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, expect, test } from "vitest";
import { exportText } from "../../../src/harmonize/export/export.ts";
import { exportFile } from "../../../src/harmonize/export/formats.ts";
import { testDatabase } from "../../support/database/database.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const { database } = await testDatabase();
const DIRECTORY = "https://api.example";
const AT = new Date("2026-03-04T05:06:07.000Z");
const ada = await makeAccount(database, "Ada", DIRECTORY);
const duckdb = await (await DuckDBInstance.create()).connect();
afterAll(() => duckdb.closeSync());

const folder = mkdtempSync(path.join(tmpdir(), "samespot-bridge-"));

async function write(listings: MadeListing[], format: "bridge-csv" | "bridge-parquet"): Promise<string> {
  const csv = { encoding: "utf-8", separator: ";", hasHeader: true };
  const made = listings.map((each) => ({ ...each, more: { matchedAt: AT, ...each.more } }));
  const name = "Läden d’Été.csv";
  const h = await makeHarmonization(database, ada, made, { directory: DIRECTORY, name, format: csv });
  const pieces: Buffer[] = [];
  for await (const piece of exportText({ pool: database.pool }, h, { format, hasCandidates: false }))
    pieces.push(Buffer.from(piece));
  const file = path.join(folder, exportFile(h, { format, hasCandidates: false }).name);
  writeFileSync(file, Buffer.concat(pieces));
  return file;
}

const query = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowObjectsJson();

const clear = { candidates: [makeCandidate("v1", 0.953)], more: { isClear: true } };
const LISTINGS: MadeListing[] = [
  { name: "Accepted", ...clear },
  { name: "Undecided", candidates: [makeCandidate("v2", 0.5)] },
  { name: "مقهى", ...clear, more: { isClear: true, ownId: "=1+1" } },
  { name: "Without an id", ...clear, more: { isClear: true, ownId: null } },
  { name: "Rejected", ...clear, more: { decision: "rejected" } },
];

const COLUMNS = ["id", "record_id", "update_time", "dataset", "theme", "type", "between", "dataset_between"];
const FIRST = {
  ...{ id: "v1", record_id: "own-1", update_time: AT.toISOString(), dataset: "Läden d’Été.csv" },
  ...{ theme: "places", type: "place", between: null, dataset_between: null },
};

test("a bridge file in Parquet has the columns and types of Overture's, and a row for each match with an own id", async () => {
  const file = await write(LISTINGS, "bridge-parquet");
  expect(file).toMatch(/Läden d’Été-bridge\.parquet$/);
  const rows = await query(`SELECT * FROM read_parquet('${file}')`);
  expect(rows).toEqual([FIRST, { ...FIRST, record_id: "=1+1" }]);
  const described = await query(`DESCRIBE SELECT * FROM read_parquet('${file}')`);
  expect(described.map(({ column_name, column_type }) => [column_name, column_type])).toEqual(
    COLUMNS.map((name) => [name, name.endsWith("between") ? "DOUBLE[]" : "VARCHAR"]),
  );
});

test("a bridge file in CSV has the same rows, separated by commas, without a formula", async () => {
  const file = await write(LISTINGS, "bridge-csv");
  const rows = await query(`SELECT * FROM read_csv('${file}', header = true, all_varchar = true, delim = ',')`);
  expect(rows).toEqual([FIRST, { ...FIRST, record_id: "'=1+1" }]);
});

test("a bridge file of a list without matches has its columns", async () => {
  const file = await write(LISTINGS.slice(1, 2), "bridge-parquet");
  expect(await query(`SELECT count(*)::int AS n, any_value("between") AS b FROM read_parquet('${file}')`)).toEqual([
    { n: 0, b: null },
  ]);
});

test("a bridge file of many matches has each once, in several groups of rows", async () => {
  const many = Array.from({ length: 4500 }, (_, at) => ({ name: `Shop ${at}`, ...clear }));
  const file = await write(many, "bridge-parquet");
  expect(await query(`SELECT count(DISTINCT record_id)::int AS n FROM read_parquet('${file}')`)).toEqual([{ n: 4500 }]);
  const [{ groups } = {}] = await query(
    `SELECT count(DISTINCT row_group_id)::int AS groups FROM parquet_metadata('${file}')`,
  );
  expect(groups).toBeGreaterThan(1);
});
