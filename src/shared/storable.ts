/** Removes what PostgreSQL rejects, NUL and half surrogate pairs, and clips to `longest` characters. It has no second number, which `map(storable)` would give it. */
export const storable = (text: string, { longest = 300 }: { longest?: number } = {}): string =>
  text.slice(0, longest).replaceAll("\0", "").toWellFormed();
