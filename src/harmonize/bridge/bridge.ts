import { execute, queryRows } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { Problem } from "../run/problems/problems.ts";
import { sendEarly } from "../run/queue.ts";
import { findSideTask } from "../run/side-task.ts";

/** What becomes of a row of a bridge file, with the words for it. `found`: the venue is, the decision is not yet. */
export const rowOutcomes = () => ({
  found: t("not imported yet"),
  decided: t("decided as in the file"),
  agrees: t("already decided the same way here"),
  decided_here: t("decided differently here; that decision is kept"),
  unknown_listing: t("no row here has this record id"),
  unknown_venue: t("the directory has no venue with this id"),
  closed: t("the venue has closed for good"),
  several_venues: t("the file has several venues for this record"),
  repeated: t("an earlier row of the file has the same record and venue"),
  busy: t("somebody was reviewing or adding the row"),
  unanswered: t("the directory does not answer for this venue"),
  unreadable: t("the row has no id, no record id, or cannot be read"),
});

export type RowOutcome = keyof ReturnType<typeof rowOutcomes>;

/** Of the last bridge file: the `about` of its task. */
export interface Bridge {
  /** Name of the file. */
  file: string;
  /** Whose rows were taken. */
  dataset: string | null;
  rows: number;
  /** Rows of other data sets. */
  others: number;
  /** The decisions, which are undone together. */
  groupId: string;
  /** ISO 8601: the time of all of its decisions. */
  at: string;
  /** Set while they are being undone. */
  isUndoing?: true;
  /** Listings that are as they were before. */
  undone?: number;
}

export interface BridgeState extends Bridge {
  isAtWork: boolean;
  problem: Problem | null;
  /** Rows by outcome; those without one have still to be looked up. */
  counts: { outcome: RowOutcome | null; rows: number; merged: number }[];
}

/** Returns the last bridge file that was read into a harmonization. */
export async function bridgeOf(
  deps: Pick<Harmonizer, "prisma" | "pool">,
  h: Pick<Harmonization, "id">,
): Promise<BridgeState | undefined> {
  const task = await findSideTask<Bridge>(deps, h, "bridge");
  if (!task) return undefined;
  const counts = await queryRows<BridgeState["counts"][number]>(deps)`
    SELECT outcome, count(*)::int AS rows, (count(*) FILTER (WHERE now_id <> venue_id))::int AS merged
     FROM app.bridge_row WHERE harmonization_id = ${h.id} GROUP BY outcome`;
  return { ...task.about, isAtWork: task.wantedAt !== null, problem: task.problem, counts };
}

export interface BridgeRow {
  number: number;
  line: number;
  recordId: string;
  venueId: string;
  nowId: string | null;
  nowName: string | null;
  nowCredit: string | null;
  outcome: RowOutcome | null;
}

const AT_A_TIME = 5000;

/** Yields the rows in order of the file, in pages. */
export async function* bridgeRows(
  { pool }: Pick<Harmonizer, "pool">,
  { id }: Pick<Harmonization, "id">,
): AsyncGenerator<BridgeRow[]> {
  for (let after = 0; ; ) {
    const rows = await queryRows<BridgeRow>(pool)`
      SELECT number, line, record_id AS "recordId", venue_id AS "venueId", now_id AS "nowId", now_name AS "nowName", now_credit AS "nowCredit", outcome
       FROM app.bridge_row WHERE harmonization_id = ${id} AND number > ${after} ORDER BY number LIMIT ${AT_A_TIME}`;
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.number;
  }
}

/** Requests the undo of all decisions of the last bridge file. Returns false while it is at work, or after an undo. */
export async function wantUndo({ pool, queue }: Pick<Harmonizer, "pool" | "queue">, id: string): Promise<boolean> {
  const rowCount = await execute(pool)`
    UPDATE app.side_task SET wanted_at = now(), about = about || '{"isUndoing": true}'
     WHERE harmonization_id = ${id} AND kind = 'bridge' AND wanted_at IS NULL AND NOT about ? 'undone'`;
  if (rowCount === 1) await sendEarly(queue, { kind: "bridge", harmonizationId: id });
  return rowCount === 1;
}
