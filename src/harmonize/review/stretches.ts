import { rawSql, type Sql, sql } from "../../db/sql.ts";
import { outcomeBy } from "../run/rows.ts";

/** By outcome; put off; `asked`: what waits for a person, decided or not, by `waitsFor` of a filter. */
export const QUEUES = ["review", "none", "matched", "failed", "skipped", "asked"] as const;
export type Show = (typeof QUEUES)[number];

// Subqueries, evaluated once per statement, so that an index can be searched by the cuts.
const acceptOf = (run: string): Sql => sql`(SELECT accept_from FROM app.harmonization WHERE id = ${run})`;
const reviewOf = (run: string): Sql => sql`(SELECT review_from FROM app.harmonization WHERE id = ${run})`;
const outcomeIn = (run: string, decision?: Sql): Sql =>
  outcomeBy({ acceptFrom: acceptOf(run), reviewFrom: reviewOf(run), decision });

// `IS TRUE` keeps PostgreSQL from using an index: rows are found by another condition.
export const isInQueue = (show: Show, run: string): Sql =>
  show === "asked"
    ? sql`true`
    : sql`(l.decision IS NULL AND ${show === "skipped" ? sql`l.skipped_at IS NOT NULL` : sql`${outcomeIn(run)} = ${rawSql(`'${show}'`)}`}) IS TRUE`;

export const wasInQueue = (show: Show, run: string): Sql =>
  show === "skipped" || show === "asked" ? sql`false` : sql`${outcomeIn(run, sql`NULL`)} = ${rawSql(`'${show}'`)}`;

/** A range of an index that covers a queue. Unless `isScored`, it also holds listings of another queue. */
interface Stretch {
  where: Sql;
  isScored: boolean;
}

export function stretchesOf(show: Show, run: string): Stretch[] {
  const scored = scoredOf(run)[show].map((where) => ({ where, isScored: true }));
  return show === "review" || show === "none" ? [...scored, ...UNSCORED] : scored;
}

export const inStretch = (show: Show, { where }: Stretch, most: number, run: string): Sql =>
  sql`(SELECT l.* FROM app.listing l WHERE l.harmonization_id = ${run} AND ${where}
     ${INDEXED[show] ?? sql`AND l.decision IS NULL ORDER BY l.decision, l.is_clear, l.score`} LIMIT ${rawSql(most)}) AS l`;

const INDEXED: Partial<Record<Show, Sql>> = {
  skipped: sql`AND l.decision IS NULL ORDER BY l.skipped_at`,
  asked: sql`ORDER BY l.number`,
};

function scoredOf(run: string): Record<Show, Sql[]> {
  const accept = acceptOf(run);
  const review = reviewOf(run);
  return {
    review: [
      sql`l.status = 'asked' AND NOT l.is_clear AND l.score >= ${review}`,
      sql`l.status = 'asked' AND l.is_clear AND l.score >= ${review} AND l.score < ${accept}`,
    ],
    none: CLEAR_OR_NOT.map((clear) => sql`l.status = 'asked' AND ${clear} AND l.score < ${review}`),
    matched: [sql`l.status = 'asked' AND l.is_clear AND l.score >= ${accept}`],
    failed: [sql`l.status = 'failed'`],
    skipped: [sql`l.skipped_at IS NOT NULL`],
    asked: [sql`l.number = ANY (ARRAY(SELECT n.number FROM app.note n WHERE n.harmonization_id = ${run}))`],
  };
}

const CLEAR_OR_NOT = [sql`NOT l.is_clear`, sql`l.is_clear`];

// No candidates, or candidates of a directory without scores.
const UNSCORED = CLEAR_OR_NOT.map((clear) => ({
  where: sql`l.status = 'asked' AND ${clear} AND l.score IS NULL`,
  isScored: false,
}));
