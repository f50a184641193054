import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds of work after which others have their turn. */
const LONGEST = 10;

/** Those that wait come back one in each turn of the event loop, so that many at once hold it no longer than one. */
let last: Promise<unknown> = Promise.resolve();

/**
 * For work over data of a stranger: a function to be called between two of its pieces, however small. It returns at once, or
 * once LONGEST has passed a promise: to await it lets everything else in this process have its turn.
 */
export function givingWay(): () => Promise<void> | undefined {
  let since = performance.now();
  const wait = async () => {
    last = last.then(() => nextTurn());
    await last;
    since = performance.now();
  };
  return () => (performance.now() - since > LONGEST ? wait() : undefined);
}
