import { setTimeout as sleep } from "node:timers/promises";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { DirectoryError, isHoldUp } from "../../directory-client/calls/errors.ts";
import { KnownError } from "../../shared/errors.ts";
import { type Deps, isLost } from "./long-task.ts";
import { type Problem, problemOf } from "./problems/problems.ts";

/** Milliseconds before each retry. */
const PAUSES = [300, 1500];

/** Returns a problem that concerns this listing only. Throws DirectoryError if all are affected. */
export async function tryListing<T>(
  { directory }: Pick<Deps, "directory">,
  auth: Auth,
  work: () => Promise<T>,
): Promise<{ done: T; problem?: never } | { done?: never; problem: Problem }> {
  for (let attempt = 0; ; attempt++) {
    try {
      return { done: await work() };
    } catch (error) {
      if (!(error instanceof KnownError) || (error instanceof DirectoryError && isHoldUp(error))) throw error;
      const problem = problemOf(error);
      if (!isLost(error)) return { problem };
      const pause = PAUSES[attempt];
      if (pause === undefined) {
        await directory.askCategories(auth); // throws if the directory is down
        return { problem };
      }
      await sleep(pause);
    }
  }
}
