const waiting: (() => void)[] = [];

/**
 * Waits for a turn of the event loop that no other long work of this process has: between any two pieces of such work
 * everything else gets its share, however many calls are at it.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

function next(): void {
  waiting[0]?.();
  waiting.shift();
  if (waiting.length > 0) setImmediate(next);
}
