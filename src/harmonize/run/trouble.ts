import { setTimeout as sleep } from "node:timers/promises";
import type { Auth } from "../../directory-client/answers.ts";
import { DirectoryError, isHoldUp } from "../../directory-client/errors.ts";
import { KnownError } from "../../shared/errors.ts";
import { type Deps, isLost } from "./long-task.ts";
import { type Problem, problemOf } from "./problems.ts";

/** Milliseconds before each further attempt. */
const PAUSES = [300, 1500];

/**
 * Does what concerns one listing. What goes wrong with that one alone comes back as its problem.
 *
 * @throws DirectoryError what goes wrong with all of them: no answer, too many calls, a refused token
 */
export async function onItsOwn<T>(
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
        await directory.askCategories(auth); // throws where it does not answer at all
        return { problem };
      }
      await sleep(pause);
    }
  }
}
