import { ALL_ALIKE, type FileFormat, type Kind } from "../../../files/format.ts";
import { quoted } from "../../../harmonize/file/preview.ts";
import { t } from "../../../language/translate.ts";
import { encodings, headers, quotingOf, quotings, separators } from "./form.ts";

interface Choice {
  id: string;
  label: string;
  options: { value: string; words: string }[];
  value: string;
}

/** Files whose columns are the fields of their records. */
const kinds = (): Record<Exclude<Kind, "xlsx">, string> => ({
  json: t("JSON, a column for each field"),
  geojson: t("GeoJSON, a column for each property"),
  parquet: t("Parquet, a column for each field"),
  map: t("Map file, a column for each field"),
});

/** How a file is read, and what of it can be chosen. */
export function readingView(format: FileFormat): { words: string; choices: Choice[] } {
  const { kind, sheet = "", sheets = [], alike = [], separator, encoding, hasHeader, headerLine } = format;
  if (kind && kind !== "xlsx") return { words: kinds()[kind], choices: [] };
  const names = namesInWords(format);
  const header = choice("header", t("Column names"), headers(), !hasHeader ? "no" : String(headerLine ?? "yes"));
  if (kind) {
    const all: [string, string][] = alike.length > 0 ? [[ALL_ALIKE, allAlike(alike)]] : [];
    const each = sheets.map((name): [string, string] => [name, name]);
    const choices = [choice("sheet", t("Sheet"), [...all, ...each], sheet), header];
    const words =
      sheet === ALL_ALIKE
        ? t("Excel, sheets {sheets}, {names}", { sheets: quoted(alike), names })
        : t("Excel, sheet “{sheet}”, {names}", { sheet, names });
    return { words, choices: sheets.length > 1 ? choices : [header] };
  }
  const named = separators();
  const encoded = encodings();
  const signs = Object.entries(named).map(([sign, name]): [string, string] =>
    sign === "\t" ? [tabByName(sign), name] : [sign, `${name} ${sign}`],
  );
  return {
    words: [named[separator].toLowerCase(), ...quotingInWords(format), encoded[encoding], names].join(", "),
    choices: [
      choice("separator", t("Separator"), signs, tabByName(separator)),
      choice("quotes", t("Quotes inside cells"), Object.entries(quotings()), quotingOf(format)),
      choice("encoding", t("Encoding"), Object.entries(encoded), encoding),
      header,
    ],
  };
}

const allAlike = (alike: string[]): string =>
  t("All {count, number} with the same columns, one below the other", { count: alike.length });

function quotingInWords({ isEscaped, isWrapped }: FileFormat): string[] {
  return [
    ...(isWrapped ? [t("whole lines in quotes")] : []),
    ...(isEscaped ? [t("quotes escaped with a backslash")] : []),
  ];
}

function namesInWords({ kind, hasHeader, headerLine }: FileFormat): string {
  if (!hasHeader) return t("no column names");
  if (!headerLine) return kind ? t("column names in the first row") : t("column names in the first line");
  return kind
    ? t("column names in row {row}", { row: headerLine })
    : t("column names in line {line}", { line: headerLine });
}

/** Browsers may trim a tab. */
const tabByName = (separator: string): string => (separator === "\t" ? "tab" : separator);

const choice = (id: string, label: string, options: [value: string, words: string][], value: string): Choice => ({
  id,
  label,
  value,
  options: options.map(([each, words]) => ({ value: each, words })),
});

export type ReadingView = ReturnType<typeof readingView>;
