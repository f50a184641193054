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
export const LOCAL = "(at AT TIME ZONE 'UTC' + time_zone_offset * interval '1 minute')";

/** A person's check-ins for FROM, with their `values`, the first six: the statement's own follow them. */
export function checkinsOf(accountId: string, filter: CheckinFilter): { from: string; values: unknown[] } {
  const { text, when, category, town } = filter;
  const [from, until] = when ? bounds(when) : [];
  const pattern = text && `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return {
    from: `app.copied_checkin WHERE account_id = $1
      AND ($2::text IS NULL OR concat_ws(' ', venue_name, address, town, category, shout) ILIKE $2)
      AND ($3::timestamp IS NULL OR (${LOCAL} >= $3 AND ${LOCAL} < $4))
      AND ($5::text IS NULL OR category = $5) AND ($6::text IS NULL OR town = $6)`,
    values: [accountId, ...[pattern, from, until, category, town].map((value) => value || null)],
  };
}

function bounds(when: string): [from: string, until: string] {
  const [year = 0, month] = when.split("-").map(Number);
  const first = (y: number, m: number) => new Date(Date.UTC(y, m - 1)).toISOString().slice(0, 10);
  return month ? [first(year, month), first(year, month + 1)] : [first(year, 1), first(year + 1, 1)];
}
