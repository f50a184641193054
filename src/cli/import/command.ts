import v8 from "node:v8";
import { type Command, Option } from "commander";
import { type ImportProgress, importVenues } from "../../directory/import/import-venues.ts";
import { isRelease } from "../../directory/import/release/read-release.ts";
import { addFileOptions } from "../file-options.ts";
import type { Context, Run } from "../with-directory.ts";
import { count, duration } from "../words.ts";
import {
  type ImportOptions,
  importReleaseFiles,
  parseBox,
  parseCountries,
  parsePair,
  parseShare,
  refuseReleaseOptions,
  releaseText,
} from "./release.ts";
import { openReport } from "./report.ts";

export function addImportCommand(program: Command, run: Run): void {
  addFileOptions(program.command("import"))
    .description(
      "import venues: delimited text, .xlsx, GeoJSON, JSON, NDJSON, Parquet, KML or GPX, also as gzip or zip; releases of Overture and Foursquare",
    )
    .argument("<file>", "a file; of a release also a folder or a pattern")
    .option("--source <name>", "venue ids are derived from it and the file's ids (default: the file's name)")
    .addOption(new Option("--keep-ids", "use the file's ids as venue ids").default(false).conflicts("source"))
    .option("--replace", "delete all venues of the directory first, with their check-ins", false)
    .option("--report <file>", "write every rejected line and omitted value to this file")
    .addOption(new Option("--bbox <west,south,east,north>", "release: only places within").argParser(parseBox))
    .addOption(new Option("--country <codes>", "release: only places there, such as US,CA").argParser(parseCountries))
    .addOption(new Option("--min-confidence <0 to 1>", "Overture: only places as sure as this").argParser(parseShare))
    .option("--edition <name>", "release: such as 2026-12; closes venues that it lacks (default: as in the path)")
    .addOption(
      new Option("--merged <file>", "release: Parquet or CSV of ids and the ids that they were merged into").conflicts(
        "replace",
      ),
    )
    .addOption(
      new Option("--bridge <former,current>", "Overture: bridge files of both editions, to find merged ids")
        .argParser(parsePair)
        .conflicts("replace"),
    )
    .option("--many-closed", "close missing venues even if they are more than a fifth", false)
    .option("--diff <file>", "release: write every change to this file (.csv, .ndjson or .parquet)")
    .addHelpText(
      "after",
      `
Columns are recognized as by "samespot harmonize", by their names in many languages and by what they hold; of GeoJSON also
the keys of OpenStreetMap, AllThePlaces and Overture. Name and position are needed: latitude and longitude, both in one
column, or a geometry, of which lines and surfaces give a point on or inside them. At the end the columns that were not
used are named. Places that the file says are closed for good, or no places, are skipped.

Importing a file again updates its venues; an interrupted import resumes where it stopped. Two files with the same name
and the same ids are the same venues, and the later one overwrites the earlier. Give other data its own --source, and a
renamed file (places-2026-05.csv) the --source that it had.

Overture Places and Foursquare OS Places in Parquet are recognized by their columns; any other Parquet file is read as a list. Their ids become venue ids. Import the next
edition with the same command: it adds, changes, moves, merges and closes venues, and leaves those of users alone.

Messages and report give the line, in workbooks the row, and of GeoJSON and JSON the number of the feature or record, from 1.
The exit code is 1 if one was refused.`,
    )
    .action(async (file, options) => {
      keepMemorySmall();
      const show = process.stderr.isTTY && program.opts().json !== true;
      const onProgress = (progress: ImportProgress) =>
        show && process.stderr.write(`\r\x1b[K${progressText(progress)}`);
      const work = { ...options, file, onProgress, clear: () => show && process.stderr.write("\r\x1b[K") };
      if (await isRelease(file))
        return run(async (context) => noteRefused(await importReleaseFiles(context, work)), releaseText);
      refuseReleaseOptions(options);
      return run(async (context) => {
        const result = noteRefused(await importFile(context, work));
        const without = unusedText(result.unused);
        // Otherwise the text says so.
        if (program.opts().json === true && without) process.stderr.write(`${without}\n`);
        return result;
      }, importText);
    });
}

/** Exit code 1, so that a nightly job notices. */
function noteRefused<T extends { refused: number }>(result: T): T {
  if (result.refused > 0) process.exitCode = 1;
  return result;
}

async function importFile({ deps, signal }: Context, { report, clear, ...options }: ImportOptions) {
  const refused = openReport(report);
  try {
    const { leftOut, ...result } = await importVenues({
      ...deps,
      ...options,
      signal,
      onProblem: ({ line, problem, counts }) => refused.write(counts === "line" ? line : `${counts} ${line}`, problem),
    });
    return { ...result, left_out: leftOut };
  } finally {
    clear();
    refused.close();
  }
}

// An import allocates much and keeps little. V8 would let the process grow to twice the needed size; earlier collection
// costs no measurable time. Call it before the heap grows.
function keepMemorySmall(): void {
  v8.setFlagsFromString("--semi-space-growth-factor=1");
  v8.setFlagsFromString("--heap-growing-percent=30");
}

function progressText({ venues, seconds, share }: ImportProgress): string {
  const speed = Math.round(venues / Math.max(seconds, 0.1));
  const left = share > 0 && share < 1 ? `, about ${duration((seconds * (1 - share)) / share)} left` : "";
  return `${count(venues)} venues, ${Math.floor(share * 100)} %, ${count(speed)} a second${left}`;
}

const NAMED = 20;

/** Says which columns or properties were not used, the most frequent first. */
function unusedText(unused: Record<string, number>): string {
  const all = Object.entries(unused);
  const named = all.slice(0, NAMED).map(([name, times]) => `${printable(name)} of ${count(times)}`);
  const more = all.length > NAMED ? `, and ${count(all.length - NAMED)} more` : "";
  const columns = all.length === 1 ? "1 column" : `${count(all.length)} columns`;
  return named.length > 0 ? `${columns} not used: ${named.join(", ")}${more}` : "";
}

/** A name of a file may hold what moves the cursor of a terminal. */
const printable = (name: string): string => name.slice(0, 60).replace(/\p{Cc}/gu, "?");

function importText({ left_out, unused, problems, counts, ...result }: Awaited<ReturnType<typeof importFile>>): string {
  const { imported, updated, unchanged, refused, closed, flagged, seconds } = result;
  const speed = Math.round((imported + updated + unchanged) / Math.max(seconds, 0.1));
  const parts = [`${count(imported)} new venues`, `${count(updated)} updated`, `${count(unchanged)} unchanged`];
  if (closed > 0) parts.push(`${count(closed)} closed`);
  if (flagged > 0) parts.push(`${count(flagged)} flagged`);
  const lines = [`${parts.join(", ")}, ${count(refused)} refused (${seconds} s, ${count(speed)} venues a second)`];
  const left = Object.entries(left_out).map(([attribute, times]) => `${attribute} of ${count(times)}`);
  if (left.length > 0) lines.push(`omitted because not storable: ${left.join(", ")}`);
  const without = unusedText(unused);
  if (without) lines.push(without);
  lines.push(...problems.map(({ line, problem }) => `${counts} ${line}: ${problem}`));
  if (refused > problems.length) lines.push(`and ${count(refused - problems.length)} more; use --report for all`);
  return lines.join("\n");
}
