import { type Db, prepared, queryRow, queryRows, rawSql, sql } from "../db/sql.ts";
import { type CheckinFilter, checkinsOf, LOCAL } from "./figures.ts";

export interface StoredCheckin {
  id: string;
  /** Since the epoch; -Infinity if the directory gives no possible time. */
  seconds: number;
  /** Minutes east of UTC. */
  timeZoneOffset: number;
  shout: string | null;
  venueId: string | null;
  venueName: string | null;
  address: string | null;
  town: string | null;
  category: string | null;
  /** The attribution of the venue's source. */
  credit: string | null;
  lat: number | null;
  lng: number | null;
  /** Whether the directory lets the person edit and delete it here. */
  isEditable: boolean;
}

const COLUMNS = sql`id, extract(epoch FROM at)::float8 AS seconds, time_zone_offset AS "timeZoneOffset", shout,
  venue_id AS "venueId", venue_name AS "venueName", address, town, category, credit, lat, lng, editable IS TRUE AS "isEditable"`;

interface PageOf {
  limit: number;
  offset: number;
}

/** Newest first. */
export async function readCheckins(
  db: Db,
  accountId: string,
  filter: CheckinFilter,
  { limit, offset }: PageOf,
): Promise<StoredCheckin[]> {
  return queryRows<StoredCheckin>(prepared(db))`
    SELECT ${COLUMNS} FROM ${checkinsOf(accountId, filter)} ORDER BY at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`;
}

export async function readCheckin(db: Db, accountId: string, id: string): Promise<StoredCheckin | undefined> {
  return queryRow<StoredCheckin>(prepared(db))`
    SELECT ${COLUMNS} FROM app.copied_checkin WHERE account_id = ${accountId} AND id = ${id}`;
}

const AT_A_TIME = 1000;

/** Yields all, newest first, in pieces. */
export async function* readAllCheckins(
  db: Db,
  accountId: string,
  filter: CheckinFilter,
): AsyncGenerator<StoredCheckin[]> {
  const mine = checkinsOf(accountId, filter);
  let last: { at: string; id: string } | undefined;
  for (;;) {
    const { at = null, id = null } = last ?? {};
    const rows: (StoredCheckin & { at: string })[] = await queryRows<StoredCheckin & { at: string }>(prepared(db))`
      SELECT ${COLUMNS}, at::text FROM ${mine} AND (${at}::timestamptz IS NULL OR (at, id) < (${at}, ${id}))
       ORDER BY at DESC, id DESC LIMIT ${rawSql(AT_A_TIME)}`;
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (!last || rows.length < AT_A_TIME) return;
  }
}

/** Counts those after a local date, 2026-03-04: where that date is in the list. */
export async function countAfter(db: Db, accountId: string, filter: CheckinFilter, date: string): Promise<number> {
  const row = await queryRow<{ count: number }>(prepared(db))`
    SELECT count(*)::int AS count FROM ${checkinsOf(accountId, filter)} AND ${LOCAL} >= ${date}::date + 1`;
  return row?.count ?? 0;
}
