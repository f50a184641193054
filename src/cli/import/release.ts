import { InvalidArgumentError } from "commander";
import type { ImportProgress } from "../../directory/import/import-venues.ts";
import type { HowRead } from "../../directory/import/read-venues.ts";
import { importRelease, type ReleaseResult } from "../../directory/import/release/import-release.ts";
import type { Box } from "../../directory/import/release/read-release.ts";
import { badRequest } from "../../shared/errors.ts";
import type { Context } from "../with-directory.ts";
import { count } from "../words.ts";
import { openDiff } from "./diff.ts";
import { openReport } from "./report.ts";

/** Options for releases only, under Commander's names. */
interface Options {
  bbox?: Box | undefined;
  country?: string[] | undefined;
  minConfidence?: number;
  edition?: string;
  merged?: string;
  bridge?: { former: string; current: string };
  manyClosed: boolean;
  diff?: string;
}
const NAMES: Record<keyof Options, string> = {
  bbox: "--bbox",
  country: "--country",
  minConfidence: "--min-confidence",
  edition: "--edition",
  merged: "--merged",
  bridge: "--bridge",
  manyClosed: "--many-closed",
  diff: "--diff",
};

/** The options that every file takes. */
export interface ImportOptions extends HowRead {
  file: string;
  source?: string;
  keepIds: boolean;
  replace: boolean;
  report?: string;
  onProgress: (progress: ImportProgress) => void;
  /** Removes the progress from the terminal. */
  clear: () => void;
}

/** Throws KnownError 400 if an option is given that other files than those of a release cannot have. */
export function refuseReleaseOptions(options: Partial<Options>): void {
  const given = Object.entries(NAMES).find(([name]) => options[name as keyof Options]);
  if (given) throw badRequest(`${given[1]} is for Parquet files of Overture or Foursquare only.`);
}

export async function importReleaseFiles(
  { deps, signal }: Context,
  command: ImportOptions & Options,
): Promise<ReleaseResult> {
  const { file: path, bbox: box, country: countries, minConfidence: leastConfidence, ...rest } = command;
  if (rest.source !== undefined || rest.keepIds)
    throw badRequest("Omit --source and --keep-ids: venues of a release already have its ids.");
  if (rest.columns ?? rest.encoding ?? rest.separator ?? rest.quotes ?? rest.sheet)
    throw badRequest(
      "Omit --columns, --encoding, --separator, --quotes and --sheet: the columns of a release are known.",
    );
  const { bridge: bridges, diff, report, edition, merged, manyClosed, replace, onProgress } = rest;
  const of = JSON.stringify([path, edition, box, countries, leastConfidence, ...(replace ? [Date.now()] : [])]);
  const changes = diff === undefined ? undefined : openDiff(diff, of);
  const refused = openReport(report);
  try {
    const result = await importRelease({
      ...deps,
      path,
      extent: { box, countries, leastConfidence },
      edition,
      merged,
      bridges,
      manyClosed,
      replace,
      signal,
      onProgress,
      onProblem: ({ file, row, problem }) => refused.write(file, row, problem),
      onChanges: (more) => changes?.note(more),
    });
    await changes?.finish();
    return result;
  } finally {
    rest.clear();
    refused.close();
    changes?.close();
  }
}

export function releaseText(result: ReleaseResult): string {
  const { release, edition, skipped, unmapped, problems, refused, unchanged, seconds } = result;
  const { moved, changed, reopened, merged, closed, removed } = result;
  const stored = result.new + changed + moved + reopened + unchanged;
  const parts = Object.entries({ changed, moved, reopened, merged, closed, removed, unchanged });
  const words = parts.filter(([, n]) => n > 0).map(([word, n]) => `${count(n)} ${word}`);
  const speed = `${seconds} s, ${count(Math.round(stored / Math.max(seconds, 0.1)))} venues a second`;
  const lines = [
    `${release}${edition ? ` ${edition}` : ""}: ${[`${count(result.new)} new venues`, ...words].join(", ")} (${speed})`,
  ];
  const left = Object.entries({ ...skipped, refused }).filter(([, n]) => n > 0);
  if (left.length > 0) lines.push(`not imported: ${left.map(([why, n]) => `${count(n)} ${why}`).join(", ")}`);
  const omitted = Object.entries(result.left_out).map(([attribute, times]) => `${attribute} of ${count(times)}`);
  if (omitted.length > 0) lines.push(`omitted because not storable: ${omitted.join(", ")}`);
  if (unmapped.places > 0) {
    const most = Object.entries(unmapped.most).map(([category, n]) => `${category} (${count(n)})`);
    lines.push(`without a category of ours: ${count(unmapped.places)} of ${unmapped.categories}: ${most.join(", ")}`);
  }
  lines.push(...problems.map(({ file, row, problem }) => `${file}, row ${row}: ${problem}`));
  if (refused > problems.length) lines.push(`and ${count(refused - problems.length)} more; use --report for all`);
  return lines.join("\n");
}

export function parseBox(text: string): Box {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = numbers;
  const isBox = Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90 && south < north;
  if (numbers.length !== 4 || !isBox)
    throw new InvalidArgumentError("Give four numbers in degrees: west,south,east,north, such as -71.9,41.1,-71.1,42.");
  return { west, south, east, north };
}

export function parseCountries(text: string): string[] {
  const codes = text.split(",").map((code) => code.trim().toUpperCase());
  if (codes.every((code) => /^[A-Z]{2}$/.test(code))) return codes;
  throw new InvalidArgumentError("Give codes of two letters (ISO 3166-1), such as US,CA.");
}

export function parseShare(text: string): number {
  const share = text.trim() === "" ? Number.NaN : Number(text);
  if (share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError("Give a number from 0 to 1.");
}

export function parsePair(text: string): { former: string; current: string } {
  const [former, current, more] = text.split(",");
  if (former && current && more === undefined) return { former, current };
  throw new InvalidArgumentError("Give two files or folders: former,current.");
}
