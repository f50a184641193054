import type { ListingDecision } from "../../db/generated/enums.ts";
import { withPlanForMany } from "../../db/own-connection.ts";
import { type Db, prepared, queryRow, type Sql, sql } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import type { Harmonizer } from "../run/deps.ts";
import { isGone } from "../run/gone-venues.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import type { ReasonCode } from "../run/problems/reasons.ts";
import { NOT_ANNOTATED, STEP, VENUE_BEFORE } from "../run/undone.ts";
import {
  AT_ONCE,
  BEFORE,
  columnBefore,
  decisionBefore,
  isMove,
  matchBefore,
  writeDecisions,
} from "../run/write-decisions.ts";

type Deps = Pick<Harmonizer, "pool" | "databaseUrl">;

/** A person's last step that is not undone or overtaken. */
export interface LastStep {
  groupId: string;
  number: number;
  name: string | null;
  listings: number;
  decision: ListingDecision | null;
  venueName: string | null;
  isSkipped: boolean;
  /** Their positions were put right. */
  isMove: boolean;
}

// A listing `l` still shows the step if their times are equal. One that was moved must not be added meanwhile where it is no longer.
const isAsLeft = (
  accountId: string | Sql,
  at: Sql,
): Sql => sql`((l.decided_by = ${accountId}::uuid AND l.decided_at = ${at}) OR l.skipped_at = ${at}
  OR ((l.query->'mended'->>'by')::uuid = ${accountId}::uuid AND (l.query->'mended'->>'at')::timestamptz = ${at} AND l.decision IS NULL AND l.adding IS NULL
    AND NOT EXISTS (SELECT FROM app.harmonization h WHERE h.id = l.harmonization_id AND h.state = 'adding')))`;

export const lastStep = (
  db: Pick<Deps, "pool">,
  { id }: Harmonization,
  person: Person,
): Promise<LastStep | undefined> =>
  queryRow<LastStep>(prepared(db))`
    SELECT s.group_id AS "groupId", s.number, l.query->>'name' AS name, s.listings, l.decision,
             l.venue_name AS "venueName", l.skipped_at IS NOT NULL AS "isSkipped", s."isMove"
           FROM (SELECT group_id, min(number) AS number, count(*)::int AS listings, bool_or(${isMove(sql`before`)}) AS "isMove" FROM app.decision_step
                  WHERE group_id = (SELECT p.group_id FROM app.decision_step p JOIN app.listing l USING (harmonization_id, number)
                                     WHERE p.harmonization_id = ${id} AND p.account_id = ${person.id} AND p.undone_at IS NULL
                                       AND ${isAsLeft(person.id, sql`p.created_at`)}
                                     ORDER BY p.id DESC LIMIT 1)
                  GROUP BY group_id) s
           JOIN app.listing l ON l.harmonization_id = ${id} AND l.number = s.number`;

export interface Undone {
  number: number;
  restored: number;
  /** Listings that were decided again since, and stay as they are. */
  changed: number;
  /** Listings whose former venue is no longer in the directory. They stay as they are too. */
  gone: number;
  /** A venue that stays in the directory. */
  addedName: string | undefined;
}

/** Undoes the last step, except for listings decided again since. Returns undefined if there is none. */
export async function undo(deps: Deps, h: Harmonization, person: Person): Promise<Undone | undefined> {
  const last = await lastStep(deps, h, person);
  if (!last) return undefined;
  const { groupId, listings, number, decision, venueName } = last;
  const all = { which: isOfGroup(groupId, person.id), by: person.id, most: null };
  const options = { name: "undo", statementMs: STATEMENT_MS };
  const { steps, restored, gone } =
    listings > AT_ONCE
      ? await withPlanForMany(deps.databaseUrl, options, (client) => undoSome(client, h, all))
      : await undoSome(deps, h, all);
  if (steps === 0) return undefined;
  const addedName = decision === "added" && restored > 0 ? (venueName ?? t("The venue")) : undefined;
  return { number, restored, changed: steps - restored - gone, gone, addedName };
}

const STATEMENT_MS = 60_000;

/** SQL: whether a step `s` is one of a person's group. */
export const isOfGroup = (groupId: string, accountId: string): Sql =>
  sql`(s.group_id = ${groupId} AND s.account_id = ${accountId})`;

interface StepSelection {
  /** SQL of steps `s`. */
  which: Sql;
  /** Who undoes them; null for a task. */
  by: string | null;
  most?: number | null;
}

/**
 * Undoes up to `most` of some steps, or all, in one statement: of each listing the last, so that calling it until there are none undoes
 * several decisions on one listing one after the other. Returns the ids of the steps, too.
 */
export async function undoSome(
  db: Db,
  { id }: Pick<Harmonization, "id">,
  { which, by, most = AT_ONCE }: StepSelection,
): Promise<{ steps: number; restored: number; gone: number; ids: string[] }> {
  const isStill = isAsLeft(sql`d.account_id`, sql`d.created_at`);
  const undone = await queryRow<{ steps: number; restored: number; gone: number; ids: string[] | null }>(db)`
    WITH last AS MATERIALIZED (
      SELECT DISTINCT ON (s.number) s.id FROM app.decision_step s
       WHERE s.harmonization_id = ${id} AND s.undone_at IS NULL AND ${which} ORDER BY s.number, s.id DESC LIMIT ${most}),
    was AS MATERIALIZED (
      SELECT d.id, CASE WHEN ${isStill} THEN ${BEFORE} END AS undone
        FROM last JOIN app.decision_step d ON d.id = last.id JOIN app.listing l ON l.harmonization_id = ${id} AND l.number = d.number
       WHERE d.undone_at IS NULL FOR UPDATE OF d SKIP LOCKED),
    steps AS (
      UPDATE app.decision_step d SET undone_at = now(), undone_by = ${by}::uuid, undone = was.undone
        FROM was WHERE d.id = was.id
      RETURNING d.id, d.number, d.before, d.created_at, d.account_id),
    gone AS (
      SELECT d.number FROM steps d JOIN app.listing l ON l.harmonization_id = ${id} AND l.number = d.number
       WHERE ${isStill} AND ${isGone(VENUE_BEFORE, id)}),
    restored AS (${restore(id, isStill)})
    SELECT (SELECT count(*) FROM steps)::int AS steps, (SELECT count(*) FROM restored)::int AS restored,
           (SELECT count(*) FROM gone)::int AS gone, (SELECT array_agg(id::text) FROM steps) AS ids`;
  return { steps: 0, restored: 0, gone: 0, ...undone, ids: undone?.ids ?? [] };
}

const SENT_BACK: ReasonCode = "sent_back";

function restore(run: string, isStill: Sql): Sql {
  const wasClear = columnBefore(STEP, "isClear", "boolean");
  return writeDecisions({
    run,
    rows: sql`steps d`,
    decision: decisionBefore(STEP),
    where: sql`${isStill} AND NOT ${isGone(VENUE_BEFORE, run)}`,
    also: [
      sql`skipped_at = ${columnBefore(STEP, "skippedAt", "timestamptz")}`,
      sql`is_clear = CASE WHEN l.why->>'code' = ${SENT_BACK} THEN ${wasClear}
            WHEN ${isMove(STEP)} THEN ${wasClear} AND NOT ${isGone(columnBefore(STEP, "best_id", "text"), run)} ELSE l.is_clear END`,
      ...matchBefore(STEP),
      NOT_ANNOTATED,
    ],
  });
}
