import type { LocatedAddress } from "../../contract/addresses.ts";
import type { LatLng } from "../../contract/parameters.ts";
import type { Separator } from "../../shared/csv/csv.ts";
import type { Encoding } from "../../shared/csv/text.ts";
import { SHARED } from "./problems/slips.ts";

/** Instead of a sheet's name: all with the column names of the first that has a table. No name has this sign. */
export const ALL_ALIKE = "*";

/** Of a file that is no delimited text; NDJSON is `json`, too. */
export type Kind = "xlsx" | "json" | "geojson" | "parquet";

export interface FileFormat {
  encoding: Encoding;
  separator: Separator;
  hasHeader: boolean;
  /** From 1; missing if it is the first. Lines above it are skipped. */
  headerLine?: number;
  /** Of delimited text that a database wrote: see src/shared/csv/csv.ts. */
  isEscaped?: true;
  /** Each line is one quoted cell, in which the cells stand. */
  isWrapped?: true;
  /** Missing for delimited text. Otherwise `file_part` has the rows as src/harmonize/formats/base/rows.ts stores them. */
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
};

/** Where a listing is; the first that a row has counts. `ll`: latitude and longitude in one cell; `x`, `y`: Web Mercator. */
export const PLACED_BY = ["lat", "lng", "ll", "plusCode", "geohash", "x", "y"] as const;

/** `id`: the owner's id; `wholeAddress`: street, town and what else stands in one cell. */
export const FIELDS = [
  ...["id", "name", ...PLACED_BY, "address", "wholeAddress", "city", "state", "zip", "country"],
  ...["phone", "url", "twitter", "category", "description"],
] as const;
export type Field = (typeof FIELDS)[number] & string;

/** Several columns make one field in this order: src/harmonize/query/joined.ts. A single one is never a list. */
export type Columns = Partial<Record<Field, number | number[]>>;

export const indexesOf = (columns: Columns, field: Field): number[] => [columns[field] ?? []].flat();

/** A field of these columns, as Columns has it; undefined for none. */
export const columnsAre = (indexes: number[]): number | number[] | undefined =>
  indexes.length > 1 ? indexes : indexes[0];

/** For SQL, which reads only the first column of a field; from 1, or 0 for none. */
export const firstColumn = (columns: Columns, field: Field): number => (indexesOf(columns, field)[0] ?? -1) + 1;

/** The fields that are corrected as text, besides the name. */
export const TEXT_FIELDS = [
  ...["address", "city", "state", "zip", "country"],
  ...["phone", "url", "twitter", "category", "description"],
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/**
 * What a person corrected in review. `was`: the file's values of these parts, null for none; `now`: the corrected texts, "" for
 * one taken out; `by`: an account; `at`: ISO 8601.
 */
export interface Mended {
  was: { name?: string | null; ll?: LatLng | null } & Partial<Record<TextField, string | null>>;
  /** Missing in corrections of a release that knew only name and position. */
  now?: Partial<Record<TextField, string>>;
  by: string;
  at: string;
}

/** A listing as sent to the directory, with `ll` or `near`. */
export interface Query {
  name: string;
  ll?: LatLng;
  /** The repair and the position in the file; `put`: the repaired one, if it was then left out. Not sent. */
  repaired?: { by: string; was: LatLng; put?: LatLng };
  /** Not sent. */
  mended?: Mended;
  near?: string;
  /** The position that the directory has by the address, of a listing without `ll`. Not sent. */
  byAddress?: LocatedAddress;
  address?: string;
  city?: string;
  state?: string;
  zip?: string;
  phone?: string;
  twitter?: string;
}

export const isShared = (query: Pick<Query, "repaired"> | null | undefined): boolean => query?.repaired?.by === SHARED;

export const asListing = ({
  repaired: _,
  mended: _by,
  byAddress: _at,
  ...listing
}: Query): Omit<Query, "repaired" | "mended" | "byAddress"> => listing;

export interface Candidate {
  id: string;
  name: string;
  lat: number;
  lng: number;
  address?: string;
  city?: string;
  state?: string;
  zip?: string;
  phone?: string;
  url?: string;
  category?: string;
  /** Its position was estimated from its address. */
  isByAddress?: true;
  /** The attribution of its source, to be shown with it. */
  credit?: string;
  /** 0 to 1; missing if the directory returns none. */
  score?: number;
  /** The strongest first, at most eight; weights in log-odds. */
  evidence?: { comparison: string; weight: number; text: string }[];
}

export const MOST_CANDIDATES = 5;

/** A venue to add and its Idempotency-Key. Both are sent again unchanged, or not at all. */
export interface Add {
  key: string;
  venue: { name: string; ll: LatLng; primaryCategoryId: string } & Partial<Record<string, string | number | LatLng>>;
  accountId: string;
  since: string;
}

export interface ListingId {
  id: string;
  number: number;
}

export type Outcome = "pending" | "matched" | "review" | "none" | "failed";

export type Parameter = `$${number}`;

// SQL: decisions of people win; otherwise the cuts apply, so moving one needs no writes. Without scores, every match
// needs review.
export const OUTCOME = `CASE
  WHEN l.decision IN ('matched', 'added') THEN 'matched'
  WHEN l.decision = 'rejected' THEN 'none'
  WHEN l.status = 'pending' THEN 'pending'
  WHEN l.status = 'failed' THEN 'failed'
  WHEN l.is_clear AND l.score >= h.accept_from THEN 'matched'
  WHEN l.best_id IS NOT NULL AND coalesce(l.score, 1) >= h.review_from THEN 'review'
  ELSE 'none' END`;

/** SQL: the venue of a listing `l` whose outcome is `matched`. */
export const MATCHED_VENUE = "coalesce(l.venue_id, l.best_id)";
