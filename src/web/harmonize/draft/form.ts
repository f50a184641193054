import { type Columns, columnsAre, FIELDS, type Field, indexesOf } from "../../../files/columns.ts";
import { ALL_ALIKE, type FileFormat, QUOTES, type Quotes } from "../../../files/format.ts";
import { LAST_HEADER_LINE } from "../../../files/guess/guess.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { textField } from "../../../http/pages/forms.ts";
import { t } from "../../../language/translate.ts";
import { townName } from "../base/town.ts";

export const separators = (): Record<FileFormat["separator"], string> => ({
  ",": t("Comma"),
  ";": t("Semicolon"),
  "\t": t("Tab"),
  "|": t("Bar"),
});

export const encodings = (): Record<FileFormat["encoding"], string> => ({
  "utf-8": "UTF-8",
  "utf-16le": t("UTF-16, little-endian"),
  "utf-16be": t("UTF-16, big-endian"),
  "windows-1252": t("Western European: {name}", { name: "Windows-1252 (Latin 1)" }),
  "iso-8859-15": t("Western European: {name}", { name: "ISO-8859-15 (Latin 9)" }),
  macintosh: t("Western European: {name}", { name: "Macintosh" }),
  "windows-1250": t("Central European: {name}", { name: "Windows-1250" }),
  "iso-8859-2": t("Central European: {name}", { name: "ISO-8859-2 (Latin 2)" }),
  "iso-8859-16": t("Romanian: {name}", { name: "ISO-8859-16 (Latin 10)" }),
  "windows-1251": t("Cyrillic: {name}", { name: "Windows-1251" }),
  "koi8-r": t("Cyrillic: {name}", { name: "KOI8-R" }),
  "koi8-u": t("Cyrillic: {name}", { name: "KOI8-U" }),
  "iso-8859-5": t("Cyrillic: {name}", { name: "ISO-8859-5" }),
  ibm866: t("Cyrillic: {name}", { name: "IBM 866 (DOS)" }),
  "x-mac-cyrillic": t("Cyrillic: {name}", { name: "Macintosh" }),
  gb18030: t("Chinese, simplified: {name}", { name: "GB18030 (GBK, GB2312)" }),
  big5: t("Chinese, traditional: {name}", { name: "Big5" }),
  shift_jis: t("Japanese: {name}", { name: "Shift-JIS" }),
  "euc-jp": t("Japanese: {name}", { name: "EUC-JP" }),
  "iso-2022-jp": t("Japanese: {name}", { name: "ISO-2022-JP" }),
  "euc-kr": t("Korean: {name}", { name: "EUC-KR (Windows-949)" }),
  "windows-1253": t("Greek: {name}", { name: "Windows-1253" }),
  "iso-8859-7": t("Greek: {name}", { name: "ISO-8859-7" }),
  "windows-1254": t("Turkish: {name}", { name: "Windows-1254 (Latin 5)" }),
  "windows-1255": t("Hebrew: {name}", { name: "Windows-1255" }),
  "iso-8859-8": t("Hebrew: {name}", { name: "ISO-8859-8" }),
  "windows-1256": t("Arabic: {name}", { name: "Windows-1256" }),
  "iso-8859-6": t("Arabic: {name}", { name: "ISO-8859-6" }),
  "windows-1257": t("Baltic: {name}", { name: "Windows-1257" }),
  "iso-8859-4": t("Baltic: {name}", { name: "ISO-8859-4 (Latin 4)" }),
  "iso-8859-13": t("Baltic: {name}", { name: "ISO-8859-13 (Latin 7)" }),
  "iso-8859-3": t("Maltese, Esperanto: {name}", { name: "ISO-8859-3 (Latin 3)" }),
  "iso-8859-10": t("Nordic: {name}", { name: "ISO-8859-10 (Latin 6)" }),
  "iso-8859-14": t("Celtic: {name}", { name: "ISO-8859-14 (Latin 8)" }),
  "windows-874": t("Thai: {name}", { name: "Windows-874 (TIS-620)" }),
  "windows-1258": t("Vietnamese: {name}", { name: "Windows-1258" }),
});

export const fieldNames = (): Record<Field, string> => ({
  id: t("Your own id"),
  name: t("Name"),
  lat: t("Latitude"),
  lng: t("Longitude"),
  ll: t("Latitude and longitude"),
  lngLat: t("Longitude and latitude"),
  plusCode: t("Plus code"),
  geohash: t("Geohash"),
  x: t("Web Mercator x (metres)"),
  y: t("Web Mercator y (metres)"),
  address: t("Street and number"),
  wholeAddress: t("Whole address"),
  city: t("City"),
  state: t("State or province"),
  zip: t("Postal code"),
  country: t("Country"),
  phone: t("Phone"),
  url: t("Website"),
  twitter: t("Twitter name"),
  category: t("Category"),
  description: t("Description"),
});

export const headers = (): [value: string, words: string][] => [
  ["yes", t("In the first line")],
  ...Array.from({ length: LAST_HEADER_LINE - 1 }, (_, index): [string, string] => [
    `${index + 2}`,
    t("In line {line}", { line: index + 2 }),
  ]),
  ["no", t("None: the first line is already a row")],
];

export const LONGEST_NAME = 200;

