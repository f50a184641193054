import { createReadStream } from "node:fs";
import { readCsv } from "../../../shared/csv/csv.ts";
import { readLines } from "../../../shared/csv/lines.ts";
import { decodeText } from "../../../shared/csv/text.ts";
import { badRequest } from "../../../shared/errors.ts";
import { openParquet } from "../../../shared/parquet/parquet.ts";
import type { Merge } from "../../corrections/merged-names.ts";
import { releaseFiles } from "./files.ts";

const OLD = ["id", "old_id", "from_id", "fsq_place_id"];
const NEW = ["merged_into", "into", "new_id", "to_id"];

/** Reads a list of merged ids: CSV or Parquet, with a column of OLD and one of NEW. Throws KnownError 400 for another. */
export async function* readMerges(name: string): AsyncGenerator<Merge> {
  for await (const { columns, rows } of /\.csv$/i.test(name) ? tableIn(name) : parquetIn(name)) {
    const [id, into] = [OLD, NEW].map((names) => columns.findIndex((each) => names.includes(each.toLowerCase())));
    if (id === undefined || into === undefined || id < 0 || into < 0)
      throw badRequest(
        `${name} needs a column ${OLD.join(" or ")} and one ${NEW.join(" or ")}. It has: ${columns.join(", ")}.`,
      );
    for (const row of rows) {
      const from = row[id];
      const to = row[into];
      if (typeof from === "string" && typeof to === "string" && from && to && from !== to) yield { id: from, into: to };
    }
  }
}

interface Rows {
  columns: string[];
  rows: unknown[][];
}

async function* tableIn(name: string): AsyncGenerator<Rows> {
  let columns: string[] | undefined;
  for await (const { cells } of readCsv(readLines(decodeText(createReadStream(name), "utf-8")), { separator: "," })) {
    if (!columns) columns = cells ?? [];
    else if (cells) yield { columns, rows: [cells] };
  }
}

async function* parquetIn(name: string): AsyncGenerator<Rows> {
  for (const file of await releaseFiles(name)) {
    const { columns, groups } = await openParquet(file);
    const wanted = columns.filter((each) => OLD.includes(each) || NEW.includes(each));
    for (const group of groups)
      for await (const { rows, columns: read } of group.read(wanted))
        yield {
          columns: wanted,
          rows: Array.from({ length: rows }, (_, at) => wanted.map((each) => read[each]?.[at])),
        };
  }
}

/**
 * Finds what became of `missing` venues by two editions of a release's bridge files (https://docs.overturemaps.org/gers/bridge-files):
 * the id that most of their source records belong to now. Memory use grows with the number of missing venues.
 */
export async function mergesByBridge(
  { former, current }: { former: string; current: string },
  missing: readonly string[],
): Promise<Merge[]> {
  const wanted = new Set(missing);
  const records = new Map<string, string>();
  for await (const { id, record } of readBridge(former)) if (wanted.has(id)) records.set(record, id);
  const votes = new Map<string, Map<string, number>>();
  for await (const { id: into, record } of readBridge(current)) {
    const id = records.get(record);
    if (id === undefined || id === into) continue;
    const of = votes.get(id) ?? new Map<string, number>();
    votes.set(id, of.set(into, (of.get(into) ?? 0) + 1));
  }
  return [...votes].map(([id, of]) => ({ id, into: [...of].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "" }));
}

async function* readBridge(name: string): AsyncGenerator<{ id: string; record: string }> {
  for (const file of await releaseFiles(name)) {
    const { columns, groups } = await openParquet(file);
    const [, folder = ""] = /dataset=([^/]+)/.exec(file) ?? [];
    if (!columns.includes("id") || !columns.includes("record_id"))
      throw badRequest(`${file} is no bridge file: it lacks id or record_id. It has: ${columns.join(", ")}.`);
    for (const group of groups)
      for await (const { rows, columns: read } of group.read(["id", "record_id", "dataset"]))
        for (let at = 0; at < rows; at++) {
          const record = withoutVersion(String(read.record_id?.[at]));
          yield { id: String(read.id?.[at]), record: `${read.dataset?.[at] ?? folder}\n${record}` };
        }
  }
}

/** OpenStreetMap's record ids end in a version (n2757802019@9). */
const withoutVersion = (record: string) => record.replace(/@\d+$/, "");
