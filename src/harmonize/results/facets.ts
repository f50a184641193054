import { inStretches } from "../../db/bulk.ts";
import { type Db, queryRows, type Sql, sql } from "../../db/sql.ts";
import { type Filter, fitsFilter } from "../review/filter.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type RecentResult, recentResultOf } from "../run/recent-result.ts";
import { firstColumn, OUTCOME, type Outcome } from "../run/rows.ts";

/** SQL: whether a listing `l` with the cuts `h` has an outcome; without one, any. */
export const hasOutcome = (outcome: Outcome | undefined): Sql =>
  outcome === undefined ? sql`true` : sql`${OUTCOME} = ${outcome}`;

/** SQL: whether a cell of a listing `l`, its name as corrected, or that of its venue contains a text, in upper or lower case. */
export const hasText = (text: string): Sql =>
  text === ""
    ? sql`true`
    : sql`strpos(lower(concat_ws(' ', array_to_string(l.cells, ' '), l.query->>'name', l.venue_name)), lower(${text})) > 0`;

/** Lower edges of the bands of scores. */
export const BANDS = [0, 0.5, 0.7, 0.9, 0.95];

export interface Facets {
  all: number;
  /** By value, the most frequent first. */
  reasons: [string, number][];
  towns: [string, number][];
  /** By how they stand to the previous edition; those that are as there are not counted. */
  editions: [string, number][];
  /** Listings in each of BANDS. */
  bands: number[];
  /** Listings in which each column is filled. */
  filled: number[];
}

interface Of {
  outcome: Outcome | undefined;
  text: string;
  filter: Filter;
}

/** Counts the listings that fit, by what else they have in common; for a large harmonization cached or undefined. */
export function facetsOf(db: Pick<Harmonizer, "pool">, h: Harmonization, of: Of): Promise<RecentResult<Facets>> {
  return recentResultOf(db.pool, h, `facets ${JSON.stringify(of)}`, () => count(db, h, of));
}

const STRETCH = 25_000;

async function count(db: Db, h: Harmonization, { outcome, text, filter }: Of): Promise<Facets> {
  const { id, acceptFrom, reviewFrom, listingCount, header, columns } = h;
  const townColumn = firstColumn(columns, "city") || null;
  const [reasons, towns, editions] = [
    new Map<string, Counted>(),
    new Map<string, Counted>(),
    new Map<string, Counted>(),
  ];
  const facets: Facets = {
    all: 0,
    reasons: [],
    towns: [],
    editions: [],
    bands: BANDS.map(() => 0),
    filled: header.map(() => 0),
  };
  await inStretches(listingCount, STRETCH, async (after, upTo) => {
    const found = sql`
      SELECT l.pattern, l.score, l.cells, l.edition
        FROM app.listing l, (SELECT ${acceptFrom}::real AS accept_from, ${reviewFrom}::real AS review_from) AS h
       WHERE l.harmonization_id = ${id} AND l.number > ${after} AND l.number <= ${upTo}
         AND ${hasOutcome(outcome)} AND ${hasText(text)} AND ${fitsFilter(filter)}`;
    const rows = await queryRows<{ facet: string; value: string; listings: number }>(db)`
        ${countsOf(found, townColumn)}`;
    for (const { facet, value, listings } of rows) {
      if (facet === "all") facets.all += listings;
      else if (facet === "reason") add(reasons, value, listings);
      else if (facet === "town") add(towns, value, listings);
      else if (facet === "edition") add(editions, value, listings);
      else {
        const numbers = facet === "band" ? facets.bands : facets.filled;
        const at = Number(value) - 1;
        if (numbers[at] !== undefined) numbers[at] += listings;
      }
    }
  });
  return { ...facets, reasons: mostFrequent(reasons), towns: mostFrequent(towns), editions: mostFrequent(editions) };
}

interface Counted {
  value: string;
  listings: number;
}

function add(counts: Map<string, Counted>, value: string, listings: number): void {
  const known = counts.get(value.toLowerCase());
  if (known) known.listings += listings;
  else counts.set(value.toLowerCase(), { value, listings });
}

const MOST_VALUES = 12;

const mostFrequent = (counts: Map<string, Counted>): [string, number][] =>
  [...counts.values()]
    .sort((a, b) => b.listings - a.listings || (a.value < b.value ? -1 : 1))
    .slice(0, MOST_VALUES)
    .map(({ value, listings }) => [value, listings]);

const countsOf = (found: Sql, townColumn: number | null): Sql => sql`
  WITH found AS MATERIALIZED (${found})
  SELECT 'all' AS facet, '' AS value, count(*)::int AS listings FROM found
  UNION ALL SELECT 'reason', replace(replace(reason, '++', '+'), '--', '-'), count(*)::int
    FROM found, string_to_table(pattern, ' ') AS reason WHERE reason <> '' GROUP BY 2
  UNION ALL SELECT 'town', min(town), count(*)::int
    FROM (SELECT btrim(cells[${townColumn}::int]) AS town FROM found) AS each WHERE town <> '' GROUP BY lower(town)
  UNION ALL SELECT 'edition', edition->>'is', count(*)::int FROM found WHERE edition->>'is' IS NOT NULL GROUP BY 2
  UNION ALL SELECT 'band', width_bucket(score, ${BANDS}::real[])::text, count(*)::int FROM found WHERE score IS NOT NULL GROUP BY 2
  UNION ALL SELECT 'column', at::text, count(*)::int FROM found, unnest(cells) WITH ORDINALITY AS each(cell, at)
   WHERE btrim(cell) <> '' GROUP BY 2`;
