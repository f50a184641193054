import { joinSql, prepared, queryRow, rawSql, type Sql, sql } from "../../db/sql.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import { type Filter, fitsFilter, type Sort, sortKey } from "./filter.ts";
import { isFree, takenBy } from "./locks.ts";
import { inStretch, isInQueue, type Show, stretchesOf, wasInQueue } from "./stretches.ts";

type Deps = Pick<Harmonizer, "pool">;

interface Reviewing {
  h: Harmonization;
  person: Person;
  queue: ReviewQueue;
  /** Nothing is locked for somebody who may only look, and nothing put off. */
  looksOnly?: boolean;
}

export interface ReviewQueue {
  show: Show;
  /** By default the order of the file. */
  sort?: Sort | undefined;
  filter?: Filter | undefined;
}

export const REASON_PATTERN = /^[A-Za-z]{1,40}(\+{1,2}|-{1,2})$/;

const AT_A_TIME = 20_000;

/**
 * Locks and returns the next listing of a queue: in its order from `after`, passing over locked ones, then those
 * skipped longest ago; in `matched` at random. Scans the whole file only if neither nearby numbers nor the index lead
 * to one. Of a queue longer than AT_A_TIME so many are sorted.
 */
export async function nextListing(deps: Deps, reviewing: Reviewing, after = 0): Promise<number | undefined> {
  const { h, queue } = reviewing;
  const from = queue.show === "matched" && !queue.sort ? Math.floor(Math.random() * h.listingCount) : after;
  const take = (stage: keyof typeof STAGES, at = from) => takeOne(deps, reviewing, stage, at);
  if (queue.show === "skipped") return take("late");
  const near = queue.sort ? undefined : await take("near");
  const found = near ?? (await take("open")) ?? (await take("late"));
  if (found !== undefined || !(await isLong(deps, h, queue))) return found;
  const far = [...steps(from + AT_A_TIME, h.listingCount), ...steps(0, from)];
  for (const at of far) {
    const number = await take("near", at);
    if (number !== undefined) return number;
  }
  return undefined;
}

async function isLong(db: Deps, { id }: Harmonization, { show }: ReviewQueue): Promise<boolean> {
  const counts = stretchesOf(show, id).map(
    (stretch) => sql`(SELECT count(*) FROM ${inStretch(show, stretch, AT_A_TIME, id)})`,
  );
  const row = await queryRow<{ isLong: boolean }>(prepared(db))`
    SELECT greatest(${joinSql(counts)})::int = ${rawSql(AT_A_TIME)} AS "isLong"`;
  return row?.isLong ?? false;
}

const steps = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / AT_A_TIME)) }, (_, step) => from + step * AT_A_TIME);

async function takeOne(
  db: Deps,
  { h: { id }, person, queue: { show, sort, filter = {} }, looksOnly = false }: Reviewing,
  stage: keyof typeof STAGES,
  after: number,
): Promise<number | undefined> {
  const isMine = looksOnly ? sql`true` : sql`l.adding IS NULL AND ${isFree(person.id)}`;
  const isOpen = sql`${isInQueue(show, id)} AND ${isMine} AND ${fitsFilter(filter)}`;
  const isInTurn = looksOnly ? sql`true` : sql`l.skipped_at IS NULL`;
  const { where, order } = STAGES[stage]({ id, show, sort, isOpen, isInTurn, after });
  const first = sql`SELECT l.number FROM app.listing l WHERE l.harmonization_id = ${id} AND ${where} AND ${isOpen}
       ORDER BY ${order} LIMIT 1`;
  const found = looksOnly
    ? queryRow<{ number: number }>(prepared(db))`${first}`
    : queryRow<{ number: number }>(prepared(db))`
    UPDATE app.listing SET ${takenBy(person.id)} WHERE harmonization_id = ${id} AND number = (
      ${first} FOR UPDATE OF l SKIP LOCKED)
      RETURNING number`;
  return (await found)?.number;
}

/** Others may lock as many at this moment. */
const MOST_TAKEN = 20;

interface Stage {
  id: string;
  show: Show;
  sort: Sort | undefined;
  isOpen: Sql;
  /** It was not put off. */
  isInTurn: Sql;
  after: number;
}

const STAGES = {
  near: ({ isInTurn, after }: Stage) => ({
    where: sql`l.number > ${after} AND l.number <= ${after + AT_A_TIME} AND ${isInTurn}`,
    order: sql`l.number`,
  }),
  open({ id, show, sort, isOpen, isInTurn, after }: Stage) {
    const listings = stretchesOf(show, id).map(
      (stretch) => sql`SELECT l.* FROM ${inStretch(show, stretch, AT_A_TIME, id)} WHERE ${isInTurn} AND ${isOpen}`,
    );
    const key = sortKey(sort);
    const isPast = sort
      ? sql`coalesce((${key}) <= (SELECT ${key} FROM app.listing l WHERE l.harmonization_id = ${id} AND l.number = ${after}), false)`
      : sql`l.number <= ${after}`;
    const first = sql`SELECT l.number FROM (${joinSql(listings, " UNION ALL ")}) AS l
      ORDER BY ${isPast}, ${key} LIMIT ${rawSql(MOST_TAKEN)}`;
    return { where: sql`l.number = ANY(ARRAY(${first})) AND ${isInTurn}`, order: sql`${isPast}, ${key}` };
  },
  late: ({ after }: Stage) => ({
    where: sql`l.number <> ${after} AND l.decision IS NULL AND l.skipped_at IS NOT NULL`,
    order: sql`l.skipped_at, l.number`,
  }),
};

export const MOST_COUNTED = 10_000;

/** Counts decided and remaining listings of a queue. MOST_COUNTED + 1 stands for more than were counted. */
export async function countQueue(db: Deps, { id }: Pick<Harmonization, "id">, { show, filter = {} }: ReviewQueue) {
  const has = fitsFilter(filter);
  const many = rawSql(MOST_COUNTED + 1);
  const counts = stretchesOf(show, id).map(
    (stretch) => sql`
      SELECT ${rawSql(`${stretch.isScored}`)} AS is_scored, count(*) AS seen, count(*) FILTER (WHERE ${isInQueue(show, id)} AND ${has}) AS found
        FROM ${inStretch(show, stretch, MOST_COUNTED + 1, id)}`,
  );
  const counted = await queryRow<{ decided: number; left: number }>(prepared(db))`
    WITH steps AS MATERIALIZED (SELECT number FROM app.decision_step WHERE harmonization_id = ${id} AND undone_at IS NULL
                ORDER BY account_id, id LIMIT ${many})
      SELECT (SELECT CASE WHEN bool_or(seen = ${many} AND (is_scored OR found > 0)) THEN ${many} ELSE least(sum(found), ${many}) END::int
                FROM (${joinSql(counts, " UNION ALL ")}) AS counted) AS left,
             CASE WHEN (SELECT count(*) FROM steps) = ${many} THEN ${many}
               ELSE (SELECT count(DISTINCT s.number)::int FROM steps s
                       JOIN app.listing l ON l.harmonization_id = ${id} AND l.number = s.number
                      WHERE l.decided_how IN ('person', 'family') AND ${wasInQueue(show, id)} AND ${has}) END AS decided`;
  return counted ?? { decided: 0, left: 0 };
}
