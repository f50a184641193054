import { LAST_HEADER_LINE } from "../../../harmonize/file/guess.ts";
import { type Columns, FIELDS, type Field, type FileFormat } from "../../../harmonize/run/rows.ts";
import { textField } from "../../../http/forms.ts";

export const SEPARATORS: Record<FileFormat["separator"], string> = {
  ",": "Comma ,",
  ";": "Semicolon ;",
  "\t": "Tab",
  "|": "Bar |",
};

export const ENCODINGS: Record<FileFormat["encoding"], string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16, little end first",
  "utf-16be": "UTF-16, big end first",
  "windows-1252": "Windows-1252 (Latin 1)",
};

export const FIELD_NAMES: Record<Field, string> = {
  id: "Your own id",
  name: "Name",
  lat: "Latitude",
  lng: "Longitude",
  ll: "Latitude and longitude",
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

/** Where the names of the columns may be said to stand. */
export const HEADERS: [value: string, words: string][] = [
  ["yes", "In the first line"],
  ...Array.from({ length: LAST_HEADER_LINE - 1 }, (_, index): [string, string] => [
    `${index + 2}`,
    `In line ${index + 2}`,
  ]),
  ["no", "Nowhere: the first line is a listing"],
];

const LONGEST_NAME = 200;

/** What a file is to be called, without control characters; empty where nothing was typed. */
export function readName(body: unknown): string {
  const typed = textField(body, "name")
    .toWellFormed()
    .replace(/\p{C}+/gu, " ")
    .trim();
  return typed.slice(0, LONGEST_NAME).toWellFormed();
}

/** How the file is to be read; what the form leaves out stays. A tab travels as its name: browsers may trim it. */
export function readFormat(body: unknown, { headerLine, ...before }: FileFormat): FileFormat {
  const separator = textField(body, "separator").replace("tab", "\t");
  const [encoding, header] = [textField(body, "encoding"), textField(body, "header")];
  const line = header === "" ? headerLine : Number(HEADERS.find(([value]) => value === header)?.[0]);
  return {
    encoding: Object.hasOwn(ENCODINGS, encoding) ? (encoding as FileFormat["encoding"]) : before.encoding,
    separator: Object.hasOwn(SEPARATORS, separator) ? (separator as FileFormat["separator"]) : before.separator,
    hasHeader: header === "" ? before.hasHeader : header === "yes" || !!line,
    ...(line && { headerLine: line }),
  };
}

/** The fields chosen for the columns `column-0`, `column-1`…; of two columns for one field the first counts. */
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
