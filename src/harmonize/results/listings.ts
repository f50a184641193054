import type { DecidedHow, ListingDecision } from "../../db/generated/enums.ts";
import { isTooSlow } from "../../db/stretches.ts";
import { ANNOTATION_ERROR, NAME_OF } from "../review/listing.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type Candidate, OUTCOME, type Outcome, type Problem, type Query } from "../run/rows.ts";

/** A listing as lists show it. */
export interface ListedListing {
  /** Of the file, from 1. */
  number: number;
  /** Of the file, where it begins: the header is line 1. */
  line: number;
  cells: string[];
  query: Query | null;
  outcome: Outcome;
  /** Why it failed, or was not added. */
  problem: Problem | null;
  /** Why its id is not in the directory, as long as it has the venue that this was said of. */
  annotation_error: string | null;
  score: number | null;
  decision: ListingDecision | null;
  venue_id: string | null;
  venue_name: string | null;
  decided_how: DecidedHow | null;
  /** Name or handle; null where nobody decided, or is gone. */
  decided_by: string | null;
  decided_at: Date | null;
  reason: string | null;
  /** The candidate that is its venue, else the best; null where neither is among the candidates. */
  chosen: Candidate | null;
}

interface Wanted {
  outcome?: Outcome | undefined;
  /** Only those whose id the directory did not take. */
  isUnwritten?: boolean;
  /** A text in any of its cells or in the name of its venue, in any case. */
  text?: string | undefined;
  /** From this number on, upwards; or below `before`, downwards. Neither is the start. */
  after?: number | undefined;
  before?: number | undefined;
}

export interface ListingPage {
  listings: ListedListing[];
  /** For the page before and the one after; undefined where there is none. */
  before: number | undefined;
  after: number | undefined;
  /** It was looked through for as long as a reader waits: the rest is on the next page. */
  isCutShort: boolean;
  /** The database is so busy that nothing was read in this time. */
  isBusy: boolean;
}

/** Listings on a page. */
const PAGE_SIZE = 50;

/** Numbers that the first statement looks through, and the most that any does. */
const FIRST = 1000;
const MOST = 50_000;
/** No further statement is begun after this time. */
const PATIENCE_MS = 1000;

/**
 * A page of listings in the order of the file. It is read in stretches of numbers, each longer than the one before, or shorter
 * where that one took too long. So no statement is long, however large the file and however few of its listings are wanted.
 */
export async function listListings(
  { pool }: Pick<Harmonizer, "pool">,
  {
    id,
    acceptFrom,
    reviewFrom,
    listingCount,
  }: Pick<Harmonization, "id" | "acceptFrom" | "reviewFrom" | "listingCount">,
  { outcome, isUnwritten = false, text = "", after = 0, before }: Wanted,
): Promise<ListingPage> {
  const isBack = before !== undefined;
  const found: ListedListing[] = [];
  /** What has been looked through ends here; it is looked at next. */
  let edge = isBack ? Math.min(before, listingCount + 1) : after;
  const isAtEnd = () => (isBack ? edge <= 1 : edge >= listingCount);
  const until = performance.now() + PATIENCE_MS;
  const begin = edge;
  for (let length = FIRST; found.length <= PAGE_SIZE && !isAtEnd() && performance.now() < until; ) {
    const [low, high] = isBack ? [Math.max(edge - 1 - length, 0), edge - 1] : [edge, edge + length];
    const asked = pool.query<ListedListing>({
      name: `listings-${isBack ? "back" : "on"}`,
      text: statement(isBack ? "DESC" : "ASC"),
      values: [id, low, high, acceptFrom, reviewFrom, outcome ?? null, text, PAGE_SIZE + 1 - found.length, isUnwritten],
    });
    const rows = await asked.then((done) => done.rows).catch(unlessTooSlow);
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

function unlessTooSlow(error: unknown): undefined {
  if (!isTooSlow(error)) throw error;
}

const statement = (direction: "ASC" | "DESC") => `
  SELECT l.*, ${NAME_OF} AS decided_by
    FROM (SELECT l.number, l.line, l.cells, l.query, ${OUTCOME} AS outcome, l.problem, l.score, l.decision, l.venue_id, l.venue_name,
                 l.decided_how, l.decided_by AS account_id, l.decided_at, l.reason, ${ANNOTATION_ERROR} AS annotation_error,
                 (SELECT c FROM jsonb_array_elements(l.candidates) AS c
                   WHERE c ->> 'id' = coalesce(l.venue_id, l.best_id) LIMIT 1) AS chosen
            FROM app.listing l, (SELECT $4::real AS accept_from, $5::real AS review_from) AS h
           WHERE l.harmonization_id = $1 AND l.number > $2 AND l.number <= $3
             AND ($7 = '' OR strpos(lower(concat_ws(' ', array_to_string(l.cells, ' '), l.venue_name)), lower($7)) > 0)) AS l
    LEFT JOIN app.account a ON a.id = l.account_id
   WHERE ($6::text IS NULL OR l.outcome = $6) AND (NOT $9::boolean OR l.annotation_error IS NOT NULL)
   ORDER BY l.number ${direction} LIMIT $8`;

/** How an edition differs from the one before, by the ids of its listings. */
export interface EditionChanges {
  /** The same id says the same. */
  same: number;
  /** The same id says something else of its place. */
  changed: number;
  /** Ids that the one before did not have, and those that only it had. */
  added: number;
  gone: number;
}

/** Longer files are not compared while somebody waits. */
const MOST_COMPARED = 50_000;

/** Undefined where one of them is too long for it. */
export async function editionChanges(
  { pool }: Pick<Harmonizer, "pool">,
  h: Pick<Harmonization, "id" | "listingCount">,
  previous: Pick<Harmonization, "id" | "listingCount">,
): Promise<EditionChanges | undefined> {
  if (Math.max(h.listingCount, previous.listingCount) > MOST_COMPARED) return undefined;
  const { rows } = await pool.query<EditionChanges>({
    name: "edition-changes",
    text: `WITH now AS MATERIALIZED (SELECT own_id, print FROM app.listing WHERE harmonization_id = $1 AND own_id <> ''),
        before AS MATERIALIZED (SELECT own_id, array_agg(print) AS prints FROM app.listing
           WHERE harmonization_id = $2 AND own_id <> '' GROUP BY own_id)
      SELECT count(*) FILTER (WHERE n.print = ANY(b.prints))::int AS same,
             count(*) FILTER (WHERE n.print <> ALL(b.prints))::int AS changed,
             count(*) FILTER (WHERE b.own_id IS NULL)::int AS added, count(*) FILTER (WHERE n.own_id IS NULL)::int AS gone
        FROM now n FULL JOIN before b ON b.own_id = n.own_id`,
    values: [h.id, previous.id],
  });
  return rows[0];
}
