import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import { withPlanForMany } from "../../db/own-connection.ts";
import { formatNumber } from "../../language/format.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import { BEFORE } from "../review/decisions.ts";
import { CHANGED_AT } from "../review/listing.ts";
import { isFree } from "../review/locks.ts";
import { MOST_REASONS } from "../run/candidates.ts";
import type { Harmonizer } from "../run/deps.ts";
import { isGone } from "../run/gone-venues.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import type { Reason, ReasonCode } from "../run/problems/reasons.ts";
import { HAS_CHANGED, OUTCOME, type Outcome } from "../run/rows.ts";
import { type Filter, fits, hasText } from "./facets.ts";

type Deps = Pick<Harmonizer, "pool" | "databaseUrl">;

/** `matched`: with the best candidate; `rejected`: no venue; `review`: undecided again, even if accepted by score. */
export const MANY_DECISIONS = ["matched", "rejected", "review"] as const;
export type ManyDecision = (typeof MANY_DECISIONS)[number];

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
  of: { h: Pick<Harmonization, "id">; person: Person },
  decision: ManyDecision,
  chosen: ChosenRows | ChosenList,
): Promise<ManyDecided> {
  if ("rows" in chosen) return run(pool, of, decision, chosen);
  const options = { name: "decide many", statementMs: STATEMENT_MS };
  return withPlanForMany(databaseUrl, options, (client) => run(client, of, decision, chosen));
}

async function run(
  client: Pick<ClientBase, "query">,
  { h, person }: { h: Pick<Harmonization, "id">; person: Person },
  decision: ManyDecision,
  chosen: ChosenRows | ChosenList,
): Promise<ManyDecided> {
  const most = "rows" in chosen ? MOST_AT_ONCE : Math.min(chosen.expected ?? MOST_AT_ONCE, MOST_AT_ONCE);
  const common = [h.id, person.id, randomUUID(), most];
  const { rows } = await client.query<{ why: LeftFor | null; count: number; isOver: boolean }>(
    "rows" in chosen
      ? {
          text: statement(decision, ROWS),
          values: [...common, chosen.rows.map((row) => row.number), chosen.rows.map((row) => row.changedAt)],
        }
      : {
          text: statement(decision, LIST),
          values: [...common, chosen.outcome ?? null, chosen.text, JSON.stringify(chosen.filter), chosen.seen],
        },
  );
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  if (rows.some(({ isOver }) => isOver)) throw refused(total > MOST_AT_ONCE ? tooMany() : moreNow(total));
  // A run at work has no rows here.
  if (total === 0 && !(await isAtRest(client, h.id)))
    throw refused(t("This file is still being processed. Wait until that is done."));
  const left = rows.flatMap(({ why, count }) => (why ? [{ why, count }] : []));
  return { changed: rows.find(({ why }) => why === null)?.count ?? 0, left };
}

interface Selection {
  from: string;
  where: string;
  isChanged: string;
}

const ROWS: Selection = {
  from: "JOIN unnest($5::int[], $6::timestamptz[]) AS s(number, changed_at) ON s.number = l.number",
  where: "true",
  isChanged: `${CHANGED_AT} IS DISTINCT FROM s.changed_at::timestamptz(3)`,
};

// A decision is dated by the start of its statement, which may be before the list was read.
const LIST: Selection = {
  from: "",
  where: `($5::text IS NULL OR ${OUTCOME} = $5) AND ${hasText("$6")} AND ${fits("$7")}`,
  isChanged: `(${CHANGED_AT} > $8::timestamptz
    OR (l.decided_by <> $2 AND l.decided_at > $8::timestamptz - interval '${STATEMENT_MS} ms')) IS TRUE`,
};

const AT_REST = "state IN ('ready', 'cancelled')";

const ANNOTATED = `(${OUTCOME} = 'matched' AND l.annotation_problem IS NULL
  AND l.annotated_at >= greatest(l.decided_at, l.matched_at)) IS TRUE`;

interface Rule {
  isSame: string;
  isPossible: string;
  set: string;
}

const EVIDENCE: ReasonCode = "evidence";
const [REFUSED, SENT_BACK]: Reason[] = [{ code: "none_alike" }, { code: "sent_back" }];
const WITHOUT_VENUE = "venue_id = NULL, venue_name = NULL";

