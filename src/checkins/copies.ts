import { setTimeout as after } from "node:timers/promises";
import { DirectoryError } from "../directory-client/calls/errors.ts";
import { bringUpToDate } from "./bring-up-to-date.ts";
import type { CheckinDeps } from "./deps.ts";
import { type CopyState, loadState } from "./state.ts";

export interface Refreshed {
  /** Undefined without a copy. */
  state: CopyState | undefined;
  /** Why the copy could not be brought up to date. */
  trouble: DirectoryError | undefined;
  /** The copying goes on. */
  isUnderWay: boolean;
}

export interface CheckinCopies {
  /**
   * Brings the copy up to date, unless the directory has confirmed it within `maxAgeMs`. Waits for `waitMs` at most.
   *
   * @throws DirectoryError `refused_token`
   */
  refresh(accountId: string, auth: { token: string }, options?: { maxAgeMs?: number }): Promise<Refreshed>;
}

interface Running {
  token: string;
  work: Promise<void>;
}

/** The copies of people's check-ins. Within a process, visits join a copying that runs; across processes its lease decides. */
export function createCheckinCopies({ waitMs, ...deps }: CheckinDeps & { waitMs: number }): CheckinCopies {
  const running = new Map<string, Running>();
  const begin = (accountId: string, token: string): Running => {
    const work = bringUpToDate(deps, accountId, { token }).finally(() => {
      if (running.get(accountId) === started) running.delete(accountId);
    });
    const started = { token, work };
    work.catch((err: unknown) => deps.log.warn({ err }, "check-ins were not copied"));
    running.set(accountId, started);
    return started;
  };
  return {
    async refresh(accountId, { token }, { maxAgeMs = 0 } = {}) {
      const state = await loadState(deps, accountId);
      if (state?.checkedAt && Date.now() - state.checkedAt.getTime() < maxAgeMs)
        return { state, trouble: undefined, isUnderWay: false };
      const current = running.get(accountId);
      // The refusal of an older token says nothing about this one.
      const { work } = current?.token === token ? current : begin(accountId, token);
      const trouble = await Promise.race([work.then(() => undefined, troubleIn), after(waitMs, LATE, { ref: false })]);
      return {
        state: await loadState(deps, accountId),
        trouble: trouble === LATE ? undefined : trouble,
        isUnderWay: trouble === LATE,
      };
    },
  };
}

const LATE = Symbol("late");

function troubleIn(error: unknown): DirectoryError {
  if (!(error instanceof DirectoryError) || error.kind === "refused_token") throw error;
  return error;
}
