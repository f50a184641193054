import { randomUUID } from "node:crypto";
import { inStretches } from "../../db/bulk.ts";
import { type Db, execute, queryRow, queryRows, type Sql, sql } from "../../db/sql.ts";
import { givingWay } from "../../shared/csv/give-way.ts";
import { placeOf } from "../match/place.ts";
import { mendedAgain, unmended } from "../query/mend.ts";
import { type RepairedRow, repairedRow } from "../query/repaired-row.ts";
import { areDifferent } from "../query/row-changes.ts";
import { queryOf } from "../query/to-query.ts";
import type { Harmonizer } from "../run/deps.ts";
import { isGone } from "../run/gone-venues.ts";
import { type Harmonization, mayGoOn } from "../run/harmonizations.ts";
import { sendNext } from "../run/next-tasks.ts";
import { cutIntoPortions, nextNumber, withPortionsLocked } from "../run/portions.ts";
import { beforeChange, type KeptRepair } from "../run/row-repairs.ts";
import { MATCHED_VENUE, type Query } from "../run/rows.ts";
import { BEFORE, columnBefore, decisionBefore, keepSteps, writeDecisions } from "../run/write-decisions.ts";

/** Rows read and written at once; others match those before. */
const STRETCH = 5000;

/** SQL: of a listing `l` whose rows a repair may change. What was added as a venue stays; the next edition looks at it again. */
export const REPAIRED = sql`(l.decision IS DISTINCT FROM 'added' AND l.adding IS NULL
  AND coalesce(l.problem->>'code', '') NOT IN ('unreadable_line', 'too_many_cells'))`;

/**
 * The first part of the task `retry`: brings the rows in line with the repairs of their file, if one was added or undone since. Rows that say
 * something else to the directory are matched anew, by the rule for the changed rows of a new edition; the others keep all. Safe to repeat.
 * Returns whether it came to its end.
 */
export async function applyRepairs(
  deps: Harmonizer,
  h: Harmonization,
  { signal }: { signal: AbortSignal },
): Promise<boolean> {
  const change = h.repairs.find(({ isUnderWay }) => isUnderWay);
  if (!change) return true;
  const before = { ...h, repairs: beforeChange(h.repairs) };
  let goesOn = true;
  const changed = readAhead(h.listingCount, (after, upTo) => changedRows(deps, h, before, after, upTo));
  await inStretches(h.listingCount, STRETCH, async (after, upTo) => {
    signal.throwIfAborted();
    goesOn &&= await mayGoOn(deps, h.id, "matching");
    if (!goesOn) return;
    for (let isWhole = false; goesOn && !isWhole; ) {
      const rows = await changed(after, upTo);
      const written = await withPortionsLocked(deps.pool, h.id, async (client) => {
        goesOn = await isStillUnderWay(client, h.id, change);
        if (!goesOn) return 0;
        const { count } =
          (rows.length > 0 && (await queryRow<Written>(client)`${writeRows(h.id, change, rows)}`)) || NONE;
        if (change.undone) await giveBackDecisions(client, h.id, change, after, upTo);
        return count;
      });
      if (written > 0) await sendNext(deps, h.id, "matching");
      isWhole = written === rows.length;
    }
  });
  if (goesOn) await finish(deps, h.id, change);
  return goesOn;
}

interface Written {
  count: number;
}
const NONE: Written = { count: 0 };

/** While the database writes one stretch, the next is read: each takes about as long. */
function readAhead<T>(last: number, read: (after: number, upTo: number) => Promise<T>) {
  let ahead: { after: number; upTo: number; rows: Promise<T> } | undefined;
  return async (after: number, upTo: number): Promise<T> => {
    const isRead = ahead?.after === after && ahead.upTo === upTo;
    const rows = await (isRead && ahead ? ahead.rows : read(after, upTo));
    const next = { after: upTo, upTo: Math.min(2 * upTo - after, last) };
    ahead = upTo < last ? { ...next, rows: read(next.after, next.upTo) } : undefined;
    ahead?.rows.catch(() => {}); // awaited above
    return rows;
  };
}

/** SQL: whether an element `each` of a file's repairs is this change. The undo of a repair is another one. */
const isChange = ({ id, undone }: KeptRepair): Sql =>
  sql`(each->>'id' = ${id} AND each->'isUnderWay' IS NOT NULL AND (each->'undone' IS NOT NULL) = ${undone !== undefined}::boolean)`;

/** Another worker may have ended the change, and its undo may be under way, when one that was frozen wakes (attacks F173). */
async function isStillUnderWay(db: Db, id: string, change: KeptRepair): Promise<boolean> {
  const found = await queryRow<{ isUnderWay: boolean }>(db)`
    SELECT true AS "isUnderWay" FROM app.harmonization, jsonb_array_elements(repairs) AS each WHERE id = ${id} AND ${isChange(change)}`;
  return found !== undefined;
}

/** Another may have been put under way only once this one is over. */
async function finish(db: Db, id: string, change: KeptRepair): Promise<void> {
  await execute(db)`
    UPDATE app.harmonization SET repairs = (
        SELECT jsonb_agg(CASE WHEN ${isChange(change)} THEN each - 'isUnderWay' ELSE each END ORDER BY at)
          FROM jsonb_array_elements(repairs) WITH ORDINALITY AS every(each, at))
     WHERE id = ${id} AND state = 'matching'`;
}

interface Row {
  number: number;
  cells: string[];
  /** Only of a row that a person has corrected, or whose position was put right. */
  query: Query | null;
  /** Hexadecimal. */
  print: string;
  /** When it was matched or corrected last, as text. */
  at: string | null;
}

interface Changed extends Pick<Row, "number" | "print" | "at"> {
  query: Query | null;
  problem: object | null;
  place: string | null;
}

