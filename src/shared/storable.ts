/** Removes what PostgreSQL rejects, NUL and half surrogate pairs, and clips to `longest` characters. */
export const storable = (text: string, longest = 300): string =>
  text.slice(0, longest).replaceAll("\0", "").toWellFormed();
