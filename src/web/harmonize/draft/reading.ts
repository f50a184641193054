import type { FileFormat, Kind } from "../../../harmonize/run/rows.ts";
import { ENCODINGS, HEADERS, SEPARATORS } from "./form.ts";

interface Choice {
  id: string;
  label: string;
  options: { value: string; words: string }[];
  value: string;
}

const KINDS: Record<Kind, string> = {
  xlsx: "Excel",
  json: "JSON, a column for each field",
  geojson: "GeoJSON, a column for each property",
  parquet: "Parquet, a column for each field",
};

/** How a file is read, and what of it can be chosen. */
export function readingView(format: FileFormat): { words: string; choices: Choice[] } {
  const { kind, sheet = "", sheets = [], separator, encoding, hasHeader, headerLine } = format;
  if (kind && kind !== "xlsx") return { words: KINDS[kind], choices: [] };
  const line = kind ? "row" : "line";
  const names = !hasHeader
    ? "no column names"
    : headerLine
      ? `column names in ${line} ${headerLine}`
      : `column names in the first ${line}`;
  const header = choice("header", "Column names", HEADERS, !hasHeader ? "no" : String(headerLine ?? "yes"));
  if (kind) {
    const choices = [
      choice(
        "sheet",
        "Sheet",
        sheets.map((name) => [name, name]),
        sheet,
      ),
      header,
    ];
    return { words: `${KINDS.xlsx}, sheet “${sheet}”, ${names}`, choices: sheets.length > 1 ? choices : [header] };
  }
  const separators = Object.entries(SEPARATORS).map(([key, words]): [string, string] => [tabByName(key), words]);
  return {
    words: `${SEPARATORS[separator].replace(/ .*/, "").toLowerCase()}, ${ENCODINGS[encoding]}, ${names}`,
    choices: [
      choice("separator", "Separator", separators, tabByName(separator)),
      choice("encoding", "Encoding", Object.entries(ENCODINGS), encoding),
      header,
    ],
  };
}

/** Browsers may trim a tab. */
const tabByName = (separator: string): string => (separator === "\t" ? "tab" : separator);

const choice = (id: string, label: string, options: [value: string, words: string][], value: string): Choice => ({
  ...{ id, label, value },
  options: options.map(([each, words]) => ({ value: each, words })),
});

export type ReadingView = ReturnType<typeof readingView>;
