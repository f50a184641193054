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

/** Ordered so that all combinations occur within as many rounds as there are points, and successive ones hit different parts. */
const VICTIMS = ["worker", "app", "directory", "database"] as const;
const HOWS: How[] = ["killed", "frozen", "cut off"];

interface Fault {
  victim: (typeof VICTIMS)[number];
  how: How;
}

/** Each round has two faults: a worker ends at a point of one stage, and another stage has a fault of some part. */
export function planOf(round: number) {
  const all = STAGES.flatMap((stage) => POINTS[stage].map((point) => ({ stage, point })));
  const { stage: pointStage, point } = at(all, round + Math.floor(round / all.length));
  return {
    ...{ pointStage, point },
    fault: { victim: at(VICTIMS, round), how: at(HOWS, Math.floor(round / VICTIMS.length)) },
    faultStage: at(STAGES, STAGES.indexOf(pointStage) + 1 + (round % 2)),
  };
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
