import { closeSync, openSync, writeSync } from "node:fs";
import v8 from "node:v8";
import { type ImportProgress, importVenues } from "../directory/import/import-venues.ts";
import type { Context } from "./with-directory.ts";

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

/** `samespot import`. */
export async function importFile({ deps, signal }: Context, { report, showProgress, ...options }: Options) {
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
export function keepMemorySmall(): void {
  v8.setFlagsFromString("--semi-space-growth-factor=1");
  v8.setFlagsFromString("--heap-growing-percent=30");
}

function progressText({ venues, seconds, share }: ImportProgress): string {
  const speed = Math.round(venues / Math.max(seconds, 0.1));
  const left = share > 0 && share < 1 ? `, about ${duration((seconds * (1 - share)) / share)} left` : "";
  return `${count(venues)} venues, ${Math.floor(share * 100)} %, ${count(speed)} a second${left}`;
}

/** What the import did, for people. */
export function importText({ left_out, problems, ...result }: Awaited<ReturnType<typeof importFile>>): string {
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
