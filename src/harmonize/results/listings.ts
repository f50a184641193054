import { inStretches, unlessTooSlow } from "../../db/bulk.ts";
import type { DecidedHow, ListingDecision } from "../../db/generated/enums.ts";
import { type Db, queryRow, queryRows, rawSql, type Sql, sql } from "../../db/sql.ts";
import { type Filter, fitsFilter, type Sort, sortKey } from "../review/filter.ts";
import { ANNOTATION_PROBLEM, CHANGED_AT } from "../review/listing.ts";
import { NOTES } from "../review/notes.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { NAME_OF } from "../run/lists.ts";
import type { Problem } from "../run/problems/problems.ts";
import type { Reason } from "../run/problems/reasons.ts";
import { type Candidate, OUTCOME, type Outcome, type Query, type Was } from "../run/rows.ts";
import { hasOutcome, hasText } from "./facets.ts";

export interface ListedListing {
  number: number;
  /** From 1, with the header. */
  line: number;
  cells: string[];
  query: Query | null;
  outcome: Outcome;
  problem: Problem | null;
  /** Why its id could not be written to the venue it has now. */
  annotation_problem: Problem | null;
  score: number | null;
  decision: ListingDecision | null;
  venue_id: string | null;
  venue_name: string | null;
  decided_how: DecidedHow | null;
  decided_by: string | null;
  decided_at: Date | null;
  why: Reason | null;
  was: Was | null;
  /** The venue or else the best candidate; null if not among the candidates. */
  chosen: Candidate | null;
  /** The candidate after the best. */
  second: Candidate | null;
  /** When it was last decided, skipped or matched. */
  changed_at: Date | null;
  /** What people wrote about it, one note a line. */
  notes: string | null;
  /** The database's time of the look. */
  seen_at: Date;
}

interface Wanted {
  outcome?: Outcome | undefined;
  text?: string | undefined;
  filter?: Filter | undefined;
  /** Numbers of listings; with `sort` their places in that order. */
  after?: number | undefined;
  before?: number | undefined;
  sort?: Sort | undefined;
}

export interface ListingPage {
  listings: ListedListing[];
  before: number | undefined;
  after: number | undefined;
  isCutShort: boolean;
  isBusy: boolean;
}

type Listed = Pick<Harmonization, "id" | "acceptFrom" | "reviewFrom" | "listingCount">;

const PAGE_SIZE = 50;

/** Listings up to which pages are sorted: with more it would take too long. */
export const MOST_SORTED = 50_000;

const FIRST = 1000;
const MOST = 50_000;
const PATIENCE_MS = 1000;

/** Returns a page, in file order unless it is sorted. Scans ever longer stretches, shorter after a timeout, so that no statement is slow. */
export async function listListings(
  db: Pick<Harmonizer, "pool">,
  h: Listed,
  { sort, ...wanted }: Wanted,
): Promise<ListingPage> {
  const { listingCount } = h;
  if (sort && listingCount <= MOST_SORTED) return sortedListings(db, h, { ...wanted, sort });
  const { after = 0, before } = wanted;
  const isBack = before !== undefined;
  const found: ListedListing[] = [];
  let edge = isBack ? Math.min(before, listingCount + 1) : after;
  const isAtEnd = () => (isBack ? edge <= 1 : edge >= listingCount);
  const until = performance.now() + PATIENCE_MS;
  const begin = edge;
  for (let length = FIRST; found.length <= PAGE_SIZE && !isAtEnd() && performance.now() < until; ) {
    const [low, high] = isBack ? [Math.max(edge - 1 - length, 0), edge - 1] : [edge, edge + length];
    const order = sql`l.number ${rawSql(isBack ? "DESC" : "ASC")} LIMIT ${PAGE_SIZE + 1 - found.length}`;
    const rows = await readStretch(db, h, { ...wanted, low, high, order }).catch(unlessTooSlow);
    length = rows ? Math.min(MOST, length * 2) : Math.ceil(length / 4);
    if (!rows) continue;
    found.push(...rows);
    edge = isBack ? low + 1 : high;
  }
  const isBusy = edge === begin && !isAtEnd();
  const isFull = found.length > PAGE_SIZE;
  const listings = found.slice(0, PAGE_SIZE);
  const goesOn = isFull || !isAtEnd();
  const furthest = isFull ? (listings.at(-1)?.number ?? edge) : edge;
  const isCutShort = !isFull && goesOn;
  return isBack
    ? { listings: listings.reverse(), before: goesOn ? furthest : undefined, after: before - 1, isCutShort, isBusy }
    : { listings, before: after > 0 ? after + 1 : undefined, after: goesOn ? furthest : undefined, isCutShort, isBusy };
}

