import type { JobEnd } from "./job.ts";
import type { Struck } from "./programs.ts";

/** Adds up the verdicts (see Verdict) of all files. */
export function account(ends: JobEnd[], ended: string[]) {
  const sum = (of: (end: JobEnd) => number) => ends.reduce((total, end) => total + of(end), 0);
  return {
    ...{ rounds: ends.length, lost: sum(({ lost }) => lost), doubled: sum(({ doubled }) => doubled) },
    ...{
      contradicted: sum(({ contradicted }) => contradicted),
      misnoted: sum(({ misnoted }) => misnoted),
      stuck: sum(({ isStuck }) => Number(isStuck)),
    },
    amiss: ends.flatMap(({ amiss }) => amiss),
    ended,
  };
}

/** Counts the faults during a file's work. */
export const hitsOf = ({ work }: JobEnd, struck: Struck[]): number =>
  struck.filter(({ at }) => work.some(([from, to]) => at >= from && at <= to)).length;

export function spread(numbers: number[]) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [least = 0, median, most] = [0, Math.floor(sorted.length / 2), -1].map((at) => Math.round(sorted.at(at) ?? 0));
  return { least, median, most };
}

/** Counts the faults by kind of part and fault. */
export function tally(struck: Struck[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { part, how } of struck) {
    const key = `${part.replace(/ \d$/, "")} ${how}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
