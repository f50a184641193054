import { type Db, queryRows, rawSql, type Sql, sql } from "../../db/sql.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "../run/rows.ts";

/** The total, and the first SHOWN. */
export interface Finding<T> {
  total: number;
  shown: T[];
}

export const MOST_SHOWN = 50;
const SHOWN_OF_GROUP = 8;

export interface Look {
  /** SQL table: `number`, `own_id`, `venue` (null unless matched), `lat` and `lng` of every listing. */
  from: Sql;
  /** SQL table: each `own_id` with `here` (its first number) and `venues` (its matches). */
  ids: Sql;
  db: Db;
}

/** Returns a statement for Look.from: the numbers above `after`, up to `upTo`. */
export const rowsLookedAt = ({ id, acceptFrom, reviewFrom }: Harmonization, after: number, upTo: number): Sql => sql`
  SELECT l.number, l.own_id, CASE WHEN ${OUTCOME} = 'matched' THEN ${MATCHED_VENUE} END AS venue,
         (l.query -> 'll' ->> 'lat')::float8 AS lat, (l.query -> 'll' ->> 'lng')::float8 AS lng
    FROM app.listing l, (SELECT ${rawSql(acceptFrom)}::real AS accept_from, ${rawSql(reviewFrom)}::real AS review_from) AS h
   WHERE l.harmonization_id = ${rawSql(`'${id}'`)} AND l.number > ${rawSql(after)} AND l.number <= ${rawSql(upTo)}`;

export const idsOf = (from: Sql): Sql => sql`
  SELECT own_id, min(number) AS here, array_agg(venue) AS venues
    FROM ${from} AS l WHERE own_id IS NOT NULL AND venue IS NOT NULL GROUP BY own_id`;

export interface Group {
  key: string;
  count: number;
  numbers: number[];
}

export async function findGroups({ db, from }: Look, key: Sql, least = 2): Promise<Finding<Group>> {
  const rows = await queryRows<Group & { total: number }>(db)`
    WITH groups AS MATERIALIZED (
      SELECT ${key} AS key, count(*)::int AS count FROM ${from} AS l WHERE ${key} IS NOT NULL GROUP BY 1 HAVING count(*) >= ${least}),
    shown AS MATERIALIZED (SELECT * FROM groups ORDER BY count DESC, key LIMIT ${MOST_SHOWN})
    SELECT s.key, s.count, (array_agg(l.number ORDER BY l.number))[1:${SHOWN_OF_GROUP}] AS numbers,
           (SELECT count(*)::int FROM groups) AS total
      FROM shown s JOIN ${from} AS l ON ${key} = s.key GROUP BY s.key, s.count ORDER BY s.count DESC, s.key`;
  return { total: rows[0]?.total ?? 0, shown: rows.map(({ key, count, numbers }) => ({ key, count, numbers })) };
}
