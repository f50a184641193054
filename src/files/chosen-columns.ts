import { badRequest } from "../shared/errors.ts";
import { type Columns, columnsAre, FIELDS, type Field, indexesOf } from "./columns.ts";

/**
 * Parses `name=3,lat=Latitude,address=Street+No,phone=none`: columns by number from 1 or by name, several with + in their order.
 * Keeps the guesses for other fields of other columns.
 */
export function chosenColumns(text: string, header: readonly string[], guessed: Columns): Columns {
  const columns = { ...guessed };
  for (const pair of text.split(/,(?=\s*\w+=)/)) {
    const [, field = "", name = ""] = /^\s*(\w+)=(.*)$/s.exec(pair) ?? [];
    if (!isField(field))
      throw badRequest(`--columns: “${pair}” must be a field, =, and a column. The fields are ${FIELDS.join(", ")}.`);
    const wanted = name === "none" ? [] : indexesNamed(name, header);
    for (const other of FIELDS) {
      const kept = columnsAre(indexesOf(columns, other).filter((index) => other !== field && !wanted.includes(index)));
      if (kept === undefined) delete columns[other];
      else columns[other] = kept;
    }
    const joined = columnsAre(wanted);
    if (joined !== undefined) columns[field] = joined;
  }
  return columns;
}

/** A column may have a + in its own name. */
function indexesNamed(name: string, header: readonly string[]): number[] {
  const indexOf = (one: string) => (header.includes(one) ? header.indexOf(one) : Number(one) - 1);
  const all = header[indexOf(name)] === undefined ? name.split(/\s*\+\s*/) : [name];
  const indexes = all.map((one) => {
    if (header[indexOf(one)] === undefined)
      throw badRequest(`--columns: there is no column “${one}”. ${columnsInWords(header)}`);
    return indexOf(one);
  });
  return [...new Set(indexes)];
}

const isField = (text: string): text is Field => FIELDS.some((field) => field === text);

export const columnsInWords = (header: readonly string[]): string =>
  `The columns are ${header
    .slice(0, 50)
    .map((name, index) => `${index + 1} ${name}`)
    .join(", ")}.`;
