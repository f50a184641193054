import type { Separator } from "../shared/csv/csv.ts";
import type { Encoding } from "../shared/csv/text.ts";

/** Instead of a sheet's name: all with the column names of the first that has a table. No name has this sign. */
export const ALL_ALIKE = "*";

/** How quotes inside cells are written: "" or \\". */
export const QUOTES = ["doubled", "backslash"] as const;
export type Quotes = (typeof QUOTES)[number];

/** Whether quotes are escaped by a backslash; undefined leaves it to the guess. */
export const isEscapedBy = (quotes: Quotes | undefined): boolean | undefined => quotes && quotes === "backslash";

/** Of a file that is no delimited text; NDJSON is `json`, too. `map`: KML or GPX. */
export type Kind = "xlsx" | "json" | "geojson" | "parquet" | "map";

export interface FileFormat {
  encoding: Encoding;
  separator: Separator;
  hasHeader: boolean;
  /** From 1; missing if it is the first. Lines above it are skipped. */
  headerLine?: number;
  /** Of delimited text that a database wrote: see src/shared/csv/csv.ts. False only if the owner says so, or else it would be guessed. */
  isEscaped?: boolean;
  /** Each line is one quoted cell, in which the cells stand. */
  isWrapped?: true;
  /** Missing for delimited text. Otherwise `file_part` has the rows as src/files/formats/base/rows.ts stores them. */
  kind?: Kind;
  /** Of a workbook: the sheet that was read, or ALL_ALIKE, all sheets, and how many formulas have no stored value. */
  sheet?: string;
  sheets?: string[];
  /** Visible sheets with the column names of the one that was read, which is among them; missing if there is no other. */
  alike?: string[];
  emptyFormulas?: number;
  types?: ColumnTypes;
  /** The earlier file whose columns were taken instead of the guessed ones. */
  columnsFrom?: string;
  /** Where the rows are that name no place, or none that the directory knows; said by the owner. */
  town?: string;
  /** Of JSON: encoding of the file's own bytes, if it is not UTF-8. */
  ownEncoding?: Encoding;
  /** Bytes of the upload, if they are not stored as they are. */
  bytes?: number;
}

/**
 * Columns of a sheet, from 0: those whose cells that read as a number, percentage, date or truth value were such. A column that mixes
 * them with such texts is in none.
 */
export type ColumnTypes = {
  numbers: number[];
  /** Files that were read before have none. */
  percents?: number[];
  dates: number[];
  booleans: number[];
  /** Columns of numbers that are filled up with zeros to so many digits; those with more have no zero in front. */
  filled?: [column: number, digits: number][];
};
