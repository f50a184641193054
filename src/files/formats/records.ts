import { MOST_NAMES, tooManyRows } from "./base/limits.ts";
import { EMPTY, unusableFile } from "./base/refusal.ts";
import type { TableRow } from "./base/rows.ts";
import { asJson, type Fields } from "./fields.ts";

/** A record of named fields; without them it cannot be read. */
export interface FieldRecord {
  line: number;
  fields?: Fields;
  problem?: TableRow["problem"];
  /** What is shown of one with a problem. */
  text?: string;
}

/** Characters of the names that stay in the header as they are. */
const LONGEST_NAME = 100;
const OTHERS = "other fields";

/**
 * Makes a table of records that have different fields: a column for each field, or for the most frequent ones and one
 * with the others as JSON. Reads the records twice.
 * @throws KnownError 400 if no record has a field, 413 if there are more than `mostRows`
 */
export async function tableOf(
  read: () => AsyncIterable<FieldRecord[]>,
  mostColumns: number,
  mostRows: number,
): Promise<AsyncIterable<TableRow>> {
  const counts = new Map<string, number>();
  let hasOthers = false;
  let all = 0;
  for await (const records of read()) {
    all += records.length;
    if (all > mostRows) throw tooManyRows(mostRows);
    for (const { fields = [] } of records)
      for (const [name] of fields) {
        const count = counts.get(name);
        if (count !== undefined || (counts.size < MOST_NAMES && isName(name))) counts.set(name, (count ?? 0) + 1);
        else hasOthers = true;
      }
  }
  if (all === 0) throw unusableFile(EMPTY);
  if (counts.size === 0) throw unusableFile(NO_RECORDS);
  const usual = new Set(
    [...counts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, mostColumns - 1)
      .map(([name]) => name),
  );
  const header = [...counts.keys()].filter((name) => usual.has(name));
  if (hasOthers || counts.size > header.length) header.push(OTHERS);
  return rowsOf(read, header, usual);
}

export const NO_RECORDS =
  'This file has no records: Samespot expects a list of objects, one for each row. In pandas write it with orient="records".';

/** As it stays in the header. */
const isName = (name: string): boolean =>
  name.length <= LONGEST_NAME && name !== OTHERS && !/^\s|\s$|\s{2}|[\p{Cc}]|[^\S ]/u.test(name) && name.isWellFormed();

async function* rowsOf(
  read: () => AsyncIterable<FieldRecord[]>,
  header: string[],
  usual: Set<string>,
): AsyncGenerator<TableRow> {
  const hasOthers = header.length > usual.size;
  yield { line: 0, cells: header };
  for await (const records of read()) {
    for (const { line, fields, problem, text = "" } of records) {
      if (problem ?? !fields) {
        yield { line, cells: [text], problem: problem ?? "json" };
        continue;
      }
      const cells = header.map((name) => fields?.get(name) ?? "");
      if (hasOthers) {
        const rest = [...(fields ?? [])].filter(([name, value]) => !usual.has(name) && value !== "");
        if (rest.length > 0) cells[header.length - 1] = asJson(Object.fromEntries(rest));
      }
      yield { line, cells };
    }
  }
}
