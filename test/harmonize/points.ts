import type { Harmonizer } from "../../src/harmonize/run/deps.ts";
import { MOST_CANDIDATES } from "../../src/harmonize/run/rows.ts";

type Watched = Pick<Harmonizer, "pool" | "queue"> & Partial<Pick<Harmonizer, "directory">>;
type OnPoint = (name: string) => void | Promise<void>;

interface Point {
  /** What its text has. */
  of: RegExp;
  before?: string;
  after?: string;
}

/** Statements at which a worker is killed, before or after they have written something. */
const POINTS: Point[] = [
  { of: /UPDATE app\.portion SET tries = tries \+ 1/, after: "claimed" },
  { of: /^\s*WITH left_over AS/, before: "before commit", after: "committed" },
  { of: /SET adding = .*jsonb_build_object\('since', now\(\)\)/, before: "add: before claim", after: "add: claimed" },
  { of: /"wasRejected":true/, before: "add: answered", after: "add: committed" },
  { of: /AS "wasElsewhere"/, before: "annotate: before" },
  { of: /SET annotation_problem = n\.problem/, before: "annotate: answered", after: "annotate: committed" },
  { of: /SELECT l\.number, to_json\(l\.cells\) AS cells, CASE WHEN l\.query/, after: "repair: read" },
  { of: /THEN each - 'isUnderWay'/, before: "repair: before end" },
  { of: /SET delivered_at = now\(\)/, before: "webhook: answered" },
  { of: /^\s*WITH undone AS/, before: "undo: answered", after: "undo: committed" },
  { of: /SELECT line, to_json\(cells\)/, before: "again: row" },
];

/**
 * A worker's deps that call `onPoint` around statements and calls with a lasting effect. It may wait, act, or throw,
 * which ends the task like a killed process.
 */
export function withPoints<Deps extends Watched>(deps: Deps, onPoint: OnPoint): Deps {
  const { pool, directory, queue } = deps;
  return {
    ...deps,
    pool: instead(pool, {
      async query(statement: { text?: string }, ...rest: []) {
        const point = POINTS.find(({ of }) => of.test(statement.text ?? ""));
        if (point?.before) await onPoint(point.before);
        const result = (await pool.query(statement as never, ...rest)) as unknown as { rowCount: number | null };
        if (point?.after && result.rowCount !== 0) await onPoint(point.after);
        return result;
      },
    }),
    ...(directory && {
      directory: {
        ...directory,
        async matchListings(...asked: Parameters<typeof directory.matchListings>) {
          const answers = await directory.matchListings(...asked);
          if (asked[2].limit === MOST_CANDIDATES) await onPoint("asked"); // positions are judged by fewer
          return answers;
        },
      },
    }),
    queue: {
      ...queue,
      work: (...[atOnce, run]: Parameters<typeof queue.work>) =>
        queue.work(atOnce, async (task, signal) => {
          await run(task, signal);
          await onPoint(task.kind === "match" ? "before done" : `${task.kind}: before done`);
        }),
    },
  };
}

/** Replaces some methods of an object. */
const instead = <T extends object>(object: T, methods: object): T =>
  new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return methods[name as keyof typeof methods];
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
