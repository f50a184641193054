import { OUTCOME, type Parameter } from "../run/rows.ts";

export const QUEUES = ["review", "none", "matched", "failed", "skipped"] as const;
export type Show = (typeof QUEUES)[number];

interface Of {
  run: Parameter;
}

// Subqueries, evaluated once per statement, so that an index can be searched by the cuts.
const acceptOf = ({ run }: Of): string => `(SELECT accept_from FROM app.harmonization WHERE id = ${run})`;
const reviewOf = ({ run }: Of): string => `(SELECT review_from FROM app.harmonization WHERE id = ${run})`;
const outcomeIn = (of: Of): string =>
  OUTCOME.replaceAll("h.accept_from", acceptOf(of)).replaceAll("h.review_from", reviewOf(of));

// `IS TRUE` keeps PostgreSQL from using an index: rows are found by another condition.
export const isIn = (show: Show, of: Of): string =>
  `(l.decision IS NULL AND ${show === "skipped" ? "l.skipped_at IS NOT NULL" : `${outcomeIn(of)} = '${show}'`}) IS TRUE`;

export const wasIn = (show: Show, of: Of): string =>
  show === "skipped" ? "false" : `${outcomeIn(of).replaceAll("l.decision", "NULL")} = '${show}'`;

/** A range of an index that covers a queue. Unless `isScored`, it also holds listings of another queue. */
interface Stretch {
  where: string;
  isScored: boolean;
}

export function stretchesOf(show: Show, of: Of): Stretch[] {
  const scored = scoredOf(of)[show].map((where) => ({ where, isScored: true }));
  return show === "review" || show === "none" ? [...scored, ...UNSCORED] : scored;
}

export const inStretch = (show: Show, { where }: Stretch, most: number, { run }: Of): string =>
  `(SELECT l.* FROM app.listing l WHERE l.harmonization_id = ${run} AND l.decision IS NULL AND ${where}
     ORDER BY ${show === "skipped" ? "l.skipped_at" : "l.decision, l.is_clear, l.score"} LIMIT ${most}) AS l`;

function scoredOf(of: Of): Record<Show, string[]> {
  const [accept, review] = [acceptOf(of), reviewOf(of)];
  return {
    review: [
      `l.status = 'asked' AND NOT l.is_clear AND l.score >= ${review}`,
      `l.status = 'asked' AND l.is_clear AND l.score >= ${review} AND l.score < ${accept}`,
    ],
    none: ["NOT l.is_clear", "l.is_clear"].map((clear) => `l.status = 'asked' AND ${clear} AND l.score < ${review}`),
    matched: [`l.status = 'asked' AND l.is_clear AND l.score >= ${accept}`],
    failed: ["l.status = 'failed'"],
    skipped: ["l.skipped_at IS NOT NULL"],
  };
}

// No candidates, or candidates of a directory without scores.
const UNSCORED = ["NOT l.is_clear", "l.is_clear"].map((clear) => ({
  where: `l.status = 'asked' AND ${clear} AND l.score IS NULL`,
  isScored: false,
}));
