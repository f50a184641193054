import { inStretches } from "../../db/bulk/stretches.ts";
import { together } from "../../db/bulk/together.ts";
import { planForMany } from "../../db/own-connection.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import type { DirectoryError } from "../../directory-client/calls/errors.ts";
import { AT_ONCE, BEFORE } from "../review/decisions.ts";
import { isFree } from "../review/locks.ts";
import { undoSome } from "../review/undo.ts";
import type { Harmonizer } from "../run/deps.ts";
import { isGone } from "../run/gone-venues.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { ReasonCode } from "../run/problems/reasons.ts";
import { runSideTask, type SideTask } from "../run/side-task.ts";
import { lookUpVenues } from "../run/venues.ts";
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
async function findListings({ pool }: Harmonizer, { id }: Harmonization, { rows }: Bridge): Promise<void> {
  const has = (ownId: string) =>
    `EXISTS (SELECT FROM app.listing l WHERE l.harmonization_id = $1 AND l.own_id = ${ownId})`;
  const shorter = String.raw`regexp_replace(r.record_id, '@\d+$', '')`;
  await inStretches(rows, STRETCH, (after, upTo) =>
    pool.query({
      name: "bridge-listings",
      text: `UPDATE app.bridge_row r SET own_id = f.own_id, outcome = CASE WHEN f.own_id IS NULL THEN '${UNKNOWN}' END
        FROM (SELECT number, CASE WHEN ${has("r.record_id")} THEN r.record_id WHEN ${has(shorter)} THEN ${shorter} END AS own_id
                FROM app.bridge_row r WHERE harmonization_id = $1 AND number > $2 AND number <= $3
                 AND outcome IS NULL AND own_id IS NULL) AS f
       WHERE r.harmonization_id = $1 AND r.number = f.number`,
      values: [id, after, upTo],
    }),
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
    const { rows } = await deps.pool.query<{ number: number; venueId: string }>({
      name: "bridge-unasked",
      text: `SELECT number, venue_id AS "venueId" FROM app.bridge_row
              WHERE harmonization_id = $1 AND outcome IS NULL ORDER BY number LIMIT ${ROWS}`,
      values: [id],
    });
    if (rows.length === 0) return undefined;
    const { found, failure } = await lookUpVenues(deps, auth, [...new Set(rows.map((row) => row.venueId))], calls);
    const known = rows.flatMap(({ number, venueId }) => {
      const state = found.get(venueId);
      if (!state) return [];
      const { id: nowId = null, name: nowName = null, credit: nowCredit = null } = state;
      return [{ number, outcome: OUTCOMES[state.is], nowId, nowName, nowCredit }];
    });
    await deps.pool.query({
      name: "bridge-asked",
      text: `UPDATE app.bridge_row r SET outcome = f.outcome, now_id = f."nowId", now_name = f."nowName", now_credit = f."nowCredit"
        FROM json_to_recordset($2) AS f(number int, outcome text, "nowId" text, "nowName" text, "nowCredit" text)
       WHERE r.harmonization_id = $1 AND r.number = f.number AND r.outcome IS NULL`,
      values: [id, JSON.stringify(known)],
    });
    if (failure) return failure;
  }
}

const OUTCOMES = { open: "found", closed: "closed", gone: "unknown_venue", unreadable: "unanswered" } as const;

/** Milliseconds for a statement that compares all rows. */
const COMPARING_MS = 120_000;

