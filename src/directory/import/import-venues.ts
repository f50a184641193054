import path from "node:path";
import type { PoolClient } from "pg";
import { LOCKS } from "../../db/locks.ts";
import { isUnavailable } from "../../db/unavailable.ts";
import { KnownError } from "../../shared/errors.ts";
import { storeCategories } from "../categories/store.ts";
import type { DirectoryDeps } from "../deps.ts";
import { refreshPlaces } from "../places/refresh.ts";
import { badRequest } from "./bad-request.ts";
import { readRecords } from "./read-records.ts";
import { copyLine, prepareStore, storeVenues } from "./store-venues.ts";
import { venueRow } from "./venue-row.ts";

export interface ImportOptions extends Pick<DirectoryDeps, "prisma" | "pool"> {
  file: string;
  /** What ids are made from, with the file's ids; by default the file's name, without the `.gz` of a zipped one. */
  source?: string;
  /** Takes the file's id as venue id. */
  keepIds: boolean;
  /** Empties the directory's venues, and with them their check-ins, once the file has proved to hold venues. */
  replace: boolean;
  /** Ends the import before the next batch. */
  signal?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
  /** Gets every line that is refused or passed over, and every attribute that is left out. */
  onProblem?: (problem: Problem) => void;
}

export interface ImportProgress {
  /** Venues stored so far. */
  venues: number;
  seconds: number;
  /** Of the file, 0 to 1. */
  share: number;
}

export interface Problem {
  line: number;
  problem: string;
}

export interface ImportResult {
  /** Venues that are new. */
  imported: number;
  updated: number;
  unchanged: number;
  /** Lines of which no venue could be made. */
  refused: number;
  /** Venues that the file says are closed for good, or flagged as none. */
  closed: number;
  flagged: number;
  /** How often each attribute could not be stored; the venue was, without it. */
  leftOut: Record<string, number>;
  seconds: number;
  /** The first hundred refused lines with the reason. */
  problems: Problem[];
}

const BATCH = 5_000;
const PROBLEMS_KEPT = 100;

/**
 * Imports the venues of a file: CSV, TSV, NDJSON or GeoJSON. Batches are committed one by one and a venue that is already
 * there is brought up to date, so an import that was cut short is resumed by running it again. A line that cannot be
 * used is refused with its number and never stops the rest. Memory stays the same for any length.
 *
 * @throws KnownError for a file that cannot be used, and 409 while another import runs
 */
export async function importVenues(options: ImportOptions): Promise<ImportResult> {
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  const counts = { imported: 0, updated: 0, unchanged: 0, refused: 0, closed: 0, flagged: 0 };
  const result: ImportResult = { ...counts, leftOut: {}, seconds: 0, problems: [] };
  if (options.source?.trim() === "") throw badRequest("The source needs a name.");
  await storeCategories(options.prisma);
  const client = await options.pool.connect();
  const progress = { share: () => 0 };
  let storing: Promise<unknown> = Promise.resolve();
  try {
    await prepare(client);
    let isFirst = true;
    for await (const batch of batches(options, result, progress)) {
      await storing; // while one batch is stored, the next is read
      options.signal?.throwIfAborted();
      if (isFirst && options.replace) await client.query("TRUNCATE directory.venue, directory.checkin, directory.link");
      isFirst = false;
      const share = progress.share();
      storing = storeVenues(client, batch, result).then(() =>
        options.onProgress?.({
          venues: result.imported + result.updated + result.unchanged,
          seconds: seconds(),
          share,
        }),
      );
      storing.catch(() => {}); // shows where it is awaited
    }
    await storing;
    await client.query("ANALYZE directory.venue");
    await refreshPlaces(client);
  } catch (error) {
    await storing.catch(() => {});
    throw withHint(error, result, options);
  } finally {
    client.release(true); // its lock and settings go with it
  }
  return { ...result, seconds: Math.round(seconds() * 10) / 10 };
}

async function prepare(client: PoolClient): Promise<void> {
  await client.query("SET statement_timeout = 0");
  await client.query("SET lock_timeout = '5s'"); // the end of an import that was just interrupted is waited for
  await client.query("SELECT pg_advisory_lock($1)", [LOCKS.import]).catch((error) => {
    if (error.code !== "55P03") throw error;
    throw new KnownError(409, "conflict", "Another import is running. Run this one again when it has ended.");
  });
  await client.query("SET lock_timeout = 0");
  await prepareStore(client);
}

/** The venues of the file, as `storeVenues` takes them; what is none is counted. */
async function* batches(
  { file, source = path.basename(file).replace(/\.gz$/i, ""), keepIds, onProblem }: ImportOptions,
  result: ImportResult,
  progress: { share: () => number },
): AsyncGenerator<Map<string, string>> {
  let batch = new Map<string, string>();
  for await (const { line, fields, problem = "" } of readRecords(file, progress)) {
    const made = fields ? venueRow(fields, { source, keepIds }) : { problem };
    if (made.row) batch.set(made.row[0], copyLine(made.row));
    else {
      result[made.passedOver ?? "refused"] += 1;
      if (!made.passedOver && result.problems.length < PROBLEMS_KEPT)
        result.problems.push({ line, problem: made.problem });
      onProblem?.({ line, problem: made.problem });
    }
    for (const attribute of made.leftOut ?? []) {
      result.leftOut[attribute] = (result.leftOut[attribute] ?? 0) + 1;
      onProblem?.({ line, problem: `${attribute} was left out` });
    }
    if (batch.size >= BATCH) {
      yield batch;
      batch = new Map();
    }
  }
  if (batch.size > 0) yield batch;
}

/** What ended an import before its time also says how to go on: what was stored stays. */
function withHint(error: unknown, { imported, updated, unchanged }: ImportResult, { replace }: ImportOptions): unknown {
  const stored = imported + updated + unchanged;
  const known = isUnavailable(error) ? new KnownError(503, "unavailable", "The database went away.") : error;
  if (!(known instanceof KnownError) || (stored === 0 && known === error)) return error;
  const again = replace && stored > 0 ? "Run it again without --replace to go on." : "Run it again to go on.";
  const message = `${known.message} ${stored} venues of the file are stored. ${again}`;
  return new KnownError(known.status, known.code, message, { cause: error });
}
