import { inline, textRows, workbookOf, zipOf } from "../workbooks.ts";
import { type AwkwardFile, HEADER, JOE, LIST, lines } from "./file.ts";

const ROWS = textRows(
  LIST.trim()
    .split("\n")
    .map((line) => line.split(",")),
);
const NAMES = [HEADER.split(",")];

const row = (at: number, ...cells: string[]) => `<row r="${at}">${cells.join("")}</row>`;
const number = (reference: string, value: number | string, style = 0) =>
  `<c r="${reference}" s="${style}"><v>${value}</v></c>`;
const place = (at: number, name: string) =>
  [inline(`B${at}`, name), number(`C${at}`, 41.8236), number(`D${at}`, -71.4222)].join("");

type Book = Parameters<typeof workbookOf>[0];
const file = (what: string, book: Partial<Book> & { rows?: string; more?: string }): AwkwardFile => {
  const { rows = ROWS, more = "", ...others } = book;
  return { what: `XLSX ${what}`, bytes: workbookOf({ sheets: [{ name: "Places", rows, more }], ...others }) };
};

const header = (...more: string[]) => textRows([[...(NAMES[0] ?? []), ...more]]);
/** Old workbooks, and all that have a password, are OLE files, whose streams are named in UTF-16. */
const ole = (stream: string) =>
  Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(1016), Buffer.from(stream, "utf16le")]);

export const WORKBOOKS: AwkwardFile[] = [
  file("with dates, times and leading zeros", {
    rows:
      header("zip", "opened", "seen") +
      row(
        2,
        inline("A2", "0001"),
        place(2, "Joe"),
        number("E2", 2857, 1),
        number("F2", 45351, 3),
        number("G2", 45351.75, 2),
      ),
    formats: ["00000", "dd\\.mm\\.yyyy hh:mm"],
  }),
  file("with dates that count from 1904", {
    rows: header("opened") + row(2, inline("A2", "1"), place(2, "Joe"), number("E2", 43889, 1)),
    is1904: true,
  }),
  file("with phone numbers and ids that Excel rounded", {
    rows:
      header("phone", "note") +
      row(
        2,
        number("A2", "1.2345678901234568E+17"),
        place(2, "Joe"),
        number("E2", 12_300_000_000, 1),
        inline("F2", "shown as 1.23E+10"),
      ) +
      row(3, number("A3", 7), place(3, "Ann"), inline("E3", "1.23E+10"), inline("F3", "text")) +
      row(4, number("A4", 8), place(4, "Bob"), number("E4", 12_125_550_123, 1), inline("F4", "all digits are there")),
    formats: ["0.00E+00"],
  }),
  file("with cells merged over rows", {
    rows:
      header("city") +
      row(2, inline("A2", "1"), place(2, "Joe"), inline("E2", "Warwick")) +
      row(3, inline("A3", "2"), place(3, "Ann")),
    more: '<mergeCells><mergeCell ref="E2:E3"/></mergeCells>',
  }),
  file("with merged cells above its column names", {
    rows:
      row(1, inline("A1", "Store"), inline("C1", "Position")) +
      textRows([...NAMES, ["1", "Joe", "41.8236", "-71.4222"], ["2", "Ann", "41.8", "-71.4"]], 2),
    more: '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="C1:D1"/></mergeCells>',
  }),
  file("with column names merged over two rows", {
    rows: textRows([...NAMES, ["", "", "", ""], ["1", "Joe", "41.8236", "-71.4222"], ["2", "Ann", "41.8", "-71.4"]]),
    more: '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:B2"/></mergeCells>',
  }),
  file("with a row of totals at the end", {
    rows:
      header("sales") +
      row(2, inline("A2", "1"), place(2, "Joe"), number("E2", 10)) +
      row(3, inline("A3", "Total"), number("E3", 10)),
  }),
  file("with two tables side by side", {
    rows: textRows([
      ["id", "name", "lat", "lng", "", "code", "manager"],
      ["1", "Joe", "41.8236", "-71.4222", "", "7", "Bob"],
      ["2", "Ann", "41.8", "-71.4", "", "8", "Cy"],
    ]),
  }),
  file("with formulas without a stored value", {
    rows: header("city") + row(2, inline("A2", "1"), place(2, "Joe"), '<c r="E2"><f>VLOOKUP(A2,Towns!A:B,2,0)</f></c>'),
  }),
  file("with error values and yes or no", {
    rows:
      header("city", "open") +
      row(2, inline("A2", "1"), place(2, "Joe"), '<c r="E2" t="e"><v>#N/A</v></c><c r="F2" t="b"><v>1</v></c>') +
      row(3, inline("A3", "2"), place(3, "Ann"), inline("E3", "Bern")),
  }),
  file("whose first sheet is hidden", {
    sheets: [
      { name: "Old", rows: textRows([...NAMES, ["9", "Gone", "1.5", "2.5"]]), state: "hidden" },
      { name: "Cover", rows: textRows([["Our places"]]) },
      { name: "Places", rows: ROWS },
    ],
  }),
  file("without a cell", { rows: "" }),
  {
    what: "XLSX whose shared texts are a bomb",
    bytes: zipOf({
      "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
      "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="r1" Target="sheet.xml"/></Relationships>',
      "xl/sheet.xml": `<worksheet><sheetData>${ROWS}</sheetData></worksheet>`,
      "xl/sharedStrings.xml": `<sst>${"<si><t>x</t></si>".repeat(2_500_000)}</sst>`,
    }),
  },
  {
    what: "XLSX cut off in the middle",
    bytes: workbookOf({ sheets: [{ name: "A", rows: ROWS }] }).then((book) => book.subarray(0, book.length / 2)),
  },
  { what: "XLSX with a password, named .csv", bytes: ole("EncryptedPackage") },
  { what: "XLS of Excel 97, named .csv", bytes: ole("Workbook") },
  {
    what: "Numbers workbook of Apple",
    bytes: zipOf({ "Index/Document.iwa": "x", "Index/Tables/Tile.iwa": "x", "Metadata/Properties.plist": "x" }),
  },
  {
    what: "DOCX named .csv",
    bytes: zipOf({ "[Content_Types].xml": "<Types/>", "word/document.xml": lines(HEADER, JOE) }),
  },
];
