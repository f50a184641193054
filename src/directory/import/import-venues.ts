import path from "node:path";
import type { PoolClient } from "pg";
import { LOCKS } from "../../db/locks.ts";
import { execute } from "../../db/sql.ts";
import { isUnavailable } from "../../db/unavailable.ts";
import { badRequest, KnownError } from "../../shared/errors.ts";
import { storeCategories } from "../categories/store.ts";
import type { DirectoryDeps } from "../deps.ts";
import { refreshPlaces } from "../places/refresh.ts";
import { cellText } from "./lists.ts";
import { type HowRead, type OpenVenues, openVenues, type ReadVenue } from "./read-venues.ts";
import { noteEdition, sourceIds } from "./source-ids.ts";
import { copyLine, prepareStore, storeVenues } from "./store-venues.ts";
import { COLUMNS, type VenueRow, venueRow } from "./venue-row.ts";

export interface ImportOptions extends Pick<DirectoryDeps, "prisma" | "pool">, HowRead {
  file: string;
  /** Combined with the file's ids to make venue ids. Default: the file's name without `.gz`. */
  source?: string;
  keepIds: boolean;
  /** Makes the venue id of the file's, or where it has none of the words for its line, such as `line 17`. With `keepIds`. */
  idOf?: (own: string | undefined, where: string) => string;
  /** Deletes all venues and check-ins before the first batch is stored. */
  replace: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
  /** Receives every line that is refused or skipped, and every attribute that is left out. */
  onProblem?: (problem: Problem & Pick<OpenVenues, "counts">) => void;
}

export interface ImportProgress {
  venues: number;
  seconds: number;
  /** Share of the file read, 0 to 1. */
  share: number;
}

export interface Problem {
  /** As `counts` of the result says. */
  line: number;
  problem: string;
}

export interface ImportResult {
  imported: number;
  updated: number;
  unchanged: number;
  refused: number;
  /** Venues that the file marks as permanently closed, or flags as invalid. */
  closed: number;
  flagged: number;
  /** How often each attribute was unusable; the venue was stored without it. */
  leftOut: Record<string, number>;
  /** How often each column that is not read had a value. */
  unused: Record<string, number>;
  counts: OpenVenues["counts"];
  seconds: number;
  problems: Problem[];
}

export const EMPTY =
  "TRUNCATE directory.venue, directory.checkin, directory.link, directory.moved_venue, directory.venue_change, directory.source, directory.area";
const BATCH = 5_000;
export const PROBLEMS_KEPT = 100;

/**
 * Commits batch by batch and updates existing venues, so running it again resumes an interrupted import. Memory use
 * does not depend on the file's size. Throws KnownError for an unusable file, 409 if another import is running.
 */
export async function importVenues(options: ImportOptions): Promise<ImportResult> {
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  const counts = { imported: 0, updated: 0, unchanged: 0, refused: 0, closed: 0, flagged: 0 };
  if (options.source?.trim() === "") throw badRequest("The source name is empty.");
  const file = await openVenues(options.file, options);
  const result: ImportResult = { ...counts, leftOut: {}, unused: {}, counts: file.counts, seconds: 0, problems: [] };
  await storeCategories(options.prisma);
  const client = await options.pool.connect();
  const sourceOf = file.release && sourceIds(options.pool, file.release); // the client is busy with the batch before
  let storing: Promise<unknown> = Promise.resolve();
  try {
    if (options.replace) await requireOwner(client);
    await beginImport(client);
    let isFirst = true;
    for await (const batch of batches(file, options, result)) {
      if (isFirst) await begin(client, options.replace);
      isFirst = false;
      const lines = await linesOf(batch, sourceOf);
      await storing; // while one batch is stored, the next is read
      options.signal?.throwIfAborted();
      const share = file.share();
      storing = storeVenues(client, lines).then(({ added, updated, unchanged }) => {
        result.imported += added.length;
        result.updated += updated.length;
        result.unchanged += unchanged;
        const venues = result.imported + result.updated + result.unchanged;
        options.onProgress?.({ venues, seconds: seconds(), share });
      });
      storing.catch(() => {}); // awaited above
    }
    await storing;
    if (file.release) await noteEdition(client, file.release.id, undefined);
    await client.query("ANALYZE directory.venue");
    await refreshPlaces(client);
  } catch (error) {
    await storing.catch(() => {});
    throw withHint(error, result, options);
  } finally {
    client.release(true); // also ends its lock and settings
    await file.close();
  }
  return { ...result, seconds: Math.round(seconds() * 10) / 10 };
}

