/** Milliseconds of long work in one event loop turn. */
const SLICE_MS = 1;

interface Waiting {
  due: number;
  goOn: () => void;
}

const waiting: Waiting[] = [];
let sliceEnd = 0;

/** Returns when a batch that begins now is due: a small one passes large ones, and of large ones the first ends first. */
export const dueDate = (listings: number): number => performance.now() + listings;

/** After a millisecond of long work, waits for the next event loop turn that no batch due earlier takes. */
export async function turn(due: number): Promise<void> {
  if (performance.now() < sliceEnd) return;
  await new Promise<void>((goOn) => {
    waiting.push({ due, goOn });
    if (waiting.length === 1) setImmediate(next);
  });
}

function next(): void {
  const first = waiting.reduce((earliest, each) => (each.due < earliest.due ? each : earliest));
  waiting.splice(waiting.indexOf(first), 1);
  sliceEnd = performance.now() + SLICE_MS;
  first.goOn();
  if (waiting.length > 0) setImmediate(next);
}
