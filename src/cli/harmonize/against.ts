import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { embeddedHome } from "../../db/embedded/outside.ts";
import { execute, queryRow } from "../../db/sql.ts";
import { type ImportResult, importVenues } from "../../directory/import/import-venues.ts";
import { releaseFiles } from "../../directory/import/release/files.ts";
import { type Box, isRelease } from "../../directory/import/release/read-release.ts";
import { VENUE_ID } from "../../directory/venues/find.ts";
import { badRequest } from "../../shared/errors.ts";
import { ownVersion } from "../../shared/version.ts";
import { importReleaseFiles, refuseReleaseOptions } from "../import/release.ts";
import type { Context } from "../with-directory.ts";
import { counted } from "../words.ts";

/** The places that a file is matched with instead of a directory's venues. */
export interface Against {
  /** A file as `samespot import` reads it, or the files of a release. */
  places: string;
  columns?: string | undefined;
  /** Of a release: only the places there. */
  bbox?: Box | undefined;
  country?: string[] | undefined;
}

/** Names that .env.example has, of what concerns how files are read and what is printed. */
const KEPT_SETTINGS = ["LOG_LEVEL", "LANGUAGES", "MAX_FILE_MB", "MAX_FILE_ROWS", "MAX_FILE_COLUMNS"];
/** Row of directory.setup_step: all places are stored. */
const STEP = "places of a file";
/** In the folder of the places; its time says when they were used last. */
const USED = "used";
const KEPT_DAYS = 30;

/**
 * Returns the settings of a directory that holds these places and nothing else. It stays in the user's folder for caches, under a hash
 * of the places, so that the next run with them begins at once; those that nobody used for KEPT_DAYS are removed.
 */
export async function settingsAgainst(env: NodeJS.ProcessEnv, against: Against): Promise<NodeJS.ProcessEnv> {
  const caches = path.join(env.XDG_CACHE_HOME || path.join(homedir(), ".cache"), "samespot", "places");
  const folder = path.join(caches, await hashOf(against));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(folder, USED), "");
  removeUnused(caches);
  const kept = KEPT_SETTINGS.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...Object.fromEntries(kept), DATA_DIR: folder, ROLES: "directory", SAMPLE_DATA: "off" };
}

/** The hash of what the places are, and of the version that stores them. */
async function hashOf({ places, ...how }: Against): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([how, ownVersion()]));
  const files = (await isRelease(places)) ? await releaseFiles(places) : [places];
  for (const file of files) {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw badRequest(`There is no file ${file}. Give the file of places with --against.`);
    for await (const bytes of createReadStream(file)) hash.update(bytes);
  }
  return hash.digest("hex").slice(0, 24);
}

function removeUnused(caches: string): void {
  for (const folder of readdirSync(caches).map((name) => path.join(caches, name))) {
    const used = statSync(path.join(folder, USED), { throwIfNoEntry: false });
    if (!used || Date.now() - used.mtimeMs < KEPT_DAYS * 86_400_000) continue;
    for (const each of [embeddedHome(folder), folder]) rmSync(each, { recursive: true, force: true });
  }
}

/** Stores the places, unless a former run has stored all of them. Throws KnownError for an unusable file. */
export async function storePlaces(
  context: Context,
  { places, columns, bbox, country }: Against,
  say: (message: string) => void,
): Promise<void> {
  const { deps, signal } = context;
  if (await queryRow(deps.pool)`SELECT FROM directory.setup_step WHERE name = ${STEP}`) return;
  say(`Reading the places of ${path.basename(places)}`);
  if (await isRelease(places)) {
    const rest = { keepIds: false, replace: false, manyClosed: false, onProgress: () => {}, clear: () => {} };
    const result = await importReleaseFiles(context, { ...rest, file: places, columns, bbox, country });
    say(`${counted(result.new + result.unchanged, "place")} (${result.seconds} s)`);
  } else {
    refuseReleaseOptions({ bbox, country });
    const read = { columns, keepIds: true, replace: false, idOf: venueIdOf };
    const result = await importVenues({ ...deps, ...read, signal, file: places });
    const stored = await queryRow<{ count: number }>(deps.pool)`SELECT count(*)::int AS count FROM directory.venue`;
    say(readText(result, stored?.count ?? 0));
  }
  await execute(deps.pool)`INSERT INTO directory.setup_step (name) VALUES (${STEP}) ON CONFLICT (name) DO NOTHING`;
}

/** `stored`: also by a former run that was interrupted. */
function readText(
  { imported, updated, unchanged, refused, problems, counts, seconds }: ImportResult,
  stored: number,
): string {
  const [repeated, [first]] = [imported + updated + unchanged - stored, problems];
  const lines = [`${counted(stored, "place")} (${seconds} s)`];
  if (repeated > 0)
    lines.push(`${counted(repeated, counts)} with an id that an earlier one has: the last counts. ${OTHER_IDS}`);
  if (first) lines.push(`${counted(refused, counts)} left out, such as ${counts} ${first.line}: ${first.problem}`);
  return lines.join("\n");
}

const OTHER_IDS = "If the ids are not one for each place, choose another column: --against-columns id=none, or id=3.";

/**
 * The id of a place as a venue id, which takes letters, digits and `_ . : -` only: others, and colons, are written as `:` and two
 * hexadecimal digits for each byte. Where there is none, or too long a one, the line stands for it.
 */
export function venueIdOf(own: string | undefined, where: string): string {
  const written = escaped(own ?? where);
  return VENUE_ID.test(written) ? written : escaped(where);
}

const escaped = (id: string): string =>
  encodeURIComponent(id.toWellFormed())
    .replace(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    .replaceAll("%", ":");

/** The id of the place that venueIdOf() made it of. */
export const placeIdOf = (venueId: string): string => decodeURIComponent(venueId.replaceAll(":", "%"));
