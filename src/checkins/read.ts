import type { Pool } from "pg";
import { type CheckinFilter, checkinsOf, LOCAL } from "./filter.ts";

type Database = { pool: Pick<Pool, "query"> };

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

const COLUMNS = `id, extract(epoch FROM at)::float8 AS seconds, time_zone_offset AS "timeZoneOffset", shout,
  venue_id AS "venueId", venue_name AS "venueName", address, town, category, credit, lat, lng, editable IS TRUE AS "isEditable"`;

interface PageOf {
  limit: number;
  offset: number;
}

/** Newest first. */
export async function readCheckins(
  { pool }: Database,
  accountId: string,
  filter: CheckinFilter,
  { limit, offset }: PageOf,
): Promise<StoredCheckin[]> {
  const mine = checkinsOf(accountId, filter);
  const { rows } = await pool.query<StoredCheckin>({
    name: "checkins",
    text: `SELECT ${COLUMNS} FROM ${mine.from} ORDER BY at DESC, id DESC LIMIT $7 OFFSET $8`,
    values: [...mine.values, limit, offset],
  });
  return rows;
}

export async function readCheckin(
  { pool }: Database,
  accountId: string,
  id: string,
): Promise<StoredCheckin | undefined> {
  const { rows } = await pool.query<StoredCheckin>({
    name: "checkin",
    text: `SELECT ${COLUMNS} FROM app.copied_checkin WHERE account_id = $1 AND id = $2`,
    values: [accountId, id],
  });
  return rows[0];
}

const AT_A_TIME = 1000;

/** Yields all, newest first, in pieces. */
export async function* readAllCheckins(
  { pool }: Database,
  accountId: string,
  filter: CheckinFilter,
): AsyncGenerator<StoredCheckin[]> {
  const mine = checkinsOf(accountId, filter);
  let last: { at: string; id: string } | undefined;
  for (;;) {
    const { rows } = await pool.query<StoredCheckin & { at: string }>({
      name: "checkins-all",
      text: `SELECT ${COLUMNS}, at::text FROM ${mine.from} AND ($7::timestamptz IS NULL OR (at, id) < ($7, $8))
              ORDER BY at DESC, id DESC LIMIT ${AT_A_TIME}`,
      values: [...mine.values, last?.at ?? null, last?.id ?? null],
    });
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (!last || rows.length < AT_A_TIME) return;
  }
}

/** Counts those after a local date, 2026-03-04: where that date is in the list. */
export async function countAfter(
  { pool }: Database,
  accountId: string,
  filter: CheckinFilter,
  date: string,
): Promise<number> {
  const mine = checkinsOf(accountId, filter);
  const { rows } = await pool.query<{ count: number }>({
    name: "checkins-after",
    text: `SELECT count(*)::int AS count FROM ${mine.from} AND ${LOCAL} >= $7::date + 1`,
    values: [...mine.values, date],
  });
  return rows[0]?.count ?? 0;
}
