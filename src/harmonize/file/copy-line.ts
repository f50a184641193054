export type Value = string | number | null;

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A line of COPY in its text format. */
export const copyLine = (values: Value[]): string =>
  `${values
    .map((value) => (value === null ? "\\N" : String(value).replace(/[\\\t\n\r]/g, (char) => ESCAPES[char] ?? char)))
    .join("\t")}\n`;