export async function requireOwner(client: PoolClient): Promise<void> {
  const { rows } = await client.query("SELECT has_table_privilege('directory.venue', 'TRUNCATE') AS may");
  if (rows[0].may) return;
  throw new KnownError(
    403,
    "not_authorized",
    "--replace needs the owner of the tables. Run the import with the owner's DATABASE_URL.",
  );
}

/**
 * Prepares a connection for an import, which is then the only one. Throws KnownError 409 if another is running.
 */
export async function beginImport(client: PoolClient): Promise<void> {
  await client.query("SET statement_timeout = 0");
  await client.query("SET lock_timeout = '5s'"); // waits for an import that was just interrupted to end
  await execute(client)`SELECT pg_advisory_lock(${LOCKS.import})`.catch((error) => {
    if (error.code !== "55P03") throw error;
    throw new KnownError(409, "conflict", "Another import is running. Run this one again when the other has ended.");
  });
  await client.query("SET lock_timeout = 0");
}

/** Turns triggers off last, because Citus empties the tables of other servers by a trigger. */
export async function begin(client: PoolClient, replace: boolean): Promise<void> {
  if (replace) await client.query(EMPTY);
  await prepareStore(client);
}

type Made = Pick<ReadVenue, "from"> & { row: VenueRow };

/** Lines to copy, by venue id. Sources are stored only now, because `replace` deletes those that were there. */
async function linesOf(
  batch: ReadonlyMap<string, Made>,
  sourceOf: ReturnType<typeof sourceIds> | undefined,
): Promise<Map<string, string>> {
  const lines = new Map<string, string>();
  for (const [id, { row, from }] of batch) {
    if (from && sourceOf) row[SOURCE] = await sourceOf(from.dataset, from.licence);
    lines.set(id, copyLine(row));
  }
  return lines;
}

const SOURCE = COLUMNS.indexOf("source_id");

async function* batches(
  { venues, unused, counts, release }: OpenVenues,
  { file, source = path.basename(file).replace(/\.gz$/i, ""), keepIds: isAsked, idOf, onProblem }: ImportOptions,
  result: ImportResult,
): AsyncGenerator<Map<string, Made>> {
  let batch = new Map<string, Made>();
  const keepIds = isAsked || release !== undefined;
  for await (const { line, fields, from, problem = "" } of venues()) {
    if (fields && idOf) fields.id = idOf(cellText(fields.id) || undefined, `${counts} ${line}`);
    const made = fields ? venueRow(fields, { source, keepIds }) : { problem };
    if (made.row) {
      if (batch.has(made.row[0])) result.updated += 1;
      batch.set(made.row[0], { row: made.row, ...(from && { from }) });
    } else {
      result[made.passedOver ?? "refused"] += 1;
      if (!made.passedOver && result.problems.length < PROBLEMS_KEPT)
        result.problems.push({ line, problem: made.problem });
      onProblem?.({ line, counts, problem: made.problem });
    }
    for (const attribute of made.leftOut ?? []) {
      result.leftOut[attribute] = (result.leftOut[attribute] ?? 0) + 1;
      onProblem?.({ line, counts, problem: `${attribute} was left out` });
    }
    if (batch.size >= BATCH) {
      yield batch;
      batch = new Map();
    }
  }
  result.unused = Object.fromEntries([...unused()].sort((a, b) => b[1] - a[1]));
  if (batch.size > 0) yield batch;
}

function withHint(error: unknown, { imported, updated, unchanged }: ImportResult, { replace }: ImportOptions): unknown {
  const stored = imported + updated + unchanged;
  const known = isUnavailable(error)
    ? new KnownError(503, "unavailable", "The connection to the database was lost.")
    : error;
  if (!(known instanceof KnownError) || (stored === 0 && known === error)) return error;
  const again =
    replace && stored > 0 ? "Run the import again without --replace to continue." : "Run the import again to continue.";
  const message = `${known.message} ${stored} venues of the file are stored. ${again}`;
  return new KnownError(known.status, known.code, message, { cause: error });
}
