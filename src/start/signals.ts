import { END_SIGNALS, type EndSignal } from "../shared/signals.ts";

/**
 * Milliseconds within which further signals are the first one once more: npm passes on to this process what its process group got
 * as well, by Ctrl-C or `kill -- -PGID`.
 */
const SAME_MS = 1000;

/** Calls `end` at the first signal to end, and `force` at one that comes later. Returns a function that stops listening. */
export function onEndSignals(end: (signal: EndSignal) => void, force: () => void): () => void {
  let begun: number | undefined;
  const listen = (signal: EndSignal) => {
    if (begun === undefined) {
      begun = performance.now();
      end(signal);
    } else if (performance.now() - begun > SAME_MS) force();
  };
  for (const signal of END_SIGNALS) process.on(signal, listen);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, listen);
  };
}
