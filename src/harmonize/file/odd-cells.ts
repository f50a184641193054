import { isIdName, meaningOf } from "../../shared/csv/column-names.ts";
import type { Columns } from "../run/rows.ts";
import type { Row } from "./table.ts";

/** What looks wrong with the ids and long numbers of the first rows, in sentences. */
export const oddCells = (rows: Row[], header: readonly string[], columns: Columns): string[] => [
  ...doubleIds(rows, header, columns),
  ...lostNumbers(rows, header, columns),
];

/** Ids that several rows share, in the column of ids or in one that was not taken for it because of them. */
function doubleIds(rows: Row[], header: readonly string[], { id, ...others }: Columns): string[] {
  const taken = Object.values(others);
  const index = id ?? header.findIndex((name, at) => meaningOf(name)?.field === "id" && !taken.includes(at));
  const counts = new Map<string, number>();
  for (const { cells } of rows) {
    const value = cells[index]?.trim();
    if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const twice = [...counts].filter(([, count]) => count > 1).map(([value]) => `“${shortened(value)}”`);
  const isVague = id === undefined && !isIdName(header[index] ?? "") && counts.size < rows.length / 2;
  if (twice.length === 0 || isVague) return [];
  const which = `${twice.slice(0, 3).join(", ")}${twice.length > 3 ? " and others" : ""}`;
  const found = `${number(twice.length)} of its values ${twice.length > 1 ? "occur" : "occurs"} in more than one of ${first(rows)}: ${which}.`;
  const follows =
    "All rows are matched in any case. But the directory keeps one venue for each id: of the rows that share an id only one can be annotated, and looking up the id finds all of them.";
  const said = `“${header[index]}”: ${found}`;
  return id === undefined
    ? [`${said} It was therefore not taken for your own ids: choose it if it holds them. ${follows}`]
    : [`${said} ${follows}`];
}

function lostNumbers(rows: Row[], header: readonly string[], columns: Columns): string[] {
  return LONG_NUMBERS.flatMap((field) => {
    const index = columns[field] ?? -1;
    const [example, ...others] = rows.flatMap(({ cells }) => (hasLostDigits(cells[index]) ? [cells[index]] : []));
    if (example === undefined) return [];
    const where = `“${header[index]}”: ${number(others.length + 1)} of ${first(rows)} ${others.length > 0 ? "read" : "reads"} ${example}${others.length > 0 ? " or similar" : ""}`;
    return [
      `${where}. A spreadsheet dropped the digits${field === "phone" ? ", so these phone numbers are not compared" : ""}. Format the column as text in the spreadsheet, enter the numbers again and save the file.`,
    ];
  });
}

/** The long numbers of a row that a spreadsheet has destroyed, in words. */
export const lostDigits = (cells: readonly string[], header: readonly string[], columns: Columns): string[] =>
  LONG_NUMBERS.flatMap((field) => {
    const index = columns[field] ?? -1;
    return hasLostDigits(cells[index])
      ? [
          `“${header[index]}” reads ${cells[index]?.trim()} because a spreadsheet dropped the digits: format the column as text there`,
        ]
      : [];
  });

/** The fields whose values are numbers so long that spreadsheets write them as 4.01E+09. */
const LONG_NUMBERS = ["phone", "id"] as const;
const hasLostDigits = (cell = ""): boolean => /^\s*\d(?:[.,]\d{1,14})?E\+\d{2}\s*$/i.test(cell);

const number = (count: number): string => count.toLocaleString("en");
const first = ({ length }: Row[]): string => `the first ${length === 1 ? "row" : `${number(length)} rows`}`;
const shortened = (value: string): string => (value.length > 40 ? `${[...value].slice(0, 40).join("")}…` : value);
