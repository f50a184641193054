import { OUTCOME, type Parameter } from "../run/rows.ts";

/** Undecided listings that are looked at one after another, by their outcome, or those that were put off. */
export const QUEUES = ["review", "none", "matched", "failed", "skipped"] as const;
export type Show = (typeof QUEUES)[number];

/** The harmonization, a parameter of the statement. */
interface Of {
  run: Parameter;
}

/** The cuts of a harmonization, in SQL: read once a statement, so that an index can be searched by them. */
const acceptOf = ({ run }: Of): string => `(SELECT accept_from FROM app.harmonization WHERE id = ${run})`;
const reviewOf = ({ run }: Of): string => `(SELECT review_from FROM app.harmonization WHERE id = ${run})`;
const outcomeIn = (of: Of): string =>
  OUTCOME.replaceAll("h.accept_from", acceptOf(of)).replaceAll("h.review_from", reviewOf(of));

/** Whether a listing `l` of a harmonization is in a queue, in SQL. No index fits it: rows are to be found by something else. */
export const isIn = (show: Show, of: Of): string =>
  `(l.decision IS NULL AND ${show === "skipped" ? "l.skipped_at IS NOT NULL" : `${outcomeIn(of)} = '${show}'`}) IS TRUE`;

/** The same without the decision that it has. */
export const wasIn = (show: Show, of: Of): string =>
  show === "skipped" ? "false" : `${outcomeIn(of).replaceAll("l.decision", "NULL")} = '${show}'`;

/** A stretch of an index, in SQL, where a queue's listings are. Unless `isScored` those of another may be there, too. */
interface Stretch {
  where: string;
  isScored: boolean;
}

/** The stretches that hold a whole queue. Most of a file is in none of them: of a million perhaps a hundred are to review. */
export function stretchesOf(show: Show, of: Of): Stretch[] {
  const scored = scoredOf(of)[show].map((where) => ({ where, isScored: true }));
  return show === "review" || show === "none" ? [...scored, ...UNSCORED] : scored;
}

/** In SQL the undecided listings `l` of a stretch, not more than `most`, in the order of the index, which leads to them so. */
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

/** Nothing is like them; or a directory without scores has what may be. */
const UNSCORED = ["NOT l.is_clear", "l.is_clear"].map((clear) => ({
  where: `l.status = 'asked' AND ${clear} AND l.score IS NULL`,
  isScored: false,
}));
