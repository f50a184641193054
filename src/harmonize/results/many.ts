import { randomUUID } from "node:crypto";
import { withPlanForMany } from "../../db/own-connection.ts";
import { type Db, execute, queryRows, type Sql, sql } from "../../db/sql.ts";
import { formatNumber } from "../../language/format.ts";
import { t } from "../../language/translate.ts";
import { notDecided } from "../review/decisions.ts";
import { type Filter, fitsFilter } from "../review/filter.ts";
import { CHANGED_AT } from "../review/listing.ts";
import { isFree } from "../review/locks.ts";
import type { Harmonizer } from "../run/deps.ts";
import { isGone } from "../run/gone-venues.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import type { Reason } from "../run/problems/reasons.ts";
import { HAS_CHANGED, OUTCOME, type Outcome } from "../run/rows.ts";
import {
  BEFORE,
  type DecisionValues,
  decidedNow,
  FOR_MANY,
  keepSteps,
  RELEASED,
  viaOf,
  writeDecisions,
} from "../run/write-decisions.ts";
import { hasOutcome, hasText } from "./facets.ts";

type Deps = Pick<Harmonizer, "pool" | "databaseUrl">;

/** `matched`: with the best candidate; `rejected`: no venue; `review`: undecided again, even if accepted by score. */
export const MANY_DECISIONS = ["matched", "rejected", "review"] as const;
export type ManyDecision = (typeof MANY_DECISIONS)[number];

interface Deciding {
  h: Pick<Harmonization, "id">;
  person: Person;
}

/** Rows as the person saw them, with `changedAt` of a ReviewListing. */
export interface ChosenRows {
  rows: { number: number; changedAt: Date | null }[];
}

/** All that a list shows. `expected`: how many the person was told; `seen`: the database's time of the list. */
export interface ChosenList {
  outcome: Outcome | undefined;
  text: string;
  filter: Filter;
  expected: number | undefined;
  seen: Date;
}

/** Why a listing was left as it is. */
export type LeftFor =
  | ("adding" | "pending" | "open" | "changed" | "added" | "failed" | "same" | "annotated")
  | "no_candidate"
  | "gone";

export interface ManyDecided {
  changed: number;
  left: { why: LeftFor; count: number }[];
}

/** Listings that one action may change, and milliseconds that it may take. */
export const MOST_AT_ONCE = 200_000;
const STATEMENT_MS = 60_000;

/**
 * Decides many listings in one statement, as one undoable step, and reports why it left others as they are: busy, changed since
 * they were shown (attacks F57), added, annotated or failed.
 * @throws KnownError 409 while the run is at work, or if the list now has more listings than the person was told, or too many
 */
export async function decideMany(
  { pool, databaseUrl }: Deps,
  of: Deciding,
  decision: ManyDecision,
  chosen: ChosenRows | ChosenList,
): Promise<ManyDecided> {
  if ("rows" in chosen) return decideRows(pool, of, decision, chosen);
  const options = { name: "decide many", statementMs: STATEMENT_MS };
  return withPlanForMany(databaseUrl, options, (client) => decideRows(client, of, decision, chosen));
}

async function decideRows(
  db: Db,
  of: Deciding,
  decision: ManyDecision,
  chosen: ChosenRows | ChosenList,
): Promise<ManyDecided> {
  const most = "rows" in chosen ? MOST_AT_ONCE : Math.min(chosen.expected ?? MOST_AT_ONCE, MOST_AT_ONCE);
  const rows = await decideSelected(db, of, decision, {
    ...("rows" in chosen ? rowsOf(chosen) : listOf(of, chosen)),
    most,
  });
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  if (rows.some(({ isOver }) => isOver)) throw notDecided(total > MOST_AT_ONCE ? tooMany() : moreNow(total));
  // A run at work has no rows here.
  if (total === 0 && !(await isAtRest(db, of.h.id)))
    throw notDecided(t("This file is still being processed. Wait until that is done."));
  const left = rows.flatMap(({ why, count }) => (why ? [{ why, count }] : []));
  return { changed: rows.find(({ why }) => why === null)?.count ?? 0, left };
}

interface Selection {
  where: Sql;
  /** SQL: whether a listing has changed since the person saw it. */
  isChanged: Sql;
}

function rowsOf({ rows }: ChosenRows): Selection {
  const numbers = sql`${rows.map(({ number }) => number)}::int[]`;
  const times = sql`${rows.map(({ changedAt }) => changedAt)}::timestamptz(3)[]`;
  return {
    where: sql`l.number = ANY (${numbers})`,
    isChanged: sql`${CHANGED_AT} IS DISTINCT FROM (${times})[array_position(${numbers}, l.number)]`,
  };
}

