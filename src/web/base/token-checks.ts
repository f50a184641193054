import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { DirectoryClient } from "../../directory-client/client.ts";

/** Milliseconds for which a token that the directory took counts as good. Nothing is shown or changed with one that is older. */
const GOOD_MS = 60_000;
/** Then it is asked again beside the request, which does not wait for it. */
const FRESH_MS = 30_000;
/** What a request waits for an answer. A directory that is silent or away refuses nobody; for FRESH_MS nobody waits for it again. */
const WAIT_MS = 2000;

export type TokenChecks = ReturnType<typeof createTokenChecks>;

interface Options {
  directory: Pick<DirectoryClient, "self">;
  waitMs?: number;
  now?: () => number;
}

/**
 * Finds out whether the directory still takes the tokens of people whose pages need no call of it: it refuses those of a person who
 * was disabled there. Kept by this process only.
 */
export function createTokenChecks({ directory, waitMs = WAIT_MS, now = () => performance.now() }: Options) {
  const taken = new Map<string, number>();
  let silentAt = Number.NEGATIVE_INFINITY;
  const asking = new Map<string, Promise<boolean>>();

  /** Never fails. */
  async function ask(token: string): Promise<boolean> {
    const begun = now();
    try {
      await directory.self({ token });
    } catch (error) {
      if (error instanceof DirectoryError && error.kind === "refused_token") return true;
      if (!(error instanceof DirectoryError) || error.kind !== "not_found") return false; // not known: asked again
    }
    for (const [other, at] of taken) if (now() - at > GOOD_MS) taken.delete(other);
    taken.set(token, begun);
    return false;
  }
  function askOnce(token: string): Promise<boolean> {
    const answer =
      asking.get(token) ??
      ask(token).finally(() => {
        asking.delete(token);
      });
    asking.set(token, answer);
    return answer;
  }

  return {
    /** Whether the directory refuses the token, as far as is known. Calls `onRefused` if that comes out later. */
    async isRefused(token: string, onRefused: () => Promise<void>): Promise<boolean> {
      const age = now() - (taken.get(token) ?? Number.NEGATIVE_INFINITY);
      if (age < FRESH_MS) return false;
      const answer = askOnce(token);
      if (age >= GOOD_MS && now() - silentAt >= FRESH_MS) {
        const isRefused = await Promise.race([answer, afterwards(waitMs)]);
        if (isRefused !== SILENT) return isRefused;
        silentAt = now();
      }
      answer.then((isRefused) => (isRefused ? onRefused() : undefined)).catch(() => {});
      return false;
    },
    /** Notes that the directory has just taken the token. */
    note: (token: string): void => void taken.set(token, now()),
  };
}

const SILENT = Symbol("silent");

const afterwards = (milliseconds: number): Promise<typeof SILENT> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(SILENT), milliseconds).unref();
  });
