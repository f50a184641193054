import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { DAMAGED, refusal } from "./header.ts";
import { type BackupRecord, type End, nameOf, type Table } from "./records.ts";
import { listTables, quoted } from "./tables.ts";

/** Fills the tables, which the same transaction has truncated. Returns the number of rows by table. */
export async function load(
  client: pg.Client,
  records: AsyncIterator<BackupRecord>,
  onStep: (what: string) => void,
): Promise<End["rows"]> {
  const known = new Set((await listTables(client)).map(nameOf));
  const rows: End["rows"] = {};
  let next = await records.next();
  async function* ofTable(): AsyncGenerator<Buffer> {
    for (;;) {
      next = await records.next();
      if (next.done || next.value.kind !== "rows") return;
      yield next.value.bytes;
    }
  }
  while (!next.done && next.value.kind === "table") {
    const { table } = next.value;
    if (!known.has(nameOf(table))) throw refusal(`${DAMAGED} It has an unknown table, ${nameOf(table)}.`);
    onStep(nameOf(table));
    const copy = client.query(copyFrom(copyText(client, table)));
    await pipeline(ofTable, copy);
    rows[nameOf(table)] = copy.rowCount;
  }
  if (next.done || next.value.kind !== "end") throw refusal(DAMAGED);
  const { end } = next.value;
  await records.next(); // reads to the end of the file
  const wrong = Object.keys(end.rows).filter((name) => end.rows[name] !== rows[name]);
  if (wrong.length > 0) throw refusal(`${DAMAGED} Rows are missing in ${wrong.join(", ")}.`);
  for (const { schema, name, last } of end.sequences)
    if (last !== null) await client.query("SELECT setval($1, $2)", [quoted(client, { schema, name }), last]);
  return rows;
}

/** FREEZE spares the table a vacuum that would write all of it again. */
function copyText(client: pg.Client, table: Table): string {
  const columns = table.columns.map((name) => client.escapeIdentifier(name)).join(", ");
  return `COPY ${quoted(client, table)} (${columns}) FROM STDIN WITH (FREEZE)`;
}
