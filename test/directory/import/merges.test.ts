import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, inject, test } from "vitest";
import type { Merge } from "../../../src/directory/corrections/merged-names.ts";
import { editionIn } from "../../../src/directory/import/release/files.ts";
import { mergesByBridge, readMerges } from "../../../src/directory/import/release/merges.ts";
import { randomId } from "../../../src/shared/crypto.ts";

const folder = path.join(inject("run").folder, `merges-${randomId()}`);
mkdirSync(folder, { recursive: true });

async function parquet(name: string, select: string): Promise<string> {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`);
  return file;
}

async function all(file: string): Promise<Merge[]> {
  const merges: Merge[] = [];
  for await (const merge of readMerges(file)) merges.push(merge);
  return merges;
}

function csv(text: string): string {
  const file = path.join(folder, `${randomId()}.csv`);
  writeFileSync(file, text);
  return file;
}

test("merged ids are read from CSV and Parquet, without those that lead to themselves or nowhere", async () => {
  const rows = "('a', 'b'), ('c', 'c'), ('d', NULL), ('e', 'f')";
  const files = [
    csv("id,name,merged_into\na,x,b\nc,x,c\nd,x,\ne,x,f\n"),
    await parquet("merged.parquet", `SELECT * FROM (VALUES ${rows}) AS t (old_id, new_id)`),
  ];
  for (const file of files)
    expect(await all(file)).toEqual([
      { id: "a", into: "b" },
      { id: "e", into: "f" },
    ]);
});

test("a list of merged ids without the columns is refused with those that it has", async () => {
  await expect(all(csv("id,name\na,b\n"))).rejects.toThrow(/one merged_into .* It has: id, name\./);
});

test("bridge files of two editions lead a missing venue to the one that has most of its records", async () => {
  const bridge = (name: string, rows: string) =>
    parquet(`${name}/dataset=meta/part.parquet`, `SELECT * FROM (VALUES ${rows}) AS t (id, record_id)`);
  await bridge("former", "('gone', '1@3'), ('gone', '2'), ('gone', '3'), ('stays', '4'), ('lost', '5')");
  await bridge("current", "('one', '1@4'), ('two', '2'), ('two', '3'), ('stays', '4')");
  const bridges = { former: path.join(folder, "former"), current: path.join(folder, "current") };
  expect(await mergesByBridge(bridges, ["gone", "lost"])).toEqual([{ id: "gone", into: "two" }]);
});

test.each([
  ["/data/release/2026-11-18.0/theme=places/type=place", "2026-11-18.0"],
  ["/data/dt=2026-11-06/places/parquet/", "2026-11-06"],
  ["/data/2026-11/places.parquet", "2026-11"],
  ["/data/places-2026-11.parquet", undefined],
])("the edition of %s is %s", (name, edition) => expect(editionIn(name)).toBe(edition));
