import type { Harmonizer } from "./deps.ts";
import type { Harmonization, Person } from "./harmonizations.ts";
import { IS_FREE, TAKE } from "./locks.ts";
import { OUTCOME } from "./rows.ts";

type Deps = Pick<Harmonizer, "pool">;

/** Undecided listings that are looked at one after another, by their outcome, or those that were put off. */
export const QUEUES = ["review", "none", "matched", "failed", "skipped"] as const;

export interface Queue {
  show: (typeof QUEUES)[number];
  /** Only listings with this in the pattern of their best candidate: `phone-` or, for what counts much, `phone--`. */
  reason?: string | undefined;
}

/** What a `reason` looks like. */
export const REASON = /^[A-Za-z]{1,40}(\+{1,2}|-{1,2})$/;

/**
 * The next of the queue, locked for this person: by number from `after` on and around, passing over what others have, and
 * only then what was put off, longest ago first. Of those that the cut accepts, one by chance: a few of them are a sample.
 */
export async function nextListing(
  { pool }: Deps,
  h: Harmonization,
  person: Person,
  { show, reason }: Queue,
  after = 0,
): Promise<number | undefined> {
  const from = show === "matched" ? Math.floor(Math.random() * h.listingCount) : after;
  for (const [stage, where] of stagesOf(show)) {
    const { rows } = await pool.query<{ number: number }>({
      name: `review-next-${show}-${stage}${reason ? "-reason" : ""}`,
      text: `UPDATE app.listing SET ${TAKE} WHERE harmonization_id = $1 AND number = (
        SELECT l.number FROM app.listing l JOIN app.harmonization h ON h.id = l.harmonization_id
         WHERE l.harmonization_id = $1 AND ${isIn(show)} AND l.adding IS NULL AND ${IS_FREE} AND l.number ${where}
           ${reason ? `AND ${HAS_REASON}$4 || '%'` : ""}
         ORDER BY ${stage === "late" ? "l.skipped_at, " : ""}l.number LIMIT 1 FOR UPDATE OF l SKIP LOCKED)
        RETURNING number`,
      values: [h.id, person.id, from, ...(reason ? [reason] : [])],
    });
    if (rows[0]) return rows[0].number;
  }
  return undefined;
}

function stagesOf(show: Queue["show"]): [string, string][] {
  if (show === "skipped") return [["late", "<> $3"]];
  return [
    ["ahead", "> $3 AND l.skipped_at IS NULL"],
    ["around", "<= $3 AND l.skipped_at IS NULL"],
    ["late", "<> $3 AND l.skipped_at IS NOT NULL"],
  ];
}

/** How many of a queue people have decided, and how many are left, put off or not, whoever has them just now. */
export async function countQueue({ pool }: Deps, h: Harmonization, { show, reason }: Queue) {
  const has = reason ? `AND ${HAS_REASON}$4 || '%'` : "";
  const { rows } = await pool.query<{ decided: number; left: number }>({
    name: `review-count-${show}${reason ? "-reason" : ""}`,
    text: `WITH cuts AS (SELECT $2::real AS accept_from, $3::real AS review_from)
      SELECT (${leftOf(show, has)})::int AS left,
      (SELECT count(DISTINCT s.number)::int FROM app.decision_step s
         JOIN app.listing l ON l.harmonization_id = s.harmonization_id AND l.number = s.number, cuts h
        WHERE s.harmonization_id = $1 AND s.undone_at IS NULL AND l.decided_how IN ('person', 'family')
          AND ${wasIn(show)} ${has}) AS decided`,
    values: [h.id, h.acceptFrom, h.reviewFrom, ...(reason ? [reason] : [])],
  });
  return rows[0] ?? { decided: 0, left: 0 };
}

/** Most listings are accepted: to count those to review, each stretch of the index that they are in is read and no other. */
function leftOf(show: Queue["show"], has: string): string {
  const some = (where: string) =>
    `(SELECT count(*) FROM app.listing l, cuts h WHERE l.harmonization_id = $1 AND ${where} ${has})`;
  if (show !== "review") return some(isIn(show));
  return [
    "NOT l.is_clear AND l.score >= $3::real",
    "l.is_clear AND l.score >= $3::real AND l.score < $2::real",
    "l.score IS NULL AND l.best_id IS NOT NULL",
  ]
    .map((stretch) => some(`l.status = 'asked' AND l.decision IS NULL AND ${stretch}`))
    .join(" + ");
}

/** `${HAS_REASON}$4 || '%'`: what follows is a REASON, so it holds nothing that LIKE would read otherwise. */
const HAS_REASON = "' ' || l.pattern LIKE '% ' || ";

/** The status is said apart from the outcome for the index. */
function isIn(show: Queue["show"]): string {
  if (show === "skipped") return "l.decision IS NULL AND l.skipped_at IS NOT NULL";
  const status = show === "failed" ? "failed" : "asked";
  return `l.decision IS NULL AND l.status = '${status}' AND ${OUTCOME} = '${show}'`;
}

/** What the outcome was, or would be, without the decision. */
function wasIn(show: Queue["show"]): string {
  return show === "skipped" ? "false" : `${OUTCOME.replaceAll("l.decision", "NULL")} = '${show}'`;
}
