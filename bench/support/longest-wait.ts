/**
 * Does some work, and measures for how long nothing else in this thread had its turn meanwhile.
 *
 * @returns `wait`, the milliseconds of work in the longest stretch without a turn of the event loop, and `total`, those of all.
 *   Only this thread's own work counts, so that other programs on the machine change little.
 */
export async function longestWait<Result>(work: () => Promise<Result>) {
  const now = () => {
    const { user, system } = process.threadCpuUsage();
    return { at: performance.now(), cpu: (user + system) / 1000 };
  };
  const begun = now();
  let [last, wait] = [begun, 0];
  const turn = () => {
    const next = now();
    // A thread that sleeps has turns to give, and one that the machine has paused does no work.
    [last, wait] = [next, Math.max(wait, Math.min(next.at - last.at, next.cpu - last.cpu))];
  };
  const timer = setInterval(turn, 1);
  const result = await work().finally(() => clearInterval(timer));
  turn();
  return { result, wait, total: last.cpu - begun.cpu };
}
