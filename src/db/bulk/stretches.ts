/** Size of the smallest stretch. If even this is too slow, its size is not the reason. */
const FEWEST = 500;

/** Calls `work(after, upTo)` for stretches of the numbers 1 to `last`. Halves one that the database does not finish in time. */
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

/** Whether a statement exceeded its time (SQLSTATE query_canceled). */
export const isTooSlow = (error: unknown): boolean => (error as { code?: string }).code === "57014";

/** For catch(): undefined if a statement exceeded its time. Throws other errors. */
export function unlessTooSlow(error: unknown): undefined {
  if (!isTooSlow(error)) throw error;
}
