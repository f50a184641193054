import type { ClientBase } from "pg";
import type { ListingDecision } from "../../db/generated/enums.ts";
import { withPlanForMany } from "../../db/own-connection.ts";
import { t } from "../../language/translate.ts";
import type { Harmonizer } from "../run/deps.ts";
import { isGone } from "../run/gone-venues.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import type { ReasonCode } from "../run/problems/reasons.ts";
import { AT_ONCE, OF_MATCH } from "./decisions.ts";

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
const isAsLeft = (at: string) => `((l.decided_by = $2 AND l.decided_at = ${at}) OR l.skipped_at = ${at}
  OR ((l.query->'mended'->>'by')::uuid = $2 AND (l.query->'mended'->>'at')::timestamptz = ${at} AND l.decision IS NULL AND l.adding IS NULL
    AND NOT EXISTS (SELECT FROM app.harmonization h WHERE h.id = l.harmonization_id AND h.state = 'adding')))`;

/** SQL: whether a step `s` moved its listing. */
const IS_MOVE = "s.before ? 'query'";

export async function lastStep(
  { pool }: Pick<Deps, "pool">,
  { id }: Harmonization,
  person: Person,
): Promise<LastStep | undefined> {
  const { rows } = await pool.query<LastStep>({
    name: "last-step",
    text: `SELECT s.group_id AS "groupId", s.number, l.query->>'name' AS name, s.listings, l.decision,
             l.venue_name AS "venueName", l.skipped_at IS NOT NULL AS "isSkipped", s."isMove"
           FROM (SELECT group_id, min(number) AS number, count(*)::int AS listings, bool_or(${IS_MOVE}) AS "isMove" FROM app.decision_step s
                  WHERE group_id = (SELECT p.group_id FROM app.decision_step p JOIN app.listing l USING (harmonization_id, number)
                                     WHERE p.harmonization_id = $1 AND p.account_id = $2 AND p.undone_at IS NULL
                                       AND ${isAsLeft("p.created_at")}
                                     ORDER BY p.id DESC LIMIT 1)
                  GROUP BY group_id) s
           JOIN app.listing l ON l.harmonization_id = $1 AND l.number = s.number`,
    values: [id, person.id],
  });
  return rows[0];
}

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
  const all = { accountId: person.id, groupId, most: null };
  const options = { name: "undo", statementMs: STATEMENT_MS };
  const { steps, restored, gone } =
    listings > AT_ONCE
      ? await withPlanForMany(deps.databaseUrl, options, (client) => undoSome(client, h, all))
      : await undoSome(deps.pool, h, all);
  if (steps === 0) return undefined;
  const addedName = decision === "added" && restored > 0 ? (venueName ?? t("The venue")) : undefined;
  return { number, restored, changed: steps - restored - gone, gone, addedName };
}

const STATEMENT_MS = 60_000;

/** Undoes up to `most` steps of a group, or all, in one statement. */
export async function undoSome(
  client: Pick<ClientBase, "query">,
  { id }: Pick<Harmonization, "id">,
  { accountId, groupId, most = AT_ONCE }: { accountId: string; groupId: string; most?: number | null },
): Promise<{ steps: number; restored: number; gone: number }> {
  const { rows } = await client.query<{ steps: number; restored: number; gone: number }>({
    name: "undo-some",
    text: UNDO,
    values: [id, accountId, groupId, most],
  });
  return rows[0] ?? { steps: 0, restored: 0, gone: 0 };
}

const was = (column: string) => `s.before->>'${column}'`;

const SENT_BACK: ReasonCode = "sent_back";

const MATCH_RESTORED = Object.entries(OF_MATCH).map(([column, type]) => {
  const before = type === "jsonb" ? `nullif(s.before->'${column}', 'null')` : `(${was(column)})::${type}`;
  return `${column} = CASE WHEN ${IS_MOVE} THEN ${before} ELSE l.${column} END`;
});

// An annotation belongs to the venue it was written to, so a restored venue counts as not annotated.
const UNDO = `WITH steps AS (
    UPDATE app.decision_step SET undone_at = now()
     WHERE id IN (SELECT id FROM app.decision_step
                   WHERE group_id = $3 AND harmonization_id = $1 AND account_id = $2 AND undone_at IS NULL
                   ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED)
    RETURNING number, before, created_at),
  gone AS (
    SELECT s.number FROM steps s JOIN app.listing l ON l.harmonization_id = $1 AND l.number = s.number
     WHERE ${isAsLeft("s.created_at")} AND ${isGone(was("venueId"), "$1")}),
  restored AS (
    UPDATE app.listing l SET decision = (${was("decision")})::app.listing_decision,
        venue_id = ${was("venueId")}, venue_name = ${was("venueName")}, why = nullif(s.before->'why', 'null'),
        decided_how = (${was("decidedHow")})::app.decided_how, decided_by = (${was("decidedBy")})::uuid,
        decided_at = (${was("decidedAt")})::timestamptz, skipped_at = (${was("skippedAt")})::timestamptz,
        is_clear = CASE WHEN l.why->>'code' = '${SENT_BACK}' THEN (${was("isClear")})::boolean
                        WHEN ${IS_MOVE} THEN (${was("isClear")})::boolean AND NOT ${isGone(was("best_id"), "$1")} ELSE l.is_clear END,
        ${MATCH_RESTORED},
        annotated_at = CASE WHEN l.annotated_at IS NOT NULL AND l.venue_id IS DISTINCT FROM ${was("venueId")}
                         THEN least(l.annotated_at, l.matched_at - interval '1 ms') ELSE l.annotated_at END
      FROM steps s WHERE l.harmonization_id = $1 AND l.number = s.number AND ${isAsLeft("s.created_at")}
       AND NOT ${isGone(was("venueId"), "$1")}
    RETURNING l.number)
  SELECT (SELECT count(*) FROM steps)::int AS steps, (SELECT count(*) FROM restored)::int AS restored,
         (SELECT count(*) FROM gone)::int AS gone`;
