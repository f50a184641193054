import type { LatLng } from "../../contract/parameters.ts";
import type { Separator } from "../../shared/csv/csv.ts";

/** How a file is read. */
export interface FileFormat {
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  separator: Separator;
  /** Whether the first line names the columns; otherwise they are called "Column 1", "Column 2"… */
  hasHeader: boolean;
  /** The line, from 1, where the names of the columns stand, if it is not the first; what is above it is left out. */
  headerLine?: number;
}

/** What a column may be. `id` is the owner's own id, `ll` latitude and longitude in one cell. */
export const FIELDS = [
  ...["id", "name", "lat", "lng", "ll", "address", "city", "state", "zip", "country"],
  ...["phone", "url", "twitter", "category", "description"],
] as const;
export type Field = (typeof FIELDS)[number] & string;

/** The index, from 0, of the column that is a field; a field without a column is missing. */
export type Columns = Partial<Record<Field, number>>;

/** A listing as the directory is asked: `ll` or `near`, the name of its town. */
export interface Query {
  name: string;
  ll?: LatLng;
  /** Where `ll` is not as the file has it: what was put right, and what the file says. The directory is not sent it. */
  repaired?: { by: string; was: LatLng };
  near?: string;
  address?: string;
  city?: string;
  state?: string;
  zip?: string;
  phone?: string;
  twitter?: string;
}

/** The part of a query that the directory is sent. */
export const asListing = ({ repaired: _, ...listing }: Query): Omit<Query, "repaired"> => listing;

/** Why a listing failed. `code` is one of ours or the kind of a DirectoryError; `column` as in the header. */
export interface Problem {
  code: string;
  message: string;
  column?: string;
  value?: string;
}

/** One that may be the listing's venue, as it was when the directory was asked. */
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
  /** 0 to 1; missing where the directory gives none. */
  score?: number;
  /** The weightiest, at most eight: what it was compared by, the weight in log-odds, the words. */
  evidence?: { comparison: string; weight: number; text: string }[];
}

/** Candidates kept of a listing. */
export const MOST_CANDIDATES = 5;

/** The venue an add is to make, and the key it is made with: both are sent again as they are, or not at all. */
export interface Add {
  key: string;
  venue: { name: string; ll: LatLng; primaryCategoryId: string } & Partial<Record<string, string | number | LatLng>>;
  /** Of whoever adds. */
  accountId: string;
  /** ISO 8601. */
  since: string;
}

/** Which listing: the harmonization that it is of, and its number in the file. */
export interface ListingId {
  id: string;
  number: number;
}

/** What is known of a listing, in one word. */
export type Outcome = "pending" | "matched" | "review" | "none" | "failed";

/** A parameter of a statement. SQL that stands in several statements is told which parameters are its own. */
export type Parameter = `$${number}`;

/**
 * The outcome of a listing `l` of a harmonization `h`, in SQL. What people have decided holds; for the rest the cuts do, so
 * that moving one moves all at once. A directory without scores is never believed without a look.
 */
export const OUTCOME = `CASE
  WHEN l.decision IN ('matched', 'added') THEN 'matched'
  WHEN l.decision = 'rejected' THEN 'none'
  WHEN l.status = 'pending' THEN 'pending'
  WHEN l.status = 'failed' THEN 'failed'
  WHEN l.is_clear AND l.score >= h.accept_from THEN 'matched'
  WHEN l.best_id IS NOT NULL AND coalesce(l.score, 1) >= h.review_from THEN 'review'
  ELSE 'none' END`;

/** The venue of a listing `l` whose outcome is `matched`. */
export const MATCHED_VENUE = "coalesce(l.venue_id, l.best_id)";
