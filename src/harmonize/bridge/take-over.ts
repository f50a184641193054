import { inStretches } from "../../db/bulk.ts";
import { planForMany } from "../../db/own-connection.ts";
import { type Db, execute, queryRow, queryRows, rawSql, type Sql, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import type { DirectoryError } from "../../directory-client/calls/errors.ts";
import { isFree } from "../review/locks.ts";
import { undoSome } from "../review/undo.ts";
import type { Harmonizer } from "../run/deps.ts";
import { isGone } from "../run/gone-venues.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { ReasonCode } from "../run/problems/reasons.ts";
import { runSideTask, type SideTask } from "../run/side-task.ts";
import { lookUpVenues } from "../run/venues.ts";
import { AT_ONCE, BEFORE, keepSteps, RELEASED, writeDecisions } from "../run/write-decisions.ts";
import type { Bridge, RowOutcome } from "./bridge.ts";

interface Run {
  signal: AbortSignal;
  calls: AbortSignal;
}

/** The task `bridge`: takes over the decisions of a bridge file, or undoes them. Each step may be interrupted. */
export const takeOver = (deps: Harmonizer, h: Harmonization, run: Run): Promise<void> =>
  runSideTask<Bridge>(deps, h, "bridge", async (task, auth) => {
    if (task.about.isUndoing) return undoAll(deps, h, task, run.signal);
    await findListings(deps, h, task.about);
    const failure = await findVenues(deps, h, auth, run);
    if (failure) return failure;
    await refuseRepeated(deps, h);
    await decideAll(deps, h, task, run.signal);
    return task.about;
  });

const STRETCH = 20_000;
const UNKNOWN: RowOutcome = "unknown_listing";
const GONE: RowOutcome = "unknown_venue";

// OpenStreetMap's record ids end in a version (n2757802019@9), which a list of its ids may lack.
async function findListings(db: Harmonizer, { id }: Harmonization, { rows }: Bridge): Promise<void> {
  const has = (ownId: Sql) =>
    sql`EXISTS (SELECT FROM app.listing l WHERE l.harmonization_id = ${id} AND l.own_id = ${ownId})`;
  const whole = sql`r.record_id`;
  const shorter = sql`regexp_replace(r.record_id, '@\\d+$', '')`;
  await inStretches(
    rows,
    STRETCH,
    (after, upTo) => execute(db)`
      UPDATE app.bridge_row r SET own_id = f.own_id, outcome = CASE WHEN f.own_id IS NULL THEN ${UNKNOWN} END
        FROM (SELECT number, CASE WHEN ${has(whole)} THEN ${whole} WHEN ${has(shorter)} THEN ${shorter} END AS own_id
                FROM app.bridge_row r WHERE harmonization_id = ${id} AND number > ${after} AND number <= ${upTo}
                 AND outcome IS NULL AND own_id IS NULL) AS f
       WHERE r.harmonization_id = ${id} AND r.number = f.number`,
  );
}

/** Rows whose venues are asked for together. */
const ROWS = 1000;

async function findVenues(
  deps: Harmonizer,
  { id }: Harmonization,
  auth: Auth,
  { signal, calls }: Run,
): Promise<DirectoryError | undefined> {
  for (;;) {
    signal.throwIfAborted();
    const rows = await queryRows<{ number: number; venueId: string }>(deps)`
      SELECT number, venue_id AS "venueId" FROM app.bridge_row
       WHERE harmonization_id = ${id} AND outcome IS NULL ORDER BY number LIMIT ${ROWS}`;
    if (rows.length === 0) return undefined;
    const { found, failure } = await lookUpVenues(deps, auth, [...new Set(rows.map((row) => row.venueId))], calls);
    const known = rows.flatMap(({ number, venueId }) => {
      const state = found.get(venueId);
      if (!state) return [];
      const { id: nowId = null, name: nowName = null, credit: nowCredit = null } = state;
      return [{ number, outcome: OUTCOMES[state.is], nowId, nowName, nowCredit }];
    });
    await execute(deps)`
      UPDATE app.bridge_row r SET outcome = f.outcome, now_id = f."nowId", now_name = f."nowName", now_credit = f."nowCredit"
        FROM json_to_recordset(${JSON.stringify(known)}) AS f(number int, outcome text, "nowId" text, "nowName" text, "nowCredit" text)
       WHERE r.harmonization_id = ${id} AND r.number = f.number AND r.outcome IS NULL`;
    if (failure) return failure;
  }
}

const OUTCOMES = { open: "found", closed: "closed", gone: "unknown_venue", unreadable: "unanswered" } as const;

/** Milliseconds for a statement that compares all rows. */
const COMPARING_MS = 120_000;

// A record with several venues decides nothing; of equal rows the first does.
async function refuseRepeated(db: Harmonizer, { id }: Harmonization): Promise<void> {
  const several: RowOutcome = "several_venues";
  const repeated: RowOutcome = "repeated";
  await inTransaction(db, async (client) => {
    await execute(client)`SET LOCAL statement_timeout = ${rawSql(COMPARING_MS)}`;
    await planForMany(client);
    await execute(client)`
      UPDATE app.bridge_row r SET outcome = CASE WHEN f.is_several THEN ${several}::text ELSE ${repeated}::text END
        FROM (SELECT number, min(now_id) OVER own <> max(now_id) OVER own AS is_several,
                     row_number() OVER (PARTITION BY own_id ORDER BY number) AS place
                FROM app.bridge_row WHERE harmonization_id = ${id} AND outcome = 'found'
              WINDOW own AS (PARTITION BY own_id)) AS f
       WHERE r.harmonization_id = ${id} AND r.number = f.number AND (f.is_several OR f.place > 1)`;
  });
}

async function decideAll(db: Harmonizer, { id }: Harmonization, task: SideTask<Bridge>, signal: AbortSignal) {
  for (;;) {
    signal.throwIfAborted();
    if ((await decideSome(db, id, task)) === 0) return;
  }
}

const ELSEWHERE: ReasonCode = "elsewhere";

// Decides the listings of some rows as one statement, so that none is decided twice. People's decisions here stay.
function decideSome(
  db: Db,
  run: string,
  { accountId, about: { file, groupId, at } }: SideTask<Bridge>,
): Promise<number> {
  const why = sql`jsonb_strip_nulls(jsonb_build_object('code', ${ELSEWHERE}::text, 'file', ${file}::text,
    'was', CASE WHEN d.now_id <> d.venue_id THEN d.venue_id END, 'credit', d.now_credit))`;
  return execute(db)`
  WITH portion AS MATERIALIZED (
    SELECT number, own_id, venue_id, now_id, now_name, now_credit FROM app.bridge_row
     WHERE harmonization_id = ${run} AND outcome = 'found' ORDER BY number LIMIT ${AT_ONCE} FOR UPDATE),
  listings AS MATERIALIZED (
    SELECT p.number AS row, p.venue_id, p.now_id, p.now_name, p.now_credit, l.number, ${BEFORE} AS before,
           CASE WHEN l.decision IN ('matched', 'added') AND l.venue_id = p.now_id THEN 'agrees'
                WHEN l.decision IS NOT NULL THEN 'decided_here'
                WHEN l.adding IS NOT NULL OR NOT ${isFree(accountId)} THEN 'busy'
                WHEN ${isGone(sql`p.now_id`, run)} THEN ${GONE}
                ELSE 'decided' END AS outcome
      FROM portion p JOIN app.listing l ON l.harmonization_id = ${run} AND l.own_id = p.own_id FOR UPDATE OF l),
  steps AS (${keepSteps({ via: "bridge", run, accountId, group: groupId, at, rows: sql`listings WHERE outcome = 'decided'` })}),
  decided AS (${writeDecisions({
    run,
    rows: sql`listings d`,
    where: sql`d.outcome = 'decided'`,
    also: RELEASED,
    decision: {
      decision: "matched",
      venueId: sql`d.now_id`,
      venueName: sql`d.now_name`,
      why,
      decidedHow: "many",
      decidedBy: accountId,
      decidedAt: at,
    },
  })})
  UPDATE app.bridge_row r SET outcome = coalesce(o.outcome, ${UNKNOWN})
    FROM portion p LEFT JOIN (
      SELECT DISTINCT ON (row) row, outcome FROM listings
       ORDER BY row, array_position(ARRAY['decided', 'agrees', 'decided_here', ${GONE}, 'busy'], outcome)) AS o ON o.row = p.number
   WHERE r.harmonization_id = ${run} AND r.number = p.number`;
}

async function undoAll(
  db: Harmonizer,
  h: Harmonization,
  { accountId, about }: SideTask<Bridge>,
  signal: AbortSignal,
): Promise<Bridge> {
  for (;;) {
    signal.throwIfAborted();
    const which = sql`(s.group_id = ${about.groupId} AND s.account_id = ${accountId}::uuid)`;
    const { steps } = await undoSome(db, h, { which, by: accountId });
    if (steps === 0) break;
  }
  const counted = await queryRow<{ undone: number }>(db)`
    SELECT count(*)::int AS undone FROM app.decision_step s JOIN app.listing l USING (harmonization_id, number)
     WHERE s.group_id = ${about.groupId} AND s.undone_at IS NOT NULL AND l.decided_at IS DISTINCT FROM ${about.at}::timestamptz`;
  const { isUndoing: _, ...rest } = about;
  return { ...rest, undone: counted?.undone ?? 0 };
}