// A record with several venues decides nothing; of equal rows the first does.
async function refuseRepeated({ pool }: Harmonizer, { id }: Harmonization): Promise<void> {
  const [several, repeated]: RowOutcome[] = ["several_venues", "repeated"];
  await together(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${COMPARING_MS}`);
    await planForMany(client);
    await client.query(
      `UPDATE app.bridge_row r SET outcome = CASE WHEN f.is_several THEN '${several}' ELSE '${repeated}' END
         FROM (SELECT number, min(now_id) OVER own <> max(now_id) OVER own AS is_several,
                      row_number() OVER (PARTITION BY own_id ORDER BY number) AS place
                 FROM app.bridge_row WHERE harmonization_id = $1 AND outcome = 'found'
               WINDOW own AS (PARTITION BY own_id)) AS f
        WHERE r.harmonization_id = $1 AND r.number = f.number AND (f.is_several OR f.place > 1)`,
      [id],
    );
  });
}

async function decideAll({ pool }: Harmonizer, { id }: Harmonization, task: SideTask<Bridge>, signal: AbortSignal) {
  const { file, groupId, at } = task.about;
  for (;;) {
    signal.throwIfAborted();
    const values = [id, task.accountId, groupId, at, file];
    const { rowCount } = await pool.query({ name: "bridge-decide", text: DECIDE, values });
    if (!rowCount) return;
  }
}

const ELSEWHERE: ReasonCode = "elsewhere";

// Decides the listings of some rows as one statement, so that none is decided twice. People's decisions here stay.
const DECIDE = `WITH portion AS MATERIALIZED (
    SELECT number, own_id, venue_id, now_id, now_name, now_credit FROM app.bridge_row
     WHERE harmonization_id = $1 AND outcome = 'found' ORDER BY number LIMIT ${AT_ONCE} FOR UPDATE),
  listings AS MATERIALIZED (
    SELECT p.number AS row, p.venue_id, p.now_id, p.now_name, p.now_credit, l.number, ${BEFORE} AS before,
           CASE WHEN l.decision IN ('matched', 'added') AND l.venue_id = p.now_id THEN 'agrees'
                WHEN l.decision IS NOT NULL THEN 'decided_here'
                WHEN l.adding IS NOT NULL OR NOT ${isFree({ person: "$2" })} THEN 'busy'
                WHEN ${isGone("p.now_id", "$1")} THEN '${GONE}'
                ELSE 'decided' END AS outcome
      FROM portion p JOIN app.listing l ON l.harmonization_id = $1 AND l.own_id = p.own_id FOR UPDATE OF l),
  steps AS (
    INSERT INTO app.decision_step (harmonization_id, group_id, account_id, number, before, created_at)
    SELECT $1, $3, $2::uuid, number, before, $4::timestamptz FROM listings WHERE outcome = 'decided'),
  decided AS (
    UPDATE app.listing l SET decision = 'matched', venue_id = d.now_id, venue_name = d.now_name,
        why = jsonb_strip_nulls(jsonb_build_object('code', '${ELSEWHERE}', 'file', $5::text,
                                                   'was', CASE WHEN d.now_id <> d.venue_id THEN d.venue_id END,
                                                   'credit', d.now_credit)),
        decided_how = 'many', decided_by = $2::uuid, decided_at = $4::timestamptz, skipped_at = NULL,
        locked_by = NULL, locked_until = NULL
      FROM listings d WHERE l.harmonization_id = $1 AND l.number = d.number AND d.outcome = 'decided')
  UPDATE app.bridge_row r SET outcome = coalesce(o.outcome, '${UNKNOWN}')
    FROM portion p LEFT JOIN (
      SELECT DISTINCT ON (row) row, outcome FROM listings
       ORDER BY row, array_position(ARRAY['decided', 'agrees', 'decided_here', '${GONE}', 'busy'], outcome)) AS o ON o.row = p.number
   WHERE r.harmonization_id = $1 AND r.number = p.number`;

async function undoAll(
  { pool }: Harmonizer,
  h: Harmonization,
  { accountId, about }: SideTask<Bridge>,
  signal: AbortSignal,
): Promise<Bridge> {
  for (;;) {
    signal.throwIfAborted();
    const undo = { accountId: accountId ?? "", groupId: about.groupId };
    const { steps } = await undoSome(pool, h, undo);
    if (steps === 0) break;
  }
  const { rows } = await pool.query<{ undone: number }>(
    `SELECT count(*)::int AS undone FROM app.decision_step s JOIN app.listing l USING (harmonization_id, number)
      WHERE s.group_id = $1 AND s.undone_at IS NOT NULL AND l.decided_at IS DISTINCT FROM $2::timestamptz`,
    [about.groupId, about.at],
  );
  const { isUndoing: _, ...rest } = about;
  return { ...rest, undone: rows[0]?.undone ?? 0 };
}
