import type { ClientBase } from "pg";
import type { ListingDecision } from "../../db/generated/enums.ts";
import { together } from "../../db/together.ts";
import { t } from "../../language/translate.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import { AT_ONCE } from "./decisions.ts";

type Deps = Pick<Harmonizer, "pool">;

/** A person's last step that is not undone or overtaken. */
export interface LastStep {
  groupId: string;
  number: number;
  name: string | null;
  listings: number;
  decision: ListingDecision | null;
  venueName: string | null;
  isSkipped: boolean;
}

// A listing `l` still shows the step if their times are equal.
const isAsLeft = (at: string) => `((l.decided_by = $2 AND l.decided_at = ${at}) OR l.skipped_at = ${at})`;

export async function lastStep({ pool }: Deps, { id }: Harmonization, person: Person): Promise<LastStep | undefined> {
  const { rows } = await pool.query<LastStep>({
    name: "last-step",
    text: `SELECT s.group_id AS "groupId", s.number, l.query->>'name' AS name, s.listings, l.decision,
             l.venue_name AS "venueName", l.skipped_at IS NOT NULL AS "isSkipped"
           FROM (SELECT group_id, min(number) AS number, count(*)::int AS listings FROM app.decision_step
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
  /** A venue that stays in the directory. */
  addedName: string | undefined;
}

/** Undoes the last step, except for listings decided again since. Returns undefined if there is none. */
export async function undo(deps: Deps, h: Harmonization, person: Person): Promise<Undone | undefined> {
  const last = await lastStep(deps, h, person);
  if (!last) return undefined;
  const { number, decision, venueName } = last;
  const [steps, restored] = await together(deps.pool, async (client) => {
    let [all, done] = [0, 0];
    for (;;) {
      const some = await undoSome(client, h, { accountId: person.id, groupId: last.groupId });
      if (some.steps === 0) return [all, done];
      all += some.steps;
      done += some.restored;
    }
  });
  if (steps === 0) return undefined;
  const addedName = decision === "added" && restored > 0 ? (venueName ?? t("The venue")) : undefined;
  return { number, restored, changed: steps - restored, addedName };
}

/** Undoes up to AT_ONCE steps of a group whose steps have one time. Call it in a transaction. */
export async function undoSome(
  client: Pick<ClientBase, "query">,
  { id }: Pick<Harmonization, "id">,
  { accountId, groupId }: { accountId: string; groupId: string },
): Promise<{ steps: number; restored: number }> {
  const { rows } = await client.query<Step>({ name: "undo-steps", text: MARK, values: [id, accountId, groupId] });
  if (rows.length === 0) return { steps: 0, restored: 0 };
  const before = JSON.stringify(Object.fromEntries(rows.map((step) => [step.number, step.before])));
  const values = [id, accountId, rows.map((step) => step.number), before, rows[0]?.at];
  const { rowCount } = await client.query({ name: "undo-listings", text: RESTORE, values });
  return { steps: rows.length, restored: rowCount ?? 0 };
}

interface Step {
  number: number;
  before: unknown;
  at: Date;
}

const MARK = `UPDATE app.decision_step SET undone_at = now()
  WHERE id IN (SELECT id FROM app.decision_step
                WHERE group_id = $3 AND harmonization_id = $1 AND account_id = $2 AND undone_at IS NULL
                ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
  RETURNING number, before, created_at AS at`;

const was = (column: string) => `$4::jsonb->(l.number::text)->>'${column}'`;

// An annotation belongs to the venue it was written to, so a restored venue counts as not annotated.
const RESTORE = `UPDATE app.listing l SET decision = (${was("decision")})::app.listing_decision,
    venue_id = ${was("venueId")}, venue_name = ${was("venueName")}, why = nullif($4::jsonb->(l.number::text)->'why', 'null'),
    decided_how = (${was("decidedHow")})::app.decided_how, decided_by = (${was("decidedBy")})::uuid,
    decided_at = (${was("decidedAt")})::timestamptz, skipped_at = (${was("skippedAt")})::timestamptz,
    annotated_at = CASE WHEN l.venue_id IS DISTINCT FROM ${was("venueId")} THEN least(l.annotated_at, l.matched_at - interval '1 ms')
                   ELSE l.annotated_at END
  WHERE l.harmonization_id = $1 AND l.number = ANY ($3::int[])
    AND ${isAsLeft("$5")}`;
