/** Rows of the smallest stretch: if even these take too long, their number is not the reason. */
const FEWEST = 500;

/**
 * Works through the numbers 1 to `last` in stretches: `work` gets each as the numbers above `after`, up to `upTo`. A stretch that
 * the database does not finish in time is tried again in halves, so that a busy server takes longer and nothing fails.
 *
 * @throws what `work` throws, and where even FEWEST rows take too long
 */
export async function inStretches(
  last: number,
  size: number,
  work: (after: number, upTo: number) => Promise<unknown>,
): Promise<void> {
  for (let [after, length] = [0, Math.min(size, last)]; after < last; ) {
    const upTo = Math.min(after + length, last);
    try {
      await work(after, upTo);
      after = upTo;
    } catch (error) {
      if (!isTooSlow(error) || length <= FEWEST) throw error;
      length = Math.ceil(length / 2);
    }
  }
}

/** Whether a statement took longer than it may (SQLSTATE query_canceled). */
export const isTooSlow = (error: unknown): boolean => (error as { code?: string }).code === "57014";
