import type { Harmonizer } from "../../src/harmonize/run/deps.ts";
import { MOST_CANDIDATES } from "../../src/harmonize/run/rows.ts";

type Watched = Pick<Harmonizer, "pool" | "prisma" | "queue"> & Partial<Pick<Harmonizer, "directory">>;
type OnPoint = (name: string) => void | Promise<void>;

/** Statements at which a worker is killed, by name, or by text for those of Prisma. */
const BEFORE: Record<string, string> = {
  "write-listings": "before commit",
  "UPDATE app.listing l SET adding = ": "add: before claim",
  "UPDATE app.listing l SET decision = 'added'": "add: answered",
  "claim-adds": "add: before claim",
  "commit-adds": "add: answered",
  "mappings-to-annotate": "annotate: before",
  "note-annotations": "annotate: answered",
  "note-undone": "undo: answered",
  "write-rows": "again: row",
};
const AFTER: Record<string, string> = {
  "claim-portion": "claimed",
  "write-listings": "committed",
  "UPDATE app.listing l SET adding = ": "add: claimed",
  "UPDATE app.listing l SET decision = 'added'": "add: committed",
  "claim-adds": "add: claimed",
  "commit-adds": "add: committed",
  "note-annotations": "annotate: committed",
  "note-undone": "undo: committed",
};

/**
 * A worker's deps that call `onPoint` around statements and calls with a lasting effect. It may wait, act, or throw,
 * which ends the task like a killed process.
 */
export function withPoints<Deps extends Watched>(deps: Deps, onPoint: OnPoint): Deps {
  const around = async <T>(statement: string, send: () => Promise<T>, isDone: (result: T) => boolean): Promise<T> => {
    const pointOf = (points: Record<string, string>) =>
      Object.entries(points).find(([part]) => statement === part || (part.includes(" ") && statement.includes(part)));
    const [before, after] = [pointOf(BEFORE)?.[1], pointOf(AFTER)?.[1]];
    if (before) await onPoint(before);
    const result = await send();
    if (after && isDone(result)) await onPoint(after);
    return result;
  };
  const { pool, prisma, directory, queue } = deps;
  return {
    ...deps,
    pool: instead(pool, {
      query: (statement: { name?: string }, ...rest: []) =>
        around(
          statement.name ?? "",
          () => pool.query(statement as never, ...rest) as unknown as Promise<{ rowCount: number | null }>,
          ({ rowCount }) => rowCount !== 0,
        ),
    }),
    prisma: instead(prisma, {
      $executeRaw: (strings: TemplateStringsArray, ...values: unknown[]) =>
        around(
          strings.join(""),
          async () => await prisma.$executeRaw(strings, ...values),
          (count) => count !== 0,
        ),
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