async function sortedListings(
  db: Pick<Harmonizer, "pool">,
  h: Listed,
  { after = 0, before, sort, ...wanted }: Wanted & { sort: Sort },
): Promise<ListingPage> {
  const from = before === undefined ? after : Math.max(before - 1 - PAGE_SIZE, 0);
  const order = sql`${sortKey(sort)} LIMIT ${PAGE_SIZE + 1} OFFSET ${from}`;
  const rows = await readStretch(db, h, { ...wanted, low: 0, high: h.listingCount, order }).catch(unlessTooSlow);
  return {
    listings: rows?.slice(0, PAGE_SIZE) ?? [],
    before: from > 0 ? from + 1 : undefined,
    after: rows && rows.length > PAGE_SIZE ? from + PAGE_SIZE : undefined,
    isCutShort: false,
    isBusy: rows === undefined,
  };
}

interface Stretch {
  low: number;
  high: number;
  order: Sql;
}

const readStretch = (
  db: Db,
  { id, acceptFrom, reviewFrom }: Listed,
  { outcome, text = "", filter = {}, low, high, order }: Wanted & Stretch,
): Promise<ListedListing[]> =>
  queryRows<ListedListing & { account_id: string | null; pattern: string | null }>(db)`
  SELECT l.*, ${NAME_OF} AS decided_by, now() AS seen_at
    FROM (SELECT l.number, l.line, l.cells, l.query, ${OUTCOME} AS outcome, l.problem, l.score, l.pattern, l.decision, l.venue_id, l.venue_name,
                 l.decided_how, l.decided_by AS account_id, l.decided_at, l.why, l.edition->'was' AS was, ${ANNOTATION_PROBLEM} AS annotation_problem,
                 (SELECT c FROM jsonb_array_elements(l.candidates) AS c
                   WHERE c ->> 'id' = coalesce(l.venue_id, l.best_id) LIMIT 1) AS chosen,
                 l.candidates->1 AS second, ${CHANGED_AT} AS changed_at, ${NOTES} AS notes
            FROM app.listing l, (SELECT ${acceptFrom}::real AS accept_from, ${reviewFrom}::real AS review_from) AS h
           WHERE l.harmonization_id = ${id} AND l.number > ${low} AND l.number <= ${high}
             AND ${hasOutcome(outcome)} AND ${hasText(text)} AND ${fitsFilter(filter)}) AS l
    LEFT JOIN app.account a ON a.id = l.account_id
   ORDER BY ${order}`;

export interface EditionChanges {
  same: number;
  changed: number;
  added: number;
  gone: number;
}

const COMPARED = 25_000;

/** Counts the rows of an edition as it noted them when it was read, and those of the one before that it lacks. */
export async function editionChanges(
  db: Pick<Harmonizer, "pool">,
  h: Pick<Harmonization, "id" | "listingCount">,
  previous: Pick<Harmonization, "id" | "listingCount">,
): Promise<EditionChanges> {
  const changes: EditionChanges = { same: 0, changed: 0, added: 0, gone: 0 };
  const add = (more: Partial<EditionChanges> | undefined) => {
    for (const [key, count] of Object.entries(more ?? {})) changes[key as keyof EditionChanges] += count;
  };
  await inStretches(h.listingCount, COMPARED, async (after, upTo) => {
    add(
      await queryRow<Omit<EditionChanges, "gone">>(db)`
        SELECT count(*) FILTER (WHERE own_id <> '' AND edition->>'is' IS NULL)::int AS same,
               count(*) FILTER (WHERE edition->>'is' = 'changed')::int AS changed,
               count(*) FILTER (WHERE edition->>'is' = 'new')::int AS added
          FROM app.listing WHERE harmonization_id = ${h.id} AND number > ${after} AND number <= ${upTo}`,
    );
  });
  await inStretches(previous.listingCount, COMPARED, async (after, upTo) => {
    add(
      await queryRow<Pick<EditionChanges, "gone">>(db)`
        SELECT count(*)::int AS gone FROM app.listing l
         WHERE l.harmonization_id = ${previous.id} AND l.number > ${after} AND l.number <= ${upTo}
           AND ${fitsFilter({ missingIn: h.id })}`,
    );
  });
  return changes;
}
