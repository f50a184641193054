import type { Headers } from "undici";
import { LOOKUP_PATH } from "../contract/lookup.ts";
import type { Auth } from "./calls/answers.ts";
import type { DirectoryClientOptions } from "./calls/call-directory.ts";
import { callLines } from "./calls/call-lines.ts";
import { DirectoryError, isHoldUp } from "./calls/errors.ts";
import type { Features } from "./features.ts";
import type { Throttle } from "./throttle.ts";
import { missing, shareOfLimit } from "./ways.ts";

interface Asking {
  auth: Auth;
  signal: AbortSignal | undefined;
}

/** Ids of a call until the directory has reported its limit. */
const FIRST = 25;

/** Characters of a line of the answer. */
const LONGEST_LINE = 200_000;

/**
 * Looks up many ids a call by venues/lookup (wire-format 6, ours); ids without an answer are to be asked for otherwise.
 * Returns the error that holds up every other call too.
 */
export function createLookup(options: DirectoryClientOptions, throttle: Throttle, features: () => Promise<Features>) {
  const gone = missing("not_found", "rejected", "invalid_answer");
  let share = FIRST;

  async function ask({ auth, signal }: Asking, ids: string[], onLine: (id: string, body: unknown) => void) {
    let answered = 0;
    const call = {
      ...{ auth, lines: ids.map((venueId) => JSON.stringify({ venueId })), longestLine: LONGEST_LINE, signal },
      onHeaders(headers: Headers) {
        share = shareOfLimit(headers) ?? share;
      },
      onLine(body: unknown) {
        const id = ids[answered];
        answered += 1;
        if (id !== undefined) onLine(id, body);
      },
    };
    await callLines(options, LOOKUP_PATH, call);
    if (answered !== ids.length)
      throw new DirectoryError("invalid_answer", undefined, { reason: "not an answer for each venue" });
  }

  return async (
    asking: Asking,
    ids: string[],
    onLine: (id: string, body: unknown) => void,
  ): Promise<DirectoryError | undefined> => {
    const { lookupLines } = await features().catch(() => ({ lookupLines: 0 }));
    for (let from = 0; from < ids.length && lookupLines > 0 && !gone.is(); ) {
      const some = ids.slice(from, from + Math.min(lookupLines, share));
      from += some.length;
      try {
        await throttle(async () => {
          await ask(asking, some, onLine).catch(gone.note);
          return true;
        });
      } catch (error) {
        asking.signal?.throwIfAborted();
        if (!(error instanceof DirectoryError)) throw error;
        return isHoldUp(error) ? error : undefined;
      }
    }
    return undefined;
  };
}
