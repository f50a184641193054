import type { QueryResultRow } from "pg";
import type { Harmonization } from "../run/harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "../run/rows.ts";

/** How many there are, and the first of them, at most SHOWN. */
export interface Finding<T> {
  total: number;
  shown: T[];
}

/** Findings of each kind that are shown. */
export const SHOWN = 50;
/** Listings of a group that are shown. */
export const SHOWN_OF_GROUP = 8;

/** Where conflicts are looked for. */
export interface Look {
  /** A table in SQL, with `number`, `own_id`, `venue` (null unless matched), `lat` and `lng` of every listing. */
  from: string;
  /** A table in SQL, with each own id once: `own_id`, `here` (the first number that has it) and `venues` (its matches). */
  ids: string;
  /** Runs a statement over the two; it takes no parameters. */
  ask<R extends QueryResultRow>(text: string): Promise<R[]>;
}

/** A statement for `from` of a Look: the listings with numbers above `after`, up to `upTo`. */
export const lookAt = ({ id, acceptFrom, reviewFrom }: Harmonization, after: number, upTo: number): string => `
  SELECT l.number, l.own_id, CASE WHEN ${OUTCOME} = 'matched' THEN ${MATCHED_VENUE} END AS venue,
         (l.query -> 'll' ->> 'lat')::float8 AS lat, (l.query -> 'll' ->> 'lng')::float8 AS lng
    FROM app.listing l, (SELECT ${acceptFrom}::real AS accept_from, ${reviewFrom}::real AS review_from) AS h
   WHERE l.harmonization_id = '${id}' AND l.number > ${after} AND l.number <= ${upTo}`;

/** A statement for `ids` of a Look, by its `from`. */
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

/** Groups of at least `least` listings `l` with the same `key`, a text in SQL; the largest first. */
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
