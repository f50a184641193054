import { listingAttributes } from "../../contract/parameters.ts";
import { type Columns, indexesOf } from "../../files/columns.ts";
import type { Row } from "../../files/formats/table.ts";
import { isError, visibleIn } from "../../files/row/row.ts";
import { t } from "../../language/translate.ts";
import { isIdName, meaningOf } from "../../shared/csv/column-names.ts";
import { wordsOf } from "../run/problems/words.ts";

export const oddCells = (rows: Row[], header: readonly string[], columns: Columns): string[] => [
  ...doubleIds(rows, header, columns),
  ...lostNumbers(rows, header, columns),
  ...lostCharacters(rows, header),
  ...errors(rows, header, columns),
];

function doubleIds(rows: Row[], header: readonly string[], { id, ...others }: Columns): string[] {
  const taken = Object.values(others).flat();
  const index =
    [id].flat()[0] ?? header.findIndex((name, at) => meaningOf(name)?.field === "id" && !taken.includes(at));
  const counts = new Map<string, number>();
  for (const { cells } of rows) {
    const value = cells[index]?.trim();
    if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const twice = [...counts]
    .filter(([, count]) => count > 1)
    .map(([value]) => t("“{value}”", { value: shortened(value) }));
  const isVague = id === undefined && !isIdName(header[index] ?? "") && counts.size < rows.length / 2;
  if (twice.length === 0 || isVague) return [];
  const said = t(
    "“{column}”: {count, plural, one {# of its values occurs} other {# of its values occur}} in more than one of {rows, plural, one {the first row} other {the first # rows}}: {values}{more, select, yes { and others} other {}}.",
    {
      column: header[index] ?? "",
      count: twice.length,
      rows: rows.length,
      values: twice.slice(0, 3).join(", "),
      more: twice.length > 3 ? "yes" : "no",
    },
  );
  const notChosen = t(
    "That is why Samespot did not choose this column as your own id. Choose it if it holds your ids.",
  );
  const follows = t("All of these rows are matched, but only one row per id can be published to the directory.");
  return [[said, ...(id === undefined ? [notChosen] : []), follows].join(" ")];
}

function lostNumbers(rows: Row[], header: readonly string[], columns: Columns): string[] {
  return LONG_NUMBERS.flatMap((field) => indexesOf(columns, field).map((index) => ({ field, index }))).flatMap(
    ({ field, index }) => {
      const found = rows.flatMap(({ cells }) => (hasLostDigits(cells[index]) ? [cells[index] ?? ""] : []));
      const [example] = found;
      if (example === undefined) return [];
      return [
        t(
          "“{column}”: {count, number} of {rows, plural, one {1 row} other {the first # rows}} {count, plural, one {reads {example}} other {read {example} or similar}}. A spreadsheet dropped the digits{isPhone, select, yes {, so these phone numbers are not compared} other {}}. Format the column as text in the spreadsheet, enter the numbers again and save the file.",
          {
            column: header[index] ?? "",
            count: found.length,
            rows: rows.length,
            example,
            isPhone: field === "phone" ? "yes" : "no",
          },
        ),
      ];
    },
  );
}

/** Bytes that are no text in the encoding, or the sign for them that the file itself has. */
function lostCharacters(rows: Row[], header: readonly string[]): string[] {
  const broken = rows.flatMap(({ line, cells }) => {
    const at = cells.findIndex(isBroken);
    return at < 0 ? [] : [{ line, column: header[at], value: cells[at] ?? "" }];
  });
  const [example] = broken;
  if (!example) return [];
  const { line, column = "", value } = example;
  return [
    t(
      "{count, number} of {rows, plural, one {1 row} other {the first # rows}} {count, plural, one {contains} other {contain}} characters that cannot be read in this encoding; they are shown as \uFFFD, for example “{value}” (“{column}”, line {line, number}). Most such rows can still be matched. Check the encoding below.",
      { count: broken.length, rows: rows.length, value: shortened(value), column, line },
    ),
  ];
}

function errors(rows: Row[], header: readonly string[], columns: Columns): string[] {
  return Object.values(columns)
    .flat()
    .flatMap((index) => {
      const found = rows.map(({ cells }) => cells[index]?.trim() ?? "").filter(isError);
      const [error] = found;
      if (error === undefined) return [];
      return [
        t(
          "“{column}”: {count, number} of {rows, plural, one {1 row} other {the first # rows}} {count, plural, one {shows an error} other {show errors}} of the spreadsheet ({error}), read as empty. Correct the formula there and save the file, if the value matters.",
          { column: header[index] ?? "", count: found.length, rows: rows.length, error },
        ),
      ];
    });
}

const isBroken = (cell: string): boolean => cell.includes("\uFFFD");

/** What of a row is not compared as the file means it. */
export const cellNotes = (cells: readonly string[], header: readonly string[], columns: Columns): string[] => [
  ...unusedNumbers(cells, header, columns),
  ...(cells.some(isBroken) ? undecodable(cells, header) : []),
];

const undecodable = (cells: readonly string[], header: readonly string[]): string[] =>
  cells.flatMap((cell, at) =>
    isBroken(cell) ? [wordsOf({ code: "undecodable", column: header[at] ?? "", value: cell })] : [],
  );

/** Numbers of a row that are not compared: destroyed by a spreadsheet, or unreadable phones. */
const unusedNumbers = (cells: readonly string[], header: readonly string[], columns: Columns): string[] =>
  LONG_NUMBERS.flatMap((field) => indexesOf(columns, field).map((index) => ({ field, index }))).flatMap(
    ({ field, index }) => {
      const said = { column: header[index] ?? "", value: shortened(cells[index]?.trim() ?? "") };
      if (hasLostDigits(cells[index]))
        return [
          t("“{column}” reads {value} because a spreadsheet dropped the digits: format the column as text there", said),
        ];
      return field === "phone" && isUnreadable(visibleIn(cells[index] ?? ""))
        ? [t("“{column}” reads {value}: no telephone number can be read from it, so it is not compared", said)]
        : [];
    },
  );

/** What holds no digit, such as "n/a", was not meant as a number. */
const isUnreadable = (phone: string): boolean =>
  /\p{Nd}/u.test(phone) && !listingAttributes.phone.safeParse(phone).success;

/** Spreadsheets write their values as 4.01E+09. */
const LONG_NUMBERS = ["phone", "id"] as const;
const hasLostDigits = (cell = ""): boolean => /^\s*\d(?:[.,]\d{1,16})?E\+\d{2}\s*$/i.test(cell);

export const shortened = (value: string, most = 40): string =>
  value.length > most ? `${[...value].slice(0, most).join("")}…` : value;
