import { ZipFile } from "yazl";

/** A zip file of these files, by their names. */
export async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files))
    if (name.endsWith("/")) zip.addEmptyDirectory(name);
    else zip.addBuffer(Buffer.from(content), name);
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

export const xml = (text: string): string => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

interface Sheet {
  name: string;
  /** XML of its rows. */
  rows: string;
  state?: "hidden";
  /** Behind the rows: `<mergeCells>…`. */
  more?: string;
}

interface Parts {
  sheets: Sheet[];
  texts?: string[];
  /** Format codes; the style n of a cell has the n-th. */
  formats?: string[];
  is1904?: boolean;
}

/** A workbook as Excel writes it. */
export function workbookOf({ sheets, texts = [], formats = [], is1904 = false }: Parts): Promise<Buffer> {
  const list = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${xml(name)}" sheetId="${at + 1}"${state ? ` state="${state}"` : ""} r:id="rId${at + 1}"/>`,
  );
  const files: Record<string, string> = {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<workbook xmlns="m" xmlns:r="r"><workbookPr${is1904 ? ' date1904="1"' : ""}/><sheets>${list.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${sheets.map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`).join("")}</Relationships>`,
    "xl/styles.xml": `<styleSheet><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${at + 164}" formatCode="${xml(code)}"/>`).join("")}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, at) => `<xf numFmtId="${at + 164}"/>`).join("")}<xf numFmtId="14"/></cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst>${texts.map((text) => `<si><t xml:space="preserve">${xml(text)}</t></si>`).join("")}</sst>`,
  };
  for (const [at, { rows, more = "" }] of sheets.entries())
    files[`xl/worksheets/sheet${at + 1}.xml`] = `<worksheet><sheetData>${rows}</sheetData>${more}</worksheet>`;
  return zipOf(files);
}

/** A cell with its text in itself. */
export const inline = (reference: string, text: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${xml(text)}</t></is></c>`;

export const columnName = (at: number): string =>
  (at >= 26 ? columnName(Math.floor(at / 26) - 1) : "") + String.fromCharCode(65 + (at % 26));

/** XML of rows of texts. */
export const textRows = (rows: string[][], from = 1): string =>
  rows
    .map(
      (cells, at) =>
        `<row r="${at + from}">${cells.map((cell, column) => (cell === "" ? "" : inline(columnName(column) + (at + from), cell))).join("")}</row>`,
    )
    .join("");
