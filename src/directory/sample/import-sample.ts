import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import type { Pool, PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { PrismaClient } from "../../db/generated/client.ts";
import { execute } from "../../db/sql.ts";
import { storeCategories } from "../categories/store.ts";
import { readVenues } from "../import/read-venues.ts";
import { copyLine } from "../import/store-venues.ts";
import { COLUMNS, venueId, venueRow } from "../import/venue-row.ts";
import { refreshPlaces } from "../places/refresh.ts";
import { storeAreas } from "./areas.ts";

const FILE = fileURLToPath(new URL("../../../prisma/sample/venues.csv.gz", import.meta.url));
const SOURCE = "sample";

/**
 * Runs once in a database's life, so deleted venues do not come back. Takes a second or two in one statement, so the
 * pool needs a long time limit. Returns the number of venues.
 */
export async function importSample(deps: {
  prisma: PrismaClient;
  pool: Pool;
  log: (message: string) => void;
}): Promise<number> {
  await storeCategories(deps.prisma);
  const begun = performance.now();
  const client = await deps.pool.connect();
  try {
    await client.query("BEGIN");
    const count = (await isFirstTime(client, "sample")) ? await copySample(client) : 0;
    if (await isFirstTime(client, "sample areas")) await storeAreas(client);
    await client.query("COMMIT");
    if (count > 0) await refreshPlaces(client);
    client.release();
    if (count > 0) deps.log(`Imported ${count} sample venues in ${Math.round(performance.now() - begun)} ms.`);
    return count;
  } catch (error) {
    client.release(true); // ends the connection and its transaction
    throw error;
  }
}

/** The row is also the lock: a second transaction waits here for the first. */
async function isFirstTime(client: PoolClient, step: string): Promise<boolean> {
  const inserted = await execute(client)`
    INSERT INTO directory.setup_step (name) VALUES (${step}) ON CONFLICT DO NOTHING`;
  return inserted === 1;
}

async function copySample(client: PoolClient): Promise<number> {
  const copy = client.query(copyFrom(`COPY directory.venue (${COLUMNS.join(", ")}) FROM STDIN`));
  await pipeline(Readable.from(sampleLines()), copy);
  await client.query("ANALYZE directory.venue"); // before the first searches are planned
  return copy.rowCount;
}

/** Ids that the venues of the sample have in the directory. */
export async function sampleIds(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { fields } of readVenues(FILE)) if (fields) ids.push(venueId(SOURCE, String(fields.id)));
  return ids;
}

async function* sampleLines(): AsyncGenerator<string> {
  for await (const { line, fields, problem } of readVenues(FILE)) {
    const made = fields ? venueRow(fields, { source: SOURCE, keepIds: false }) : { row: undefined, problem };
    if (!made.row) throw new Error(`Line ${line} of the sample data: ${made.problem}`);
    yield copyLine(made.row);
  }
}