// A decision is dated by the start of its statement, which may be before the list was read.
const listOf = ({ person }: Deciding, { outcome, text, filter, seen }: ChosenList): Selection => ({
  where: sql`${hasOutcome(outcome)} AND ${hasText(text)} AND ${fitsFilter(filter)}`,
  isChanged: sql`(${CHANGED_AT} > ${seen}::timestamptz
    OR (l.decided_by <> ${person.id}::uuid AND l.decided_at > ${seen}::timestamptz - make_interval(secs => ${STATEMENT_MS / 1000}))) IS TRUE`,
});

const AT_REST = sql`state IN ('ready', 'cancelled')`;

const ANNOTATED = sql`(${OUTCOME} = 'matched' AND l.annotation_problem IS NULL
  AND l.annotated_at >= greatest(l.decided_at, l.matched_at)) IS TRUE`;

interface Rule {
  isSame: Sql;
  isPossible: Sql;
  decision: DecisionValues;
  also?: Sql[];
}

const SENT_BACK: Reason = { code: "sent_back" };

const RULES: Record<ManyDecision, Rule> = {
  matched: {
    isSame: sql`l.decision = 'matched'`,
    isPossible: sql`l.best_id IS NOT NULL`,
    decision: FOR_MANY.matched,
  },
  rejected: { isSame: sql`l.decision = 'rejected'`, isPossible: sql`true`, decision: FOR_MANY.rejected },
  // Not clear, so that no cut accepts it again.
  review: {
    isSame: sql`${OUTCOME} = 'review' AND l.skipped_at IS NULL`,
    isPossible: sql`(${HAS_CHANGED} OR (l.best_id IS NOT NULL AND coalesce(l.score, 1) >= h.review_from))`,
    decision: { why: JSON.stringify(SENT_BACK) },
    also: [sql`is_clear = false`],
  },
};

const DUE = sql`due d`;

interface Counted {
  why: LeftFor | null;
  count: number;
  isOver: boolean;
}

/** Decides what is selected, unless it is more than `most`, and counts it by why it was left. */
function decideSelected(
  db: Db,
  { h: { id: run }, person }: Deciding,
  kind: ManyDecision,
  { where, isChanged, most }: Selection & { most: number },
): Promise<Counted[]> {
  const { isSame, isPossible, decision, also = [] } = RULES[kind];
  const { id: accountId } = person;
  return queryRows<Counted>(db)`
    WITH h AS MATERIALIZED (
      SELECT id, accept_from, review_from FROM app.harmonization WHERE id = ${run} AND ${AT_REST} FOR SHARE),
    chosen AS MATERIALIZED (
      SELECT l.number, ${BEFORE} AS before,
             CASE WHEN l.adding IS NOT NULL THEN 'adding' WHEN l.status = 'pending' THEN 'pending'
               WHEN ${isFree(accountId)} IS NOT TRUE THEN 'open' WHEN ${isChanged} THEN 'changed'
               WHEN l.decision = 'added' THEN 'added' WHEN l.decision IS NULL AND l.status = 'failed' THEN 'failed'
               WHEN ${isSame} THEN 'same' WHEN ${ANNOTATED} THEN 'annotated'
               WHEN ${kind === "matched" ? isGone(sql`l.best_id`, run) : sql`false`} THEN 'gone'
               WHEN (${isPossible}) IS NOT TRUE THEN 'no_candidate' END AS why
        FROM h JOIN app.listing l ON l.harmonization_id = h.id
       WHERE ${where} ORDER BY l.number LIMIT ${MOST_AT_ONCE + 1} FOR UPDATE OF l),
    due AS MATERIALIZED (
      SELECT number, before FROM chosen WHERE why IS NULL AND (SELECT count(*) FROM chosen) <= ${most}::int),
    steps AS (${keepSteps({ via: viaOf(person, "results"), run, accountId, group: randomUUID(), rows: DUE })}),
    decided AS (${writeDecisions({ run, rows: DUE, decision: { ...decision, ...decidedNow(accountId) }, also: [...also, ...RELEASED] })})
    SELECT why, count(*)::int AS count, (SELECT count(*) FROM chosen) > ${most}::int AS "isOver" FROM chosen
     GROUP BY why ORDER BY count DESC, why`;
}

const isAtRest = async (db: Db, id: string): Promise<boolean> =>
  (await execute(db)`SELECT FROM app.harmonization WHERE id = ${id} AND ${AT_REST}`) === 1;

const moreNow = (count: number) => t("There are now {count} rows. Check them again.", { count: formatNumber(count) });
const tooMany = () =>
  t("One action may change at most {most, number} rows. Narrow the list down first.", { most: MOST_AT_ONCE });
