import { type Sql, sql } from "../db/sql.ts";
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