export function readName(body: unknown): string {
  const typed = textField(body, "name")
    .toWellFormed()
    .replace(/\p{C}+/gu, " ")
    .trim();
  return typed.slice(0, LONGEST_NAME).toWellFormed();
}

/** How quotes inside cells are written. */
export const quotings = (): Record<Quotes, string> => ({
  doubled: t('Doubled: ""'),
  backslash: t('Escaped with a backslash: \\"'),
});

export const quotingOf = ({ isEscaped }: FileFormat): Quotes => (isEscaped ? "backslash" : "doubled");

/**
 * Returns the format; fields that were not sent keep their values. A tab is sent by name, because browsers may trim it.
 */
export function readFormat(body: unknown, { headerLine, ...before }: FileFormat): FileFormat {
  const sheet = [...(before.alike ? [ALL_ALIKE] : []), ...(before.sheets ?? [])].find(
    (name) => name === textField(body, "sheet"),
  );
  const separator = before.kind ? "" : textField(body, "separator").replace("tab", "\t");
  const quoting = before.kind ? "" : textField(body, "quotes");
  const quotes = QUOTES.find((each) => each === quoting && each !== quotingOf(before));
  const encoding = before.kind ? "" : textField(body, "encoding");
  const header = textField(body, "header");
  const line = header === "" ? headerLine : Number(headers().find(([value]) => value === header)?.[0]);
  return {
    ...before,
    ...(sheet !== undefined && { sheet }),
    encoding: Object.hasOwn(encodings(), encoding) ? (encoding as FileFormat["encoding"]) : before.encoding,
    separator: Object.hasOwn(separators(), separator) ? (separator as FileFormat["separator"]) : before.separator,
    ...(quotes && { isEscaped: quotes === "backslash" }),
    hasHeader: header === "" ? before.hasHeader : header === "yes" || !!line,
    ...(line && { headerLine: line }),
  };
}

/** How many columns of these fields the page offers; of the others, one. */
const OFFERED: Partial<Record<Field, number>> = { name: 2, address: 4, wholeAddress: 2, lat: 3, lng: 3 };
const MOST_OF_FIELD = 9;

/** The options for each column: `address`, `address.2`, in the order in which columns make one field. */
export function meanings(columns: Columns): { value: string; words: string }[] {
  const names = fieldNames();
  return FIELDS.flatMap((field) => {
    const count = Math.max(OFFERED[field] ?? 1, indexesOf(columns, field).length);
    return Array.from({ length: count }, (_, at) => ({
      value: meaningAt(field, at),
      words: at === 0 ? names[field] : t("{field}, column {number}", { field: names[field], number: at + 1 }),
    }));
  });
}

export const meaningAt = (field: Field, at: number): string => (at === 0 ? field : `${field}.${at + 1}`);

/** Returns the fields chosen in `column-0`, `column-1`…; reports a choice that was made twice. */
export function readSelects(body: unknown, header: string[]) {
  const chosen = new Map<string, number>();
  const errors: { message: string; field?: string }[] = [];
  for (const [index, name] of header.entries()) {
    const value = textField(body, `column-${index}`);
    const [called = "", number = "1"] = value.split(".");
    const field = FIELDS.find((each) => each === called);
    const at = Number(number) - 1;
    if (!field || !(at < MOST_OF_FIELD) || value !== meaningAt(field, at)) continue;
    const other = chosen.get(value);
    if (other === undefined) chosen.set(value, index);
    else {
      const message = t("Both “{one}” and “{other}” are chosen as {field}. Choose one.", {
        one: header[other] ?? "",
        other: name,
        field: fieldNames()[field].toLowerCase(),
      });
      errors.push({ message, field: `column-${index}` });
    }
  }
  return { columns: columnsOf(chosen), errors };
}

function columnsOf(chosen: ReadonlyMap<string, number>): Columns {
  const columns: Columns = {};
  for (const field of FIELDS) {
    const all = Array.from({ length: MOST_OF_FIELD }, (_, at) => chosen.get(meaningAt(field, at)) ?? []).flat();
    const joined = columnsAre(all);
    if (joined !== undefined) columns[field] = joined;
  }
  return columns;
}

/** The town of all rows; as it was if it is not asked for. */
export function readTown(
  body: unknown,
  { format }: Harmonization,
): { town: string; error?: { message: string; field: string } } {
  const before = format.town ?? "";
  const typed = (body as Record<string, unknown> | null)?.town;
  if (typeof typed !== "string" || typed.trim() === "") return { town: typed === undefined ? before : "" };
  const { data, error } = townName.safeParse(typed);
  if (data !== undefined) return { town: data };
  return { town: before, error: { message: error.issues[0]?.message ?? "", field: "town" } };
}

/** The previous edition by button or by choice; `likely` was asked about, and `preselected` stood in the list: without it, it is none. */
export function readEdition(body: unknown, action: string): { previousId: string | null; isNewList: boolean } {
  const likely = textField(body, "likely");
  if (action === "edition" && likely) return { previousId: likely, isNewList: false };
  const chosen = (action !== "new-list" && textField(body, "previous")) || null;
  // A new name alone answers nothing.
  if (action === "rename" && chosen === textField(body, "preselected")) return { previousId: null, isNewList: false };
  return {
    previousId: chosen,
    isNewList: chosen === null && (action === "new-list" || textField(body, "preselected") !== ""),
  };
}
