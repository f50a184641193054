import { type Db, prepared, queryRows, type Sql, sql } from "../db/sql.ts";

export interface Count<Key> {
  key: Key;
  count: number;
}

export interface Counts {
  all: number;
  /** The commonest first; null for check-ins without one. */
  categories: Count<string | null>[];
  towns: Count<string | null>[];
  /** `2026-03`, the newest first. */
  months: Count<string>[];
  /** 1 (Monday) to 7. */
  weekdays: Count<number>[];
  /** 0 to 23. */
  hours: Count<number>[];
}

interface CountRow {
  /** Bits of the columns that are not grouped by. */
  kind: number;
  category: string | null;
  town: string | null;
  month: string | null;
  weekday: number | null;
  hour: number | null;
  count: number;
}

/** Counts in one reading of the check-ins. Those without a time are in no month, weekday and hour. */
export async function countCheckins(db: Db, accountId: string, filter: CheckinFilter): Promise<Counts> {
  const rows = await queryRows<CountRow>(prepared(db))`
    WITH mine AS (
             SELECT category, town, CASE WHEN isfinite(at) THEN to_char(${LOCAL}, 'YYYY-MM') END AS month,
                    extract(isodow FROM ${LOCAL})::int AS weekday, extract(hour FROM ${LOCAL})::int AS hour
               FROM ${checkinsOf(accountId, filter)})
           SELECT grouping(category, town, month, weekday, hour) AS kind, category, town, month, weekday, hour,
                  count(*)::int AS count
             FROM mine GROUP BY GROUPING SETS ((category), (town), (month), (weekday), (hour), ())
            ORDER BY count DESC, category, town`;
  const by = <Key>(name: keyof CountRow, kind: number) =>
    rows.flatMap((row) => (row.kind === kind ? [{ key: row[name] as Key, count: row.count }] : []));
  const known = <Key>(counts: Count<Key>[]) => counts.filter(({ key }) => key !== null);
  return {
    all: rows.find(({ kind }) => kind === 0b11111)?.count ?? 0,
    categories: by<string | null>("category", 0b01111),
    towns: by<string | null>("town", 0b10111),
    months: known(by<string>("month", 0b11011)).sort((a, b) => (a.key < b.key ? 1 : -1)),
    weekdays: known(by<number>("weekday", 0b11101)),
    hours: known(by<number>("hour", 0b11110)),
  };
}

export interface Streak {
  days: number;
  /** Local dates, such as 2026-03-04. */
  from: string;
  until: string;
}

/** The most days in a row with a check-in, and those that end today or yesterday. */
export async function findStreaks(
  db: Db,
  accountId: string,
  filter: CheckinFilter,
): Promise<{ longest: Streak | undefined; current: Streak | undefined }> {
  const rows = await queryRows<Streak & { isCurrent: boolean }>(prepared(db))`
    WITH days AS (
             SELECT ${LOCAL}::date AS day, max(time_zone_offset) AS east FROM ${checkinsOf(accountId, filter)} AND isfinite(at) GROUP BY 1),
           runs AS (
             SELECT count(*)::int AS days, min(day)::text AS from, max(day)::text AS until, max(day) AS last, max(east) AS east
               FROM (SELECT *, day - row_number() OVER (ORDER BY day)::int AS run FROM days) AS numbered GROUP BY run),
           marked AS (
             SELECT *, last >= (now() AT TIME ZONE 'UTC' + east * interval '1 minute')::date - 1 AS "isCurrent",
                    row_number() OVER (ORDER BY days DESC, last DESC) = 1 AS is_longest FROM runs)
           SELECT days, "from", until, "isCurrent" FROM marked WHERE is_longest OR "isCurrent"
            ORDER BY is_longest DESC, last DESC`;
  return { longest: rows[0], current: rows.find(({ isCurrent }) => isCurrent) };
}

interface VisitedPlace {
  id: string;
  name: string | null;
  town: string | null;
  category: string | null;
  /** The attribution of its source. */
  credit: string | null;
  lat: number | null;
  lng: number | null;
  count: number;
}

/** The most visited first. `all` counts those beyond `limit` too. */
export async function findPlaces(
  db: Db,
  accountId: string,
  filter: CheckinFilter,
  limit: number,
): Promise<{ all: number; places: VisitedPlace[] }> {
  const rows = await queryRows<VisitedPlace & { all: number }>(prepared(db))`
    SELECT venue_id AS id, max(venue_name) AS name, max(town) AS town, max(category) AS category, max(credit) AS credit,
                  max(lat) AS lat, max(lng) AS lng, count(*)::int AS count, (count(*) OVER ())::int AS all
             FROM ${checkinsOf(accountId, filter)} AND venue_id IS NOT NULL
            GROUP BY venue_id ORDER BY count(*) DESC, venue_id LIMIT ${limit}`;
  return { all: rows[0]?.all ?? 0, places: rows };
}

/** Which of a person's check-ins. */
export interface CheckinFilter {
  /** In the name of the venue, its address, town and category, or in the comment. */
  text?: string | undefined;
  /** `2026` or `2026-03`. */
  when?: string | undefined;
  category?: string | undefined;
  town?: string | undefined;
}

/** `at` on the clocks of the place. */
export const LOCAL = sql`(at AT TIME ZONE 'UTC' + time_zone_offset * interval '1 minute')`;

/** What follows FROM for a person's check-ins. Conditions may follow it. */
export function checkinsOf(accountId: string, filter: CheckinFilter): Sql {
  const { text, when } = filter;
  const category = filter.category || null;
  const town = filter.town || null;
  const [from = null, until = null] = when ? bounds(when) : [];
  const pattern = text ? `%${text.replace(/[\\%_]/g, "\\$&")}%` : null;
  return sql`app.copied_checkin WHERE account_id = ${accountId}
    AND (${pattern}::text IS NULL OR concat_ws(' ', venue_name, address, town, category, shout) ILIKE ${pattern})
    AND (${from}::timestamp IS NULL OR (${LOCAL} >= ${from} AND ${LOCAL} < ${until}))
    AND (${category}::text IS NULL OR category = ${category}) AND (${town}::text IS NULL OR town = ${town})`;
}

function bounds(when: string): [from: string, until: string] {
  const [year = 0, month] = when.split("-").map(Number);
  const first = (y: number, m: number) => new Date(Date.UTC(y, m - 1)).toISOString().slice(0, 10);
  return month ? [first(year, month), first(year, month + 1)] : [first(year, 1), first(year + 1, 1)];
}
