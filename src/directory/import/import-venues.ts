import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Pool, PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { readRecords } from "./read-records.ts";
import { COLUMNS, type VenueRow, venueRow } from "./venue-row.ts";

export interface ImportOptions {
  pool: Pool;
  file: string;
  /** Takes the file's id as venue id. */
  keepIds: boolean;
  /** Empties the directory's venues, and with them their check-ins, first. */
  replace: boolean;
  /** Gets one line of progress about once a second. */
  report?: (line: string) => void;
}

export interface ImportResult {
  imported: number;
  refused: number;
  seconds: number;
  /** The first hundred refused lines with the reason. */
  problems: { line: number; problem: string }[];
}

const BATCH = 10_000;
const PROBLEMS_KEPT = 100;

/**
 * Imports the venues of a file: CSV, NDJSON or GeoJSON. Batches are committed one by one and a venue that is already
 * there is brought up to date, so an import that was cut short is resumed by running it again. A line that cannot be
 * used is refused with its number and never stops the rest.
 */
export async function importVenues(options: ImportOptions): Promise<ImportResult> {
  const { pool, file, keepIds, replace, report = () => undefined } = options;
  const started = performance.now();
  const result: ImportResult = { imported: 0, refused: 0, seconds: 0, problems: [] };
  const seconds = () => Math.round((performance.now() - started) / 100) / 10;
  const client = await pool.connect();
  try {
    await client.query(`SET statement_timeout = 0`);
    await client.query(`CREATE TEMP TABLE incoming (LIKE directory.venue INCLUDING DEFAULTS)`);
    if (replace) await client.query("TRUNCATE directory.venue, directory.checkin");
    for await (const rows of batches(options, { source: path.basename(file), keepIds }, result)) {
      result.imported += await store(client, rows);
      report(`${result.imported} venues, ${Math.round(result.imported / Math.max(seconds(), 0.1))} a second`);
    }
    await client.query("ANALYZE directory.venue");
  } finally {
    client.release(true); // its temporary table and settings go with it
  }
  return { ...result, seconds: seconds() };
}

async function* batches(
  { file }: ImportOptions,
  { source, keepIds }: { source: string; keepIds: boolean },
  result: ImportResult,
): AsyncGenerator<VenueRow[]> {
  let batch: VenueRow[] = [];
  for await (const { line, fields, problem } of readRecords(file)) {
    const made = fields ? venueRow(fields, { file: source, keepIds }) : { problem: problem ?? "cannot be read" };
    if (made.row) batch.push(made.row);
    else {
      result.refused += 1;
      if (result.problems.length < PROBLEMS_KEPT) result.problems.push({ line, problem: made.problem });
    }
    if (batch.length >= BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** COPY knows no conflicts: rows go by COPY into a temporary table and from there into the venues. */
async function store(client: PoolClient, rows: VenueRow[]): Promise<number> {
  const columns = COLUMNS.join(", ");
  const updates = COLUMNS.filter((name) => name !== "id").map((name) => `${name} = excluded.${name}`);
  await client.query("BEGIN");
  try {
    await client.query("TRUNCATE incoming");
    const copy = client.query(copyFrom(`COPY incoming (${columns}) FROM STDIN`));
    await pipeline(Readable.from(rows.map(copyLine)), copy);
    const { rowCount } = await client.query(
      `INSERT INTO directory.venue (${columns}) SELECT DISTINCT ON (id) ${columns} FROM incoming
       ON CONFLICT (id) DO UPDATE SET ${updates.join(", ")}`,
    );
    await client.query("COMMIT");
    return rowCount ?? 0;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A line of COPY's text format. */
export function copyLine(values: VenueRow): string {
  const cells = values.map((value) =>
    value === null || value === undefined
      ? "\\N"
      : String(value).replace(/[\\\t\n\r]/g, (char) => ESCAPES[char] ?? char),
  );
  return `${cells.join("\t")}\n`;
}
