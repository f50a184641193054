/**
 * Returns the CPU milliseconds of `work` in its longest stretch without a turn of the event loop (`wait`) and in `total`. It
 * counts this thread only, so that other programs on the machine change little.
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
    // The smaller of both: a sleeping thread does not block, and one that the machine has paused does not work.
    [last, wait] = [next, Math.max(wait, Math.min(next.at - last.at, next.cpu - last.cpu))];
  };
  const timer = setInterval(turn, 1);
  const result = await work().finally(() => clearInterval(timer));
  turn();
  return { result, wait, total: last.cpu - begun.cpu };
}
