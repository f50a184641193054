import type { LocatedAddress } from "../../contract/addresses.ts";
import type { LatLng } from "../../contract/parameters.ts";
import type { ListingDecision } from "../../db/generated/enums.ts";
import { type Sql, sql } from "../../db/sql.ts";
import { type Columns, type Field, indexesOf } from "../../files/columns.ts";
import { SHARED } from "./problems/slips.ts";

/** For SQL, which reads only the first column of a field; from 1, or 0 for none. */
export const firstColumn = (columns: Columns, field: Field): number => (indexesOf(columns, field)[0] ?? -1) + 1;

/** The fields that are corrected as text, besides the name. */
export const TEXT_FIELDS = [
  "address",
  "city",
  "state",
  "zip",
  "country",
  "phone",
  "url",
  "twitter",
  "category",
  "description",
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

/** How a listing stands to the previous edition, by its id in the file. */
export interface InEdition {
  is?: "new" | "changed";
  was?: Was;
}

/**
 * What a changed listing was in the previous edition, or in the last one in which it was decided: a person looks at it before it is matched
 * or added again. `annotated`: its id was written to the venue. Without `venueId` it had none, or that is gone.
 */
export interface Was {
  decision: ListingDecision | "annotated";
  venueId?: string;
  /** It has changed by a repair of its list, not between editions. */
  byRepair?: true;
}

export interface ListingId {
  id: string;
  number: number;
}

export type Outcome = "pending" | "matched" | "review" | "none" | "failed";

/** SQL: a listing `l` that has changed since it was decided in an earlier edition. Its score is null, so that it is in the queue of review. */
export const HAS_CHANGED = sql`l.edition->'was' IS NOT NULL`;

// SQL: decisions of people win; otherwise the cuts apply, so moving one needs no writes. Without scores, every match
// needs review.
export const OUTCOME = outcomeBy({ acceptFrom: sql`h.accept_from`, reviewFrom: sql`h.review_from` });

/** SQL: OUTCOME by cuts from elsewhere, or as it would be with another decision. */
export function outcomeBy({
  acceptFrom,
  reviewFrom,
  decision = sql`l.decision`,
}: {
  acceptFrom: Sql;
  reviewFrom: Sql;
  decision?: Sql | undefined;
}): Sql {
  return sql`CASE
  WHEN ${decision} IN ('matched', 'added') THEN 'matched'
  WHEN ${decision} = 'rejected' THEN 'none'
  WHEN l.status = 'pending' THEN 'pending'
  WHEN l.status = 'failed' THEN 'failed'
  WHEN ${HAS_CHANGED} THEN 'review'
  WHEN l.is_clear AND l.score >= ${acceptFrom} THEN 'matched'
  WHEN l.best_id IS NOT NULL AND coalesce(l.score, 1) >= ${reviewFrom} THEN 'review'
  ELSE 'none' END`;
}

/** SQL: the venue of a listing `l` whose outcome is `matched`. */
export const MATCHED_VENUE = sql`coalesce(l.venue_id, l.best_id)`;
