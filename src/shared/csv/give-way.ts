import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds. */
const LONGEST = 10;

/** Only one waiting caller continues per turn of the event loop. */
let last: Promise<unknown> = Promise.resolve();

/** Returns a function to call between pieces of long work. Once LONGEST has passed, it returns a promise to await. */
export function givingWay(): () => Promise<void> | undefined {
  let since = performance.now();
  const wait = async () => {
    last = last.then(() => nextTurn());
    await last;
    since = performance.now();
  };
  return () => (performance.now() - since > LONGEST ? wait() : undefined);
}
