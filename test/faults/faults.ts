import type { How, Part, Site } from "./site.ts";

/** Points of each stage at which a worker may end. */
export const POINTS = {
  match: ["claimed", "asked", "before commit", "committed", "before done"],
  team: ["repair: read", "repair: before end", "webhook: answered"],
  add: ["add: before claim", "add: claimed", "add: answered", "add: committed"],
  annotate: ["annotate: before", "annotate: answered", "annotate: committed"],
};
const STAGES = ["match", "team", "add", "annotate"] as const;
export type Stage = (typeof STAGES)[number];

const ALL_POINTS = STAGES.flatMap((stage) => POINTS[stage].map((point) => ({ stage, point })));
/** So many rounds have each point and each fault of each part once. */
export const LEAST_ROUNDS = Math.ceil(ALL_POINTS.length / 2);

/** Successive faults hit different parts. */
const VICTIMS = ["worker", "app", "directory", "database"] as const;
const HOWS: How[] = ["killed", "frozen", "cut off"];

interface Fault {
  victim: (typeof VICTIMS)[number];
  how: How;
}

/** In each round a worker ends at a point of two stages, and one or two stages have a fault of some part. */
export function planOf(round: number) {
  const [turn, place] = [Math.floor(round / LEAST_ROUNDS), round % LEAST_ROUNDS];
  const points = [0, LEAST_ROUNDS].map((half) => at(ALL_POINTS, half + place + turn));
  const numbers = [place, place + LEAST_ROUNDS].filter((number) => number < VICTIMS.length * HOWS.length);
  const first = STAGES.indexOf(points[0]?.stage ?? "match");
  const faults = numbers.map((number, index) => ({
    stage: at(STAGES, first + 1 + (round % 3) + 2 * index),
    fault: { victim: at(VICTIMS, number), how: at(HOWS, Math.floor(number / VICTIMS.length)) },
  }));
  return { points, faults };
}

const at = <T>(list: readonly T[], index: number) => list[index % list.length] as T;

/** Holds faults back until their part is up, so that each has an effect and none is skipped. */
export function createFaults(site: Site) {
  const waiting: Fault[] = [];
  const under: Promise<void>[] = [];
  return {
    add: (fault: Fault) => void waiting.push(fault),
    areWaiting: () => waiting.length > 0,
    /** Applies the first fault whose part is up. Returns false if there is none. */
    strike(): boolean {
      for (const [index, { victim, how }] of waiting.entries()) {
        const part = PARTS_OF[victim].find(site.isUp);
        if (!part) continue;
        waiting.splice(index, 1);
        under.push(site.strike(part, how));
        return true;
      }
      return false;
    },
    /** Resolves when all parts are up again. */
    over: () => Promise.all(under),
  };
}

const PARTS_OF: Record<Fault["victim"], Part[]> = {
  ...{ worker: ["worker 1", "worker 2", "worker 3"], app: ["app"], directory: ["directory"], database: ["database"] },
};
