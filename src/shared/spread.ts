/** Returns at most `most` items, spread evenly but out of step with patterns every few rows. Always the same ones. */
export function spread<T>(all: T[], most: number): T[] {
  if (all.length <= most) return all;
  const step = all.length / most;
  return Array.from({ length: most }, (_, index) => all[Math.floor((index + ((index * GOLDEN) % 1)) * step)] as T);
}

const GOLDEN = 0.618034;
