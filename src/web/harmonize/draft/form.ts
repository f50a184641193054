import { LAST_HEADER_LINE } from "../../../harmonize/file/guess/guess.ts";
import { type Columns, FIELDS, type Field, type FileFormat } from "../../../harmonize/run/rows.ts";
import { textField } from "../../../http/pages/forms.ts";

export const SEPARATORS: Record<FileFormat["separator"], string> = {
  ",": "Comma ,",
  ";": "Semicolon ;",
  "\t": "Tab",
  "|": "Bar |",
};

export const ENCODINGS: Record<FileFormat["encoding"], string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16, little-endian",
  "utf-16be": "UTF-16, big-endian",
  "windows-1252": "Western European: Windows-1252 (Latin 1)",
  "iso-8859-15": "Western European: ISO-8859-15 (Latin 9)",
  macintosh: "Western European: Macintosh",
  "windows-1250": "Central European: Windows-1250",
  "iso-8859-2": "Central European: ISO-8859-2 (Latin 2)",
  "iso-8859-16": "Romanian: ISO-8859-16 (Latin 10)",
  "windows-1251": "Cyrillic: Windows-1251",
  "koi8-r": "Cyrillic: KOI8-R",
  "koi8-u": "Cyrillic: KOI8-U",
  "iso-8859-5": "Cyrillic: ISO-8859-5",
  ibm866: "Cyrillic: IBM 866 (DOS)",
  "x-mac-cyrillic": "Cyrillic: Macintosh",
  gb18030: "Chinese, simplified: GB18030 (GBK, GB2312)",
  big5: "Chinese, traditional: Big5",
  shift_jis: "Japanese: Shift-JIS",
  "euc-jp": "Japanese: EUC-JP",
  "iso-2022-jp": "Japanese: ISO-2022-JP",
  "euc-kr": "Korean: EUC-KR (Windows-949)",
  "windows-1253": "Greek: Windows-1253",
  "iso-8859-7": "Greek: ISO-8859-7",
  "windows-1254": "Turkish: Windows-1254 (Latin 5)",
  "windows-1255": "Hebrew: Windows-1255",
  "iso-8859-8": "Hebrew: ISO-8859-8",
  "windows-1256": "Arabic: Windows-1256",
  "iso-8859-6": "Arabic: ISO-8859-6",
  "windows-1257": "Baltic: Windows-1257",
  "iso-8859-4": "Baltic: ISO-8859-4 (Latin 4)",
  "iso-8859-13": "Baltic: ISO-8859-13 (Latin 7)",
  "iso-8859-3": "Maltese, Esperanto: ISO-8859-3 (Latin 3)",
  "iso-8859-10": "Nordic: ISO-8859-10 (Latin 6)",
  "iso-8859-14": "Celtic: ISO-8859-14 (Latin 8)",
  "windows-874": "Thai: Windows-874 (TIS-620)",
  "windows-1258": "Vietnamese: Windows-1258",
};

export const FIELD_NAMES: Record<Field, string> = {
  id: "Your own id",
  name: "Name",
  lat: "Latitude",
  lng: "Longitude",
  ll: "Latitude and longitude",
  plusCode: "Plus code",
  geohash: "Geohash",
  x: "Web Mercator x (metres)",
  y: "Web Mercator y (metres)",
  address: "Street and number",
  city: "City",
  state: "State or province",
  zip: "Postal code",
  country: "Country",
  phone: "Phone",
  url: "Website",
  twitter: "Twitter name",
  category: "Category",
  description: "Description",
};

export const HEADERS: [value: string, words: string][] = [
  ["yes", "In the first line"],
  ...Array.from({ length: LAST_HEADER_LINE - 1 }, (_, index): [string, string] => [
    `${index + 2}`,
    `In line ${index + 2}`,
  ]),
  ["no", "None: the first line is a listing"],
];

const LONGEST_NAME = 200;

export function readName(body: unknown): string {
  const typed = textField(body, "name")
    .toWellFormed()
    .replace(/\p{C}+/gu, " ")
    .trim();
  return typed.slice(0, LONGEST_NAME).toWellFormed();
}

/**
 * Returns the format; fields that were not sent keep their values. A tab is sent by name, because browsers may trim it.
 */
export function readFormat(body: unknown, { headerLine, ...before }: FileFormat): FileFormat {
  const sheet = before.sheets?.find((name) => name === textField(body, "sheet"));
  const separator = before.kind ? "" : textField(body, "separator").replace("tab", "\t");
  const [encoding, header] = [before.kind ? "" : textField(body, "encoding"), textField(body, "header")];
  const line = header === "" ? headerLine : Number(HEADERS.find(([value]) => value === header)?.[0]);
  return {
    ...before,
    ...(sheet !== undefined && { sheet }),
    encoding: Object.hasOwn(ENCODINGS, encoding) ? (encoding as FileFormat["encoding"]) : before.encoding,
    separator: Object.hasOwn(SEPARATORS, separator) ? (separator as FileFormat["separator"]) : before.separator,
    hasHeader: header === "" ? before.hasHeader : header === "yes" || !!line,
    ...(line && { headerLine: line }),
  };
}

/** Returns the fields chosen in `column-0`, `column-1`…; reports a field that is chosen twice. */
export function readSelects(body: unknown, header: string[]) {
  const columns: Columns = {};
  const errors: { message: string; field?: string }[] = [];
  for (const [index, name] of header.entries()) {
    const field = FIELDS.find((each) => each === textField(body, `column-${index}`));
    if (!field) continue;
    const other = columns[field];
    if (other === undefined) columns[field] = index;
    else {
      const message = `Both “${header[other]}” and “${name}” are chosen as ${FIELD_NAMES[field].toLowerCase()}. Choose one.`;
      errors.push({ message, field: `column-${index}` });
    }
  }
  return { columns, errors };
}
