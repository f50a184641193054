import { DirectoryError, type DirectoryErrorKind } from "./errors.ts";

const MOST_AT_ONCE = 16;

/** What says that the directory has too much to do. */
const TOO_MUCH: ReadonlySet<DirectoryErrorKind> = new Set(["rate_limited", "unreachable"]);

/** Makes a call as soon as it is its turn. One that turns out to be needless answers undefined. */
export type Throttle = <T>(call: () => Promise<T | undefined>) => Promise<T | undefined>;

/**
 * As many calls at once as the directory seems to bear: two at first, one more for every round that succeeds, half as many
 * whenever one is too much (additive increase, multiplicative decrease), up to sixteen. Calls wait in the order they came.
 */
export function createThrottle(): Throttle {
  let width = 2;
  let running = 0;
  const waiting: (() => void)[] = [];
  const fill = () => {
    while (waiting.length > 0 && running < Math.floor(width)) {
      running += 1;
      waiting.shift()?.();
    }
  };
  return async (call) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      fill();
    });
    try {
      const value = await call();
      if (value !== undefined) width = Math.min(MOST_AT_ONCE, width + 1 / width);
      return value;
    } catch (error) {
      if (error instanceof DirectoryError && TOO_MUCH.has(error.kind)) width = Math.max(1, width / 2);
      throw error;
    } finally {
      running -= 1;
      fill();
    }
  };
}
