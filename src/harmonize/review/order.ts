import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import type { Parameter } from "../run/rows.ts";
import { isFree, takenBy } from "./locks.ts";
import { inStretch, isIn, type Show, stretchesOf, wasIn } from "./stretches.ts";

type Deps = Pick<Harmonizer, "pool">;

export interface Reviewing {
  h: Harmonization;
  person: Person;
  queue: ReviewQueue;
}

export interface ReviewQueue {
  show: Show;
  /** Only listings whose pattern contains this: `phone-`, or `phone--` for strong evidence. */
  reason?: string | undefined;
}

export const REASON = /^[A-Za-z]{1,40}(\+{1,2}|-{1,2})$/;

// In every statement here, $1 is the harmonization.
const RUN = { run: "$1" } as const;

const AT_A_TIME = 20_000;

/**
 * Locks and returns the next listing of a queue: in file order from `after`, passing over locked ones, then those
 * skipped longest ago; in `matched` at random. Scans the whole file only if neither nearby numbers nor the index lead
 * to one.
 */
export async function nextListing(deps: Deps, reviewing: Reviewing, after = 0): Promise<number | undefined> {
  const { h, queue } = reviewing;
  const from = queue.show === "matched" ? Math.floor(Math.random() * h.listingCount) : after;
  const take = (stage: keyof typeof STAGES, at = from) => takeOne(deps, reviewing, stage, at);
  if (queue.show === "skipped") return take("late");
  const found = (await take("near")) ?? (await take("open")) ?? (await take("late"));
  if (found !== undefined || !(await isLong(deps, h, queue))) return found;
  const far = [...steps(from + AT_A_TIME, h.listingCount), ...steps(0, from)];
  for (const at of far) {
    const number = await take("near", at);
    if (number !== undefined) return number;
  }
  return undefined;
}

async function isLong({ pool }: Deps, { id }: Harmonization, { show }: ReviewQueue): Promise<boolean> {
  const counts = stretchesOf(show, RUN).map(
    (stretch) => `(SELECT count(*) FROM ${inStretch(show, stretch, AT_A_TIME, RUN)})`,
  );
  const { rows } = await pool.query<{ isLong: boolean }>({
    name: `review-is-long-${show}`,
    text: `SELECT greatest(${counts.join(", ")}) = ${AT_A_TIME} AS "isLong"`,
    values: [id],
  });
  return rows[0]?.isLong ?? false;
}

const steps = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / AT_A_TIME)) }, (_, step) => from + step * AT_A_TIME);

async function takeOne(
  { pool }: Deps,
  { h: { id }, person, queue: { show, reason } }: Reviewing,
  stage: keyof typeof STAGES,
  at: number,
): Promise<number | undefined> {
  const fits = `${isIn(show, RUN)} AND l.adding IS NULL AND ${isFree({ person: "$2" })} AND ${hasReason(reason, "$4")}`;
  const { where, order } = STAGES[stage](show, fits);
  const { rows } = await pool.query<{ number: number }>({
    name: `review-next-${show}-${stage}${reason ? "-reason" : ""}`,
    text: `UPDATE app.listing SET ${takenBy("$2")} WHERE harmonization_id = $1 AND number = (
      SELECT l.number FROM app.listing l WHERE l.harmonization_id = $1 AND ${where} AND ${fits}
       ORDER BY ${order} LIMIT 1 FOR UPDATE OF l SKIP LOCKED)
      RETURNING number`,
    values: [id, person.id, at, ...(reason ? [reason] : [])],
  });
  return rows[0]?.number;
}

/** Others may lock as many at this moment. */
const MOST_TAKEN = 20;

const STAGES = {
  near: () => ({
    where: `l.number > $3 AND l.number <= $3 + ${AT_A_TIME} AND l.skipped_at IS NULL`,
    order: "l.number",
  }),
  open(show: Show, fits: string) {
    const numbers = stretchesOf(show, RUN)
      .map(
        (stretch) =>
          `SELECT l.number FROM ${inStretch(show, stretch, AT_A_TIME, RUN)} WHERE l.skipped_at IS NULL AND ${fits}`,
      )
      .join(" UNION ALL ");
    const first = `SELECT number FROM (${numbers}) AS found ORDER BY number <= $3, number LIMIT ${MOST_TAKEN}`;
    return { where: `l.number = ANY(ARRAY(${first})) AND l.skipped_at IS NULL`, order: "l.number <= $3, l.number" };
  },
  late: () => ({
    where: "l.number <> $3 AND l.decision IS NULL AND l.skipped_at IS NOT NULL",
    order: "l.skipped_at, l.number",
  }),
};

// `parameter` matches REASON, so it contains no LIKE wildcards.
const hasReason = (reason: string | undefined, parameter: Parameter): string =>
  reason ? `' ' || l.pattern LIKE '% ' || ${parameter} || '%'` : "true";

export const MOST_COUNTED = 10_000;

/** Counts decided and remaining listings of a queue. MOST_COUNTED + 1 stands for more than were counted. */
export async function countQueue({ pool }: Deps, { id }: Pick<Harmonization, "id">, { show, reason }: ReviewQueue) {
  const has = hasReason(reason, "$2");
  const many = MOST_COUNTED + 1;
  const counts = stretchesOf(show, RUN).map(
    (
      stretch,
    ) => `SELECT ${stretch.isScored} AS is_scored, count(*) AS seen, count(*) FILTER (WHERE ${isIn(show, RUN)} AND ${has}) AS found
      FROM ${inStretch(show, stretch, many, RUN)}`,
  );
  const { rows } = await pool.query<{ decided: number; left: number }>({
    name: `review-count-${show}${reason ? "-reason" : ""}`,
    text: `WITH steps AS MATERIALIZED (SELECT number FROM app.decision_step WHERE harmonization_id = $1 AND undone_at IS NULL
                ORDER BY account_id, id LIMIT ${many})
      SELECT (SELECT CASE WHEN bool_or(seen = ${many} AND (is_scored OR found > 0)) THEN ${many} ELSE least(sum(found), ${many}) END::int
                FROM (${counts.join(" UNION ALL ")}) AS counted) AS left,
             CASE WHEN (SELECT count(*) FROM steps) = ${many} THEN ${many}
               ELSE (SELECT count(DISTINCT s.number)::int FROM steps s
                       JOIN app.listing l ON l.harmonization_id = $1 AND l.number = s.number
                      WHERE l.decided_how IN ('person', 'family') AND ${wasIn(show, RUN)} AND ${has}) END AS decided`,
    values: [id, ...(reason ? [reason] : [])],
  });
  return rows[0] ?? { decided: 0, left: 0 };
}
