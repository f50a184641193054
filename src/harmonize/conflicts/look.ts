import type { QueryResultRow } from "pg";
import type { Harmonization } from "../run/harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "../run/rows.ts";

/** The total, and the first SHOWN. */
export interface Finding<T> {
  total: number;
  shown: T[];
}

export const SHOWN = 50;
export const SHOWN_OF_GROUP = 8;

export interface Look {
  /** SQL table: `number`, `own_id`, `venue` (null unless matched), `lat` and `lng` of every listing. */
  from: string;
  /** SQL table: each `own_id` with `here` (its first number) and `venues` (its matches). */
  ids: string;
  ask<R extends QueryResultRow>(text: string): Promise<R[]>;
}

/** Returns a statement for Look.from: the numbers above `after`, up to `upTo`. */
export const lookAt = ({ id, acceptFrom, reviewFrom }: Harmonization, after: number, upTo: number): string => `
  SELECT l.number, l.own_id, CASE WHEN ${OUTCOME} = 'matched' THEN ${MATCHED_VENUE} END AS venue,
         (l.query -> 'll' ->> 'lat')::float8 AS lat, (l.query -> 'll' ->> 'lng')::float8 AS lng
    FROM app.listing l, (SELECT ${acceptFrom}::real AS accept_from, ${reviewFrom}::real AS review_from) AS h
   WHERE l.harmonization_id = '${id}' AND l.number > ${after} AND l.number <= ${upTo}`;

export const idsOf = (from: string): string => `
  SELECT own_id, min(number) AS here, array_agg(venue) AS venues
    FROM ${from} AS l WHERE own_id IS NOT NULL AND venue IS NOT NULL GROUP BY own_id`;

export interface Group {
  key: string;
  count: number;
  numbers: number[];
}

export async function findGroups({ from, ask }: Look, key: string, least = 2): Promise<Finding<Group>> {
  const rows = await ask<Group & { total: number }>(`
    WITH groups AS MATERIALIZED (
      SELECT ${key} AS key, count(*)::int AS count FROM ${from} AS l WHERE ${key} IS NOT NULL GROUP BY 1 HAVING count(*) >= ${least}),
    shown AS MATERIALIZED (SELECT * FROM groups ORDER BY count DESC, key LIMIT ${SHOWN})
    SELECT s.key, s.count, (array_agg(l.number ORDER BY l.number))[1:${SHOWN_OF_GROUP}] AS numbers,
           (SELECT count(*)::int FROM groups) AS total
      FROM shown s JOIN ${from} AS l ON ${key} = s.key GROUP BY s.key, s.count ORDER BY s.count DESC, s.key`);
  return { total: rows[0]?.total ?? 0, shown: rows.map(({ key, count, numbers }) => ({ key, count, numbers })) };
}
