import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds of work after which others have their turn. */
const LONGEST = 10;

/** Of all that wait, one goes on in each turn of the event loop, so that many hold it no longer than one. */
let last: Promise<unknown> = Promise.resolve();

/**
 * For long work on a stranger's data: returns a function to be called between its pieces, however small. That returns nothing,
 * or, once LONGEST has passed, a promise; awaiting it lets everything else in this process have its turn.
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
