import { createReadStream, createWriteStream } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { COLUMNS } from "../../src/directory/import/venue-row.ts";
import type { Scratch } from "./scratch.ts";

/** Returns the seconds for a COPY of the imported rows into a table with the same columns, indexes and checks. */
export async function bareCopy({ folder, url }: Scratch): Promise<number> {
  const file = path.join(folder, "rows.copy");
  const columns = COLUMNS.join(", ");
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query("CREATE TABLE bare (LIKE directory.venue INCLUDING ALL)");
    const rows = client.query(copyTo(`COPY directory.venue (${columns}) TO STDOUT`));
    await pipeline(rows, createWriteStream(file));
    await client.query("CHECKPOINT");
    const begun = performance.now();
    await pipeline(createReadStream(file), client.query(copyFrom(`COPY bare (${columns}) FROM STDIN`)));
    const seconds = (performance.now() - begun) / 1000;
    await client.query("DROP TABLE bare");
    return seconds;
  } finally {
    await client.end();
  }
}
