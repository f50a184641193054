import { z } from "zod";
import { soughtAttributes, webAddress } from "../../contract/parameters.ts";
import { text, textInLines } from "../../contract/text.ts";
import type { Field } from "../../files/columns.ts";
import { type Cells, isError, visibleIn } from "../../files/row/row.ts";
import { type Mended, type Query, TEXT_FIELDS, type TextField } from "../run/rows.ts";
import { type HowRead, repairedRow } from "./repaired-row.ts";

interface Row {
  cells: readonly string[];
  query: Query | null;
}

/** What a listing says in a field other than name and position: as corrected, or else as in its file, once repaired. */
export const textOf = ({ cells, query }: Row, h: HowRead, field: Field): string =>
  query?.mended?.now?.[field as TextField] ?? repairedRow(cells, h).given[field] ?? "";

export const withScheme = (url: string): string =>
  /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#:]|$)/u.test(url.trim()) ? `https://${url.trim()}` : url;

const SCHEMAS: Record<TextField, z.ZodType<string | undefined>> = {
  ...soughtAttributes,
  country: text("country", 100),
  url: z.string().transform(withScheme).pipe(webAddress),
  category: text("category", 200),
  description: textInLines("description", 300),
};

/** What a person typed; the fields of a row that are missing stay as in its file, and "" takes one out. */
export type TypedTexts = Partial<Record<TextField, string>>;

interface CorrectedTexts {
  now: NonNullable<Mended["now"]>;
  was: Partial<Record<TextField, string | null>>;
  /** Of values that venues/search and venues/add would refuse. */
  errors: Partial<Record<TextField, string>>;
}

/** Compares what was typed with what a row says; white space and invisible characters make no difference. */
export function correctTexts(given: Cells, typed: TypedTexts): CorrectedTexts {
  const corrected: CorrectedTexts = { now: {}, was: {}, errors: {} };
  for (const field of TEXT_FIELDS) {
    const before = given[field]?.toWellFormed();
    const value = visibleIn(typed[field] ?? before ?? "").toWellFormed();
    if (inOneLine(value) === inOneLine(before ?? "")) continue;
    const { data, error } = value ? SCHEMAS[field].safeParse(value) : { data: "" };
    if (error) corrected.errors[field] = error.issues[0]?.message ?? "";
    else corrected.now[field] = data ?? "";
    corrected.was[field] = before ?? null;
  }
  return corrected;
}

const inOneLine = (value: string): string => value.replace(/\s+/g, " ");

/** The cells of a row with corrections in place of some of them; "" takes one out. */
export const corrected = (given: Cells, by: Cells): Cells =>
  Object.fromEntries(Object.entries({ ...given, ...by }).filter(([, value]) => value && !isError(value)));
