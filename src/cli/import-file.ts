import { closeSync, openSync, writeSync } from "node:fs";
import v8 from "node:v8";
import { type Command, Option } from "commander";
import { type ImportProgress, importVenues } from "../directory/import/import-venues.ts";
import type { Context, Run } from "./with-directory.ts";

/** `samespot import`. */
export function addImportCommand(program: Command, run: Run): void {
  program
    .command("import")
    .description("import venues from CSV or TSV (with a header), NDJSON or GeoJSON, also gzipped")
    .argument("<file>")
    .option("--source <name>", "what venue ids are made from, with the file's ids (default: the file's name)")
    .addOption(new Option("--keep-ids", "take the file's id as venue id").default(false).conflicts("source"))
    .option("--replace", "empty the directory's venues first; all check-ins go with them", false)
    .option("--report <file>", "write every refused line and left-out value there")
    .addHelpText(
      "after",
      `
Needed columns: name, lat, lng. Others: id, address, crossStreet, city, state, zip, country, phone, twitter, url,
description, category (id or name). The columns of the Foursquare OS Places release are understood as well; of its
places those that are closed or flagged as none are passed over.

Importing a file again brings its venues up to date; an import that was cut short goes on where it stopped. Two files of
one name with the same ids are the same venues, and the later one overwrites the earlier. Give other data a --source of
its own, and a file that has changed its name (places-2026-05.csv) the --source that it had.`,
    )
    .action((file, options) => {
      keepMemorySmall();
      const showProgress = process.stderr.isTTY && program.opts().json !== true;
      return run((context) => importFile(context, { ...options, file, showProgress }), importText);
    });
}

interface Options {
  file: string;
  source?: string;
  keepIds: boolean;
  replace: boolean;
  /** Where every problem goes. */
  report?: string;
  /** One line on standard error that is written over. */
  showProgress: boolean;
}

async function importFile({ deps, signal }: Context, { report, showProgress, ...options }: Options) {
  const file = report === undefined ? undefined : openSync(report, "w");
  try {
    const { leftOut, ...result } = await importVenues({
      ...deps,
      ...options,
      signal,
      onProblem: ({ line, problem }) => file && writeSync(file, `${line}\t${problem}\n`),
      onProgress: (progress) => showProgress && process.stderr.write(`\r\x1b[K${progressText(progress)}`),
    });
    return { ...result, left_out: leftOut };
  } finally {
    if (showProgress) process.stderr.write("\r\x1b[K");
    if (file) closeSync(file);
  }
}

/**
 * An import makes garbage all the time and keeps next to nothing. Left alone, V8 lets it lie until the process is twice
 * as large as it needs to be; collecting it sooner costs no time that can be measured. To be called before the heap grows.
 */
function keepMemorySmall(): void {
  v8.setFlagsFromString("--semi-space-growth-factor=1");
  v8.setFlagsFromString("--heap-growing-percent=30");
}

function progressText({ venues, seconds, share }: ImportProgress): string {
  const speed = Math.round(venues / Math.max(seconds, 0.1));
  const left = share > 0 && share < 1 ? `, about ${duration((seconds * (1 - share)) / share)} left` : "";
  return `${count(venues)} venues, ${Math.floor(share * 100)} %, ${count(speed)} a second${left}`;
}

/** What the import did, for people. */
function importText({ left_out, problems, ...result }: Awaited<ReturnType<typeof importFile>>): string {
  const { imported, updated, unchanged, refused, closed, flagged, seconds } = result;
  const speed = Math.round((imported + updated + unchanged) / Math.max(seconds, 0.1));
  const parts = [`${count(imported)} new venues`, `${count(updated)} updated`, `${count(unchanged)} unchanged`];
  if (closed > 0) parts.push(`${count(closed)} closed`);
  if (flagged > 0) parts.push(`${count(flagged)} flagged`);
  const lines = [`${parts.join(", ")}, ${count(refused)} refused (${seconds} s, ${count(speed)} venues a second)`];
  const left = Object.entries(left_out).map(([attribute, times]) => `${attribute} of ${count(times)}`);
  if (left.length > 0) lines.push(`left out, because it cannot be stored: ${left.join(", ")}`);
  lines.push(...problems.map(({ line, problem }) => `line ${line}: ${problem}`));
  if (refused > problems.length) lines.push(`and ${count(refused - problems.length)} more: see --report`);
  return lines.join("\n");
}

const count = (value: number) => value.toLocaleString("en-US");

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
