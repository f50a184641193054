import type { QueryResultRow } from "pg";
import type { Harmonization } from "./harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "./rows.ts";

/** How many there are, and the first of them, at most SHOWN. */
export interface Found<T> {
  total: number;
  shown: T[];
}

/** Findings of a kind that are shown, and listings of a group. */
export const SHOWN = 50;
export const SHOWN_OF_GROUP = 8;

/**
 * Where conflicts are looked for: `from`, in SQL, has `number`, `own_id`, `venue` (null unless it is matched), `lat` and `lng`
 * of every listing; `ask` runs statements over it, whose parameters are its own.
 */
export interface Look {
  from: string;
  /** In SQL each own id once: `own_id`, `here`, the first number that has it, and `venues`, those it is matched with. */
  ids: string;
  ask<R extends QueryResultRow>(text: string): Promise<R[]>;
}

/** The listings as a Look has them, in SQL; those with numbers behind `after`, up to `upTo`. */
export const lookAt = ({ id, acceptFrom, reviewFrom }: Harmonization, after: number, upTo: number): string => `
  SELECT l.number, l.own_id, CASE WHEN ${OUTCOME} = 'matched' THEN ${MATCHED_VENUE} END AS venue,
         (l.query -> 'll' ->> 'lat')::float8 AS lat, (l.query -> 'll' ->> 'lng')::float8 AS lng
    FROM app.listing l, (SELECT ${acceptFrom}::real AS accept_from, ${reviewFrom}::real AS review_from) AS h
   WHERE l.harmonization_id = '${id}' AND l.number > ${after} AND l.number <= ${upTo}`;

/** The ids as a Look has them, of the listings that it has, in SQL. */
export const idsOf = (from: string): string => `
  SELECT own_id, min(number) AS here, array_agg(venue) AS venues
    FROM ${from} AS l WHERE own_id IS NOT NULL AND venue IS NOT NULL GROUP BY own_id`;

/** Listings that have the same `key`. */
export interface Group {
  key: string;
  count: number;
  /** The first of them, at most SHOWN_OF_GROUP. */
  numbers: number[];
}

/** Listings `l` that have the same `key`, a text in SQL, `least` of them or more; the largest groups first. */
export async function findGroups({ from, ask }: Look, key: string, least = 2): Promise<Found<Group>> {
  const rows = await ask<Group & { total: number }>(`
    WITH groups AS MATERIALIZED (
      SELECT ${key} AS key, count(*)::int AS count FROM ${from} AS l WHERE ${key} IS NOT NULL GROUP BY 1 HAVING count(*) >= ${least}),
    shown AS MATERIALIZED (SELECT * FROM groups ORDER BY count DESC, key LIMIT ${SHOWN})
    SELECT s.key, s.count, (array_agg(l.number ORDER BY l.number))[1:${SHOWN_OF_GROUP}] AS numbers,
           (SELECT count(*)::int FROM groups) AS total
      FROM shown s JOIN ${from} AS l ON ${key} = s.key GROUP BY s.key, s.count ORDER BY s.count DESC, s.key`);
  return { total: rows[0]?.total ?? 0, shown: rows.map(({ key, count, numbers }) => ({ key, count, numbers })) };
}
