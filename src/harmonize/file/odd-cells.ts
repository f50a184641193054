import { listingAttributes } from "../../contract/parameters.ts";
import { isIdName, meaningOf } from "../../shared/csv/column-names.ts";
import type { Row } from "../formats/table.ts";
import { isError, visibleIn } from "../query/to-query.ts";
import type { Columns } from "../run/rows.ts";
import { wordsOf } from "../run/words.ts";

export const oddCells = (rows: Row[], header: readonly string[], columns: Columns): string[] => [
  ...doubleIds(rows, header, columns),
  ...lostNumbers(rows, header, columns),
  ...lostCharacters(rows, header),
  ...errors(rows, header, columns),
];

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
    "All rows are matched anyway. But the directory keeps one venue for each id: only one of the rows that share an id can be annotated, and a look-up of the id finds all of them.";
  const said = `“${header[index]}”: ${found}`;
  return id === undefined
    ? [`${said} Therefore Samespot did not choose it as your own ids. Choose it if it is. ${follows}`]
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

/** Bytes that are no text in the encoding, or the sign for them that the file itself has. */
function lostCharacters(rows: Row[], header: readonly string[]): string[] {
  const broken = rows.flatMap(({ line, cells }) => {
    const at = cells.findIndex(isBroken);
    return at < 0 ? [] : [{ line, column: header[at], value: cells[at] ?? "" }];
  });
  const [example] = broken;
  if (!example) return [];
  const { line, column, value } = example;
  const hold = broken.length > 1 ? "contain" : "contains";
  return [
    `${number(broken.length)} of ${first(rows)} ${hold} characters that cannot be read in this encoding; they are shown as \uFFFD, for example “${shortened(value)}” (“${column}”, line ${number(line)}). Most such rows can still be matched. Check the encoding below.`,
  ];
}

function errors(rows: Row[], header: readonly string[], columns: Columns): string[] {
  return Object.values(columns).flatMap((index) => {
    const found = rows.map(({ cells }) => cells[index]?.trim() ?? "").filter(isError);
    if (found.length === 0) return [];
    const show = found.length > 1 ? "show errors" : "shows an error";
    return [
      `“${header[index]}”: ${number(found.length)} of ${first(rows)} ${show} of the spreadsheet (${found[0]}), read as empty. Correct the formula there and save the file, if the value matters.`,
    ];
  });
}

const isBroken = (cell: string): boolean => cell.includes("\uFFFD");

/** What of a row is not compared as the file means it. */
export const cellNotes = (cells: readonly string[], header: readonly string[], columns: Columns): string[] => [
  ...unusedNumbers(cells, header, columns),
  ...cells.flatMap((cell, at) =>
    isBroken(cell) ? [wordsOf({ code: "undecodable", column: header[at] ?? "", value: cell })] : [],
  ),
];

/** Numbers of a row that are not compared: destroyed by a spreadsheet, or unreadable phones. */
const unusedNumbers = (cells: readonly string[], header: readonly string[], columns: Columns): string[] =>
  LONG_NUMBERS.flatMap((field) => {
    const index = columns[field] ?? -1;
    const said = `“${header[index]}” reads ${shortened(cells[index]?.trim() ?? "")}`;
    if (hasLostDigits(cells[index]))
      return [`${said} because a spreadsheet dropped the digits: format the column as text there`];
    return field === "phone" && isUnreadable(visibleIn(cells[index] ?? ""))
      ? [`${said}: no telephone number can be read from it, so it is not compared`]
      : [];
  });

/** What holds no digit, such as "n/a", was not meant as a number. */
const isUnreadable = (phone: string): boolean =>
  /\p{Nd}/u.test(phone) && !listingAttributes.phone.safeParse(phone).success;

/** Spreadsheets write their values as 4.01E+09. */
const LONG_NUMBERS = ["phone", "id"] as const;
const hasLostDigits = (cell = ""): boolean => /^\s*\d(?:[.,]\d{1,16})?E\+\d{2}\s*$/i.test(cell);

const number = (count: number): string => count.toLocaleString("en");
const first = ({ length }: Row[]): string => `the first ${length === 1 ? "row" : `${number(length)} rows`}`;
export const shortened = (value: string, most = 40): string =>
  value.length > most ? `${[...value].slice(0, most).join("")}…` : value;
