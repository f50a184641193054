/** Counts added, missing, wrong and swapped letters (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let [last, before]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (before[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + (same ? 0 : 1),
        isSwap ? (last[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [last, before] = [before, current];
  }
  return before[b.length] ?? 0;
}
