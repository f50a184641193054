import type { PoolClient } from "pg";
import { badRequest } from "../../../shared/errors.ts";
import { secondsSince } from "../../../shared/seconds-since.ts";
import { storeCategories } from "../../categories/store.ts";
import type { DirectoryDeps } from "../../deps.ts";
import { refreshPlaces } from "../../places/refresh.ts";
import { begin, beginImport, type ImportProgress, requireOwner } from "../import-venues.ts";
import { currentEdition, noteEdition, sourceIds } from "../source-ids.ts";
import type { Change } from "./changes.ts";
import { beginEdition, closeMissing, findMissing, mergeMissing, missingIds } from "./edition.ts";
import { editionIn, releaseFiles } from "./files.ts";
import { mergesByBridge, readMerges } from "./merges.ts";
import { type Extent, type OpenRelease, openRelease, readRelease } from "./read-release.ts";
import { newTally, prepareBatch, type ReleaseProblem, storeBatch, type Tally, type Work } from "./store-portion.ts";

export interface ReleaseOptions extends Pick<DirectoryDeps, "prisma" | "pool"> {
  /** A Parquet file, a folder with such files, or a pattern. */
  path: string;
  extent: Extent;
  /** Deletes all venues and check-ins before the first portion is stored. */
  replace: boolean;
  /** Default: as the path says. With an edition, venues of the release that the files lack are closed, unless `replace`. */
  edition?: string | undefined;
  /** A file of ids that were merged into others. */
  merged?: string | undefined;
  /** Bridge files of the former edition and of this one, which say the same. */
  bridges?: { former: string; current: string } | undefined;
  /** Closes missing venues even if they are many. */
  manyClosed: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
  onProblem?: (problem: ReleaseProblem) => void;
  /** Called before the changes are stored; after an interruption some are told again. */
  onChanges?: (changes: readonly Change[]) => void;
}

export type ReleaseResult = Awaited<ReturnType<typeof importRelease>>;

/**
 * Stores a release under its own ids, and an edition with what changed since the former. Commits portion by portion; running
 * it again continues an interrupted import. Throws KnownError 400 for unusable files, 409 if another import is running.
 */
export async function importRelease(options: ReleaseOptions) {
  const begun = performance.now();
  const open = await openRelease(await releaseFiles(options.path));
  const { release } = open;
  if (options.extent.leastConfidence !== undefined && !release.hasConfidence)
    throw badRequest(`${release.name} says nothing of confidence. Leave --min-confidence out.`);
  const edition = options.edition ?? editionIn(options.path);
  await storeCategories(options.prisma);
  const client = await options.pool.connect();
  const tally = newTally();
  const closesMissing = edition !== undefined && !options.replace;
  try {
    if (options.replace) await requireOwner(client);
    await beginImport(client);
    if (!options.replace) await refuseOlder(client, open, edition);
    await begin(client, options.replace);
    const work = workOf(options, { client, open, tally, closesMissing });
    await storeAll(work, open, options, begun);
    if (closesMissing) await finishEdition(work, options);
    await noteEdition(client, release.id, edition);
    await client.query("ANALYZE directory.venue");
    await refreshPlaces(client);
  } finally {
    client.release(true); // also ends its lock, its settings and its temporary tables
  }
  const seconds = secondsSince(begun);
  return { release: release.id, edition, files: open.files.length, ...reportOf(tally), seconds };
}

async function refuseOlder(client: PoolClient, { release }: OpenRelease, edition: string | undefined): Promise<void> {
  const current = await currentEdition(client, release.id);
  if (edition === undefined || current === undefined || edition >= current) return;
  throw badRequest(`The directory has edition ${current} of ${release.name}, which is newer than ${edition}.`);
}

function workOf(
  { pool, onChanges, onProblem }: ReleaseOptions,
  {
    client,
    open: { release },
    tally,
    closesMissing,
  }: { open: OpenRelease } & Pick<Work, "client" | "tally" | "closesMissing">,
): Work {
  return {
    client,
    release,
    sourceOf: sourceIds(pool, release), // the client is busy with the portion before
    closesMissing,
    tally,
    onChanges(changes) {
      for (const { change } of changes) tally.changes[change] += 1;
      onChanges?.(changes);
    },
    onProblem,
  };
}

async function storeAll(
  work: Work,
  open: OpenRelease,
  { extent, signal, onProgress }: ReleaseOptions,
  begun: number,
): Promise<void> {
  if (work.closesMissing) await beginEdition(work.client);
  let storing: Promise<void> = Promise.resolve();
  let venues = 0;
  let rows = 0;
  try {
    for await (const portion of readRelease(open, extent)) {
      const batch = await prepareBatch(work, portion);
      await storing; // while one portion is stored, the next is read and prepared
      signal?.throwIfAborted();
      rows += portion.places.length + portion.elsewhere;
      const share = rows / Math.max(open.rows, 1);
      storing = storeBatch(work, batch).then(() => {
        venues += batch.lines.size;
        onProgress?.({ venues, seconds: (performance.now() - begun) / 1000, share });
      });
      storing.catch(() => {}); // awaited above
    }
  } finally {
    await storing;
  }
}

async function finishEdition(work: Work, { extent, manyClosed, merged, bridges }: ReleaseOptions): Promise<void> {
  const { client, release, onChanges } = work;
  await findMissing(client, { release: release.id, extent, many: manyClosed });
  if (merged !== undefined) await mergeMissing(client, readMerges(merged), onChanges);
  if (bridges) await mergeMissing(client, await mergesByBridge(bridges, await missingIds(client)), onChanges);
  await closeMissing(client, onChanges);
}

const NAMED = 20;

function reportOf({ changes, unmapped, leftOut, ...tally }: Tally) {
  const byCount = [...unmapped.categories].sort((a, b) => b[1] - a[1]);
  const most = Object.fromEntries(byCount.slice(0, NAMED));
  const categories = { places: unmapped.places, categories: byCount.length, most };
  return { ...changes, ...tally, left_out: leftOut, unmapped: categories };
}