async function changedRows(
  { pool }: Harmonizer,
  h: Harmonization,
  before: Harmonization,
  after: number,
  upTo: number,
): Promise<Changed[]> {
  const rows = await queryRows<Row>(pool)`
    SELECT l.number, to_json(l.cells) AS cells, CASE WHEN l.query ?| '{mended,repaired}' THEN l.query END AS query,
           encode(l.print, 'hex') AS print, l.matched_at::text AS at FROM app.listing l
     WHERE l.harmonization_id = ${h.id} AND l.number > ${after} AND l.number <= ${upTo} AND ${REPAIRED} ORDER BY l.number`;
  const giveWay = givingWay();
  const changed: Changed[] = [];
  for (const row of rows) {
    await giveWay();
    const now = repairedRow(row.cells, h);
    if (!areDifferent(repairedRow(row.cells, before), now)) continue;
    const made = remade(row, now, h);
    if (made.print !== row.print) changed.push(made);
  }
  return changed;
}

/** A row as its file is read now, with what a person has corrected. */
function remade({ number, cells, query, at }: Row, now: RepairedRow, h: Harmonization): Changed {
  const read = queryOf(now, h);
  const print = read.print.toString("hex");
  const again = query?.mended && mendedAgain({ cells, query, asked: read.query ?? null }, h);
  const made = again
    ? { query: { ...again.query, mended: { ...query.mended, ...again.mended } } }
    : unmended(now, read, query);
  if ("problem" in made) return { number, print, at, query: null, problem: made.problem, place: null };
  const { mended, ...asked } = made.query as Query;
  const place = asked.ll ? String(placeOf(asked.ll)) : null;
  return { number, print, at, query: { ...asked, ...(mended && { mended }) }, problem: null, place };
}

/** What a person has decided, or whose id is at a venue, waits for a person with its venue first, as when it changes between editions. */
const WAS = sql`CASE WHEN (l.decision IS NOT NULL AND l.decided_by IS NOT NULL) OR (l.annotated_at IS NOT NULL AND l.annotation_problem IS NULL)
  THEN jsonb_strip_nulls(jsonb_build_object('decision', coalesce(l.decision::text, 'annotated'), 'byRepair', true,
    'venueId', CASE WHEN l.decision IS DISTINCT FROM 'rejected' THEN ${MATCHED_VENUE} END)) END`;

// The decisions of people are steps, which the undo of the repair gives back. A row that somebody has corrected since it was read is
// left out, and read again (attacks F172).
function writeRows(run: string, { id: group, by, undone }: KeptRepair, rows: Changed[]): Sql {
  const decided = sql`(SELECT number, before FROM d WHERE decision IS NOT NULL)`;
  const accountId = undone ? undone.by : by;
  const steps = keepSteps({
    via: "repair",
    run,
    accountId,
    group: undone ? randomUUID() : group,
    rows: sql`${decided} s`,
  });
  return sql`
    WITH m AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS m(number int, query jsonb, problem jsonb, place bigint, print text, at timestamptz)),
    d AS (SELECT m.*, l.decision, CASE WHEN l.decision IS NOT NULL THEN ${BEFORE} END AS before, ${WAS} AS was FROM m JOIN app.listing l ON l.harmonization_id = ${run} AND l.number = m.number
           WHERE ${REPAIRED} AND l.matched_at IS NOT DISTINCT FROM m.at FOR UPDATE OF l),
    kept AS (${accountId === null ? sql`SELECT` : steps}),
    again AS (${writeDecisions({
      run,
      rows: sql`d`,
      decision: {},
      returning: sql`l.number, l.place, l.status`,
      also: [
        sql`query = nullif(d.query, 'null')`,
        sql`place = d.place`,
        sql`print = decode(d.print, 'hex')`,
        sql`status = CASE WHEN nullif(d.query, 'null') IS NULL THEN 'failed' ELSE 'pending' END::app.listing_status`,
        sql`edition = nullif(coalesce(l.edition, '{}') || CASE WHEN d.was IS NULL THEN '{}' ELSE jsonb_build_object('was', d.was) END, '{}')`,
        sql`problem = nullif(d.problem, 'null')`,
        sql`matched_at = NULL`,
        sql`score = NULL`,
        sql`is_clear = false`,
        sql`best_id = NULL`,
        sql`candidates = '[]'`,
        sql`pattern = NULL`,
        sql`skipped_at = NULL`,
      ],
    })}),
    cut AS (${cutIntoPortions(run, sql`(SELECT number, place FROM again WHERE status = 'pending') w`, nextNumber(run))})
    SELECT count(*)::int AS count FROM again`;
}

/** Gives back what the repair took, of rows that nobody has decided since. */
async function giveBackDecisions(
  db: Db,
  run: string,
  { id, undone }: KeptRepair,
  after: number,
  upTo: number,
): Promise<void> {
  const venue = columnBefore(sql`d.before`, "venueId", "text");
  await execute(db)`
    WITH d AS (UPDATE app.decision_step s SET undone_at = now(), undone_by = ${undone?.by ?? null}::uuid
        WHERE s.harmonization_id = ${run} AND s.group_id = ${id} AND s.undone_at IS NULL AND s.number > ${after} AND s.number <= ${upTo}
          AND NOT EXISTS (SELECT FROM app.decision_step n
                WHERE n.harmonization_id = ${run} AND n.number = s.number AND n.id > s.id AND n.undone_at IS NULL)
        RETURNING s.number, s.before)
    ${writeDecisions({
      run,
      rows: sql`d`,
      decision: decisionBefore(sql`d.before`),
      where: sql`l.decision IS NULL AND l.adding IS NULL AND NOT ${isGone(venue, run)}`,
      also: [sql`edition = nullif(l.edition - 'was', '{}')`],
    })}`;
}