const RULES: Record<ManyDecision, Rule> = {
  matched: {
    isSame: "l.decision = 'matched'",
    isPossible: "l.best_id IS NOT NULL",
    set: `decision = 'matched', decided_how = 'family', venue_id = l.best_id, venue_name = l.candidates->0->>'name',
      why = (SELECT jsonb_build_object('code', '${EVIDENCE}', 'said', jsonb_agg(e->'text' ORDER BY n))
        FROM jsonb_array_elements(l.candidates->0->'evidence') WITH ORDINALITY AS each(e, n)
       WHERE n <= ${MOST_REASONS} HAVING count(*) > 0)`,
  },
  rejected: {
    isSame: "l.decision = 'rejected'",
    isPossible: "true",
    set: `decision = 'rejected', decided_how = 'family', ${WITHOUT_VENUE}, why = '${JSON.stringify(REFUSED)}'`,
  },
  // Not clear, so that no cut accepts it again.
  review: {
    isSame: `${OUTCOME} = 'review' AND l.skipped_at IS NULL`,
    isPossible: `(${HAS_CHANGED} OR (l.best_id IS NOT NULL AND coalesce(l.score, 1) >= h.review_from))`,
    set: `decision = NULL, decided_how = NULL, ${WITHOUT_VENUE}, is_clear = false, why = '${JSON.stringify(SENT_BACK)}'`,
  },
};

const statement = (decision: ManyDecision, { from, where, isChanged }: Selection): string => {
  const { isSame, isPossible, set } = RULES[decision];
  return `WITH h AS MATERIALIZED (
      SELECT id, accept_from, review_from FROM app.harmonization WHERE id = $1 AND ${AT_REST} FOR SHARE),
    chosen AS MATERIALIZED (
      SELECT l.number, ${BEFORE} AS before,
             CASE WHEN l.adding IS NOT NULL THEN 'adding' WHEN l.status = 'pending' THEN 'pending'
               WHEN ${isFree({ person: "$2" })} IS NOT TRUE THEN 'open' WHEN ${isChanged} THEN 'changed'
               WHEN l.decision = 'added' THEN 'added' WHEN l.decision IS NULL AND l.status = 'failed' THEN 'failed'
               WHEN ${isSame} THEN 'same' WHEN ${ANNOTATED} THEN 'annotated'
               WHEN ${decision === "matched" ? isGone("l.best_id", "$1") : "false"} THEN 'gone'
               WHEN (${isPossible}) IS NOT TRUE THEN 'no_candidate' END AS why
        FROM h JOIN app.listing l ON l.harmonization_id = h.id ${from}
       WHERE ${where} ORDER BY l.number LIMIT ${MOST_AT_ONCE + 1} FOR UPDATE OF l),
    due AS MATERIALIZED (
      SELECT number, before FROM chosen WHERE why IS NULL AND (SELECT count(*) FROM chosen) <= $4::int),
    steps AS (
      INSERT INTO app.decision_step (harmonization_id, group_id, account_id, number, before)
      SELECT $1, $3, $2, number, before FROM due),
    decided AS (
      UPDATE app.listing l SET ${set}, decided_by = $2, decided_at = now(), skipped_at = NULL,
             locked_by = NULL, locked_until = NULL
        FROM due WHERE l.harmonization_id = $1 AND l.number = due.number)
    SELECT why, count(*)::int AS count, (SELECT count(*) FROM chosen) > $4::int AS "isOver" FROM chosen
     GROUP BY why ORDER BY count DESC, why`;
};

async function isAtRest(client: Pick<ClientBase, "query">, id: string): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM app.harmonization WHERE id = $1 AND ${AT_REST}`, [id]);
  return rowCount === 1;
}

const moreNow = (count: number) =>
  t("There are now {count} of them. Check them again.", { count: formatNumber(count) });
const tooMany = () =>
  t("One action may change at most {most, number} listings. Narrow the list down first.", { most: MOST_AT_ONCE });
const refused = (message: string) => new KnownError(409, "conflict", message, { title: t("Not decided") });
