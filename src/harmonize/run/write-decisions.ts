import { joinSql, rawSql, type Sql, type SqlValue, sql } from "../../db/sql.ts";
import { MOST_REASONS } from "./candidates.ts";
import type { Reason, ReasonCode } from "./problems/reasons.ts";

/** The columns of a listing that are its decision, with their types, by the names that a step keeps them under. */
const DECISION = {
  decision: ["decision", "app.listing_decision"],
  venueId: ["venue_id", "text"],
  venueName: ["venue_name", "text"],
  decidedHow: ["decided_how", "app.decided_how"],
  decidedBy: ["decided_by", "uuid"],
  decidedAt: ["decided_at", "timestamptz"],
  why: ["why", "jsonb"],
} as const;

/** A decision, each value as SQL of the listing `l` and its row `d`, too. What is left out becomes NULL, so `{}` is undecided. */
export type DecisionValues = Partial<Record<keyof typeof DECISION, SqlValue | Sql>>;

const ENTRIES = Object.entries(DECISION) as [keyof DecisionValues, (typeof DECISION)[keyof DecisionValues]][];

export interface Written {
  /** Id of the file, or SQL of it. */
  run: string | Sql;
  /** SQL of what stands after FROM: a relation `d` with the `number` of each listing, and others joined to it. */
  rows: Sql;
  /** SQL of whether a row is of the listing `l`, if not by its number. */
  isOf?: Sql;
  /** SQL of what must hold of the listing when it is written; without it, the rows are locked already. */
  where?: Sql;
  decision: DecisionValues;
  /** SQL of other columns that change with the decision: `column = value`. */
  also?: readonly Sql[];
  /** SQL of what the statement returns of each listing `l`, if that is not only its number. */
  returning?: Sql;
}

/**
 * SQL: the one statement that writes decisions. It may be a part of a
 * statement that selects the listings before and counts them afterwards.
 */
export function writeDecisions({
  run,
  rows,
  isOf = sql`l.number = d.number`,
  where = sql`true`,
  decision,
  also = [],
  returning = sql`l.number`,
}: Written): Sql {
  const values = ENTRIES.map(([key, [column, type]]) => {
    const value = decision[key] ?? null;
    return sql`${rawSql(column)} = ${value === null ? rawSql("NULL") : sql`(${value})::${rawSql(type)}`}`;
  });
  return sql`UPDATE app.listing l SET ${joinSql([...values, ...also])} FROM ${rows}
    WHERE l.harmonization_id = ${run}::uuid AND ${isOf} AND ${where} RETURNING ${returning}`;
}

/** From where somebody decides: a card, all rows like one, rows of the results, a bridge file, the form of a new venue, a repair, a program. */
export const VIAS = ["card", "family", "results", "bridge", "add", "repair", "program"] as const;
export type Via = (typeof VIAS)[number];

/** What a program does by a token is no card and no page of results. */
export const viaOf = ({ isProgram }: { isProgram?: true }, page: Via): Via => (isProgram ? "program" : page);

interface Step {
  via: Via;
  run: string;
  accountId: string | null;
  /** Undone together. */
  group: string | Sql;
  /** As the decision is dated, if that is not now. */
  at?: Date | string;
  /** SQL of a relation with the `number` of each listing and what was `before`. */
  rows: Sql;
}

/** SQL: keeps what listings were as an undoable step. */
export const keepSteps = ({ via, run, accountId, group, at, rows }: Step): Sql =>
  sql`INSERT INTO app.decision_step (via, harmonization_id, group_id, account_id, number, before, created_at)
    SELECT ${via}::text, ${run}::uuid, ${group}::uuid, ${accountId}::uuid, number, before, ${at ?? rawSql("now()")}::timestamptz FROM ${rows}`;

/** SQL: the decision of a listing `l`, for undo. */
export const BEFORE = sql`jsonb_build_object(${joinSql(ENTRIES.map(([key, [column]]) => rawSql(`'${key}', l.${column}`)))},
  'skippedAt', l.skipped_at, 'isClear', l.is_clear)`;

/** What else of a listing changes when it is moved and matched again, with the types of the columns. */
const OF_MATCH = {
  query: "jsonb",
  place: "bigint",
  status: "app.listing_status",
  problem: "jsonb",
  matched_at: "timestamptz",
  score: "real",
  best_id: "text",
  candidates: "jsonb",
  pattern: "text",
} as const;

/** SQL: the decision of a listing `l` and its match, for undo. */
export const BEFORE_MOVE = sql`${BEFORE} || jsonb_build_object(${joinSql(Object.keys(OF_MATCH).map((column) => rawSql(`'${column}', l.${column}`)))})`;

/** SQL: whether a step moved its listing. */
export const isMove = (before: Sql): Sql => sql`${before} ? 'query'`;

/** SQL: what a column was by `before` of a step, as `type`. */
export const columnBefore = (before: Sql, key: string, type: string): Sql =>
  type === "jsonb"
    ? sql`nullif(${before}->${rawSql(`'${key}'`)}, 'null')`
    : sql`(${before}->>${rawSql(`'${key}'`)})::${rawSql(type)}`;

/** The decision by `before` of a step. */
export const decisionBefore = (before: Sql): DecisionValues =>
  Object.fromEntries(ENTRIES.map(([key, [, type]]) => [key, columnBefore(before, key, type)]));

/** SQL: restores the match of listings that a step has moved. */
export const matchBefore = (before: Sql): Sql[] =>
  Object.entries(OF_MATCH).map(
    ([column, type]) =>
      sql`${rawSql(column)} = CASE WHEN ${isMove(before)} THEN ${columnBefore(before, column, type)} ELSE l.${rawSql(column)} END`,
  );

/** Listings per statement: one for a whole family would time out. */
export const AT_ONCE = 1000;

/** SQL: gives a listing free for others. */
export const UNLOCKED = [sql`locked_by = NULL`, sql`locked_until = NULL`] as const;

/** SQL: gives a listing free for others, and takes it from those put off. */
export const RELEASED = [...UNLOCKED, sql`skipped_at = NULL`] as const;

/** SQL: dates what an undecided listing loses, so that nobody decides by what they saw before. */
export const NOW_MATCHED = sql`matched_at = CASE WHEN l.decision IS NULL THEN now() ELSE l.matched_at END`;

/** By whom, and that it is decided now. */
export const decidedNow = (accountId: string | null): DecisionValues => ({
  decidedBy: accountId,
  decidedAt: sql`now()`,
});

const EVIDENCE: ReasonCode = "evidence";
const NONE_ALIKE: Reason = { code: "none_alike" };

/** What many listings at once are decided as: each with its best candidate for its strongest reasons, or none with a venue. */
export const FOR_MANY = {
  matched: {
    decision: "matched",
    decidedHow: "family",
    venueId: sql`l.best_id`,
    venueName: sql`l.candidates->0->>'name'`,
    why: sql`SELECT jsonb_build_object('code', ${EVIDENCE}::text, 'said', jsonb_agg(e->'text' ORDER BY n))
      FROM jsonb_array_elements(l.candidates->0->'evidence') WITH ORDINALITY AS each(e, n)
     WHERE n <= ${MOST_REASONS} HAVING count(*) > 0`,
  },
  rejected: { decision: "rejected", decidedHow: "family", why: JSON.stringify(NONE_ALIKE) },
} as const satisfies Record<string, DecisionValues>;
