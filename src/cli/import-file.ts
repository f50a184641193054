import { closeSync, openSync, writeSync } from "node:fs";
import v8 from "node:v8";
import { type Command, Option } from "commander";
import { type ImportProgress, importVenues } from "../directory/import/import-venues.ts";
import type { Context, Run } from "./with-directory.ts";

export function addImportCommand(program: Command, run: Run): void {
  program
    .command("import")
    .description("import venues from CSV or TSV (with a header), NDJSON or GeoJSON, also gzipped")
    .argument("<file>")
    .option("--source <name>", "venue ids are derived from it and the file's ids (default: the file's name)")
    .addOption(new Option("--keep-ids", "use the file's ids as venue ids").default(false).conflicts("source"))
    .option("--replace", "delete all venues of the directory first, with their check-ins", false)
    .option("--report <file>", "write every rejected line and omitted value to this file")
    .addHelpText(
      "after",
      `
Required columns: name, lat, lng. Optional: id, address, crossStreet, city, state, zip, country, phone, twitter, url,
description, category (id or name). The columns of the Foursquare OS Places release are also supported; its
closed places, and those flagged as not real, are skipped.

Importing a file again updates its venues; an interrupted import resumes where it stopped. Two files with the same name
and the same ids are the same venues, and the later one overwrites the earlier. Give other data its own --source, and a
renamed file (places-2026-05.csv) the --source that it had.`,
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
  report?: string;
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

function importText({ left_out, problems, ...result }: Awaited<ReturnType<typeof importFile>>): string {
  const { imported, updated, unchanged, refused, closed, flagged, seconds } = result;
  const speed = Math.round((imported + updated + unchanged) / Math.max(seconds, 0.1));
  const parts = [`${count(imported)} new venues`, `${count(updated)} updated`, `${count(unchanged)} unchanged`];
  if (closed > 0) parts.push(`${count(closed)} closed`);
  if (flagged > 0) parts.push(`${count(flagged)} flagged`);
  const lines = [`${parts.join(", ")}, ${count(refused)} refused (${seconds} s, ${count(speed)} venues a second)`];
  const left = Object.entries(left_out).map(([attribute, times]) => `${attribute} of ${count(times)}`);
  if (left.length > 0) lines.push(`omitted because not storable: ${left.join(", ")}`);
  lines.push(...problems.map(({ line, problem }) => `line ${line}: ${problem}`));
  if (refused > problems.length) lines.push(`and ${count(refused - problems.length)} more; use --report for all`);
  return lines.join("\n");
}

const count = (value: number) => value.toLocaleString("en-US");

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
