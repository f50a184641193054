import { randomUUID } from "node:crypto";
import type { LatLng } from "../../contract/parameters.ts";
import { inStretches } from "../../db/bulk.ts";
import { type Db, execute, queryRows, type Sql, sql } from "../../db/sql.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { placeOf } from "../match/place.ts";
import { findMistyped, knownNeighbours, LISTING_POSITION } from "../positions/neighbours.ts";
import { createPositionCheck, type Doubt } from "../positions/place-check.ts";
import { mendedAgain } from "../query/mend.ts";
import { isFree } from "../review/locks.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, HELD_UNTIL, type Person } from "../run/harmonizations.ts";
import { sendNext } from "../run/next-tasks.ts";
import { cutIntoPortions, nextNumber, withPortionsLocked } from "../run/portions.ts";
import type { Query } from "../run/rows.ts";
import { BEFORE_MOVE, keepSteps, writeDecisions } from "../run/write-decisions.ts";
import { ADDABLE, HELD_BACK, WITHOUT_MATCH } from "./many.ts";

export interface HeldBack {
  number: number;
  doubt: Doubt;
  /** Whether an add has found it. */
  isMarked: boolean;
  /** Whether it is there by a position of its own, not by its address, which no repair moves. */
  isPlaced: boolean;
}

/** Whether repairHeldBack() would move it. */
export const isRepairable = ({ doubt, isPlaced }: HeldBack): boolean => isPlaced && doubt.wouldBe !== undefined;

type Deps = Pick<Harmonizer, "pool" | "directory">;

const STRETCH = 20_000;
const PATIENCE_MS = 3000;

/**
 * Finds the listings that adding all leaves out because of their positions: those that an add has found, and those that the next
 * one would find by the other listings. It asks the directory about their towns only for so long.
 */
export async function findHeldBack({ pool, directory }: Deps, h: Harmonization, auth: Auth): Promise<HeldBack[]> {
  const held: HeldBack[] = [];
  await inStretches(h.listingCount, STRETCH, async (after, upTo) => {
    const rows = await queryRows<Omit<HeldBack, "isMarked">>(pool)`
      SELECT l.number, l.problem AS doubt, coalesce(l.query->'ll' = l.problem->'ll', false) AS "isPlaced" FROM app.harmonization h JOIN app.listing l ON l.harmonization_id = h.id
       WHERE h.id = ${h.id} AND l.number > ${after} AND l.number <= ${upTo} AND ${HELD_BACK} ORDER BY l.number`;
    held.push(...rows.map((row) => ({ ...row, isMarked: true })));
  });
  const neighbours = await knownNeighbours({ pool }, h);
  const check = createPositionCheck({ directory, auth }, h, neighbours);
  const until = performance.now() + PATIENCE_MS;
  for (const { number, cells, is, slip, wouldBe } of await findMistyped({ pool }, h, neighbours, ADDABLE)) {
    const byOthers: Doubt = { code: "mistyped_position", ll: is, slip, wouldBe };
    const doubt = performance.now() < until ? await check(cells, is).catch(unlessAway(byOthers)) : byOthers;
    if (doubt) held.push({ number, doubt, isMarked: false, isPlaced: true });
  }
  return held.sort((a, b) => a.number - b.number);
}

/**
 * Counts the listings that an add would hold back by the other listings of their file, unless their town says that they are there, which
 * only the directory knows.
 */
export async function countMistyped({ pool }: Pick<Deps, "pool">, h: Harmonization): Promise<number> {
  if (h.positions?.answer === "right") return 0;
  return (await findMistyped({ pool }, h, await knownNeighbours({ pool }, h), ADDABLE)).length;
}

const unlessAway =
  (doubt: Doubt) =>
  (error: unknown): Doubt => {
    if (!(error instanceof DirectoryError)) throw error;
    return doubt;
  };

/** Rows written by a statement. */
const AT_ONCE = 5000;

/**
 * Puts the positions of listings right as suggested, as corrections by this person and one undoable step, and has them matched again.
 * Leaves those that have been decided or corrected meanwhile, or that somebody else has open. Returns how many; undefined if something
 * else runs.
 */
export async function repairHeldBack(
  deps: Pick<Harmonizer, "pool" | "queue" | "databaseUrl">,
  h: Harmonization,
  person: Person,
  held: readonly HeldBack[],
): Promise<number | undefined> {
  const moves = held.filter(isRepairable).map(({ number, doubt: { ll, wouldBe } }) => ({ number, ll, wouldBe }));
  const repaired = await withPortionsLocked(deps.pool, h.id, async (client) => {
    const isReady = await execute(client)`SELECT FROM app.harmonization WHERE id = ${h.id} AND state = 'ready'`;
    if (isReady === 0) return undefined;
    let count = 0;
    const group = randomUUID();
    for (let from = 0; from < moves.length; from += AT_ONCE) {
      const some = new Map(moves.slice(from, from + AT_ONCE).map((move) => [move.number, move]));
      const rows = await stillThere(client, h.id, person, [...some.values()]);
      const moved = rows.flatMap((row) => movedTo(h, person, row, some.get(row.number)?.wouldBe));
      await execute(client)`${move(h.id, person, group, moved)}`;
      count += moved.length;
    }
    if (count > 0) await matchAgain(client, h.id);
    return count;
  });
  if (repaired) await sendNext(deps, h.id, "matching");
  return repaired;
}

interface Row {
  number: number;
  cells: string[];
  query: Query;
  at: Date;
}

function movedTo(h: Harmonization, { id }: Person, { number, cells, query, at }: Row, to: Query["ll"]) {
  const again = mendedAgain({ cells, query, asked: query }, h, to);
  if (!again?.query.ll) return [];
  const mended = { ...again.mended, by: id, at: at.toISOString() };
  return [{ number, query: { ...again.query, mended }, place: placeOf(again.query.ll) }];
}

// The time is that of the steps, by which an undo knows what they have left.
const stillThere = (db: Db, run: string, person: Person, moves: { number: number; ll: LatLng }[]): Promise<Row[]> =>
  queryRows<Row>(db)`
    SELECT l.number, l.cells, l.query, now()::timestamptz(3) AS at FROM app.harmonization h JOIN app.listing l ON l.harmonization_id = h.id
      JOIN jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) AS m(number int, ll jsonb) ON m.number = l.number
     WHERE h.id = ${run} AND ${WITHOUT_MATCH} AND ${isFree(person.id)}
       AND ${LISTING_POSITION.lat} = (m.ll->>'lat')::float8 AND ${LISTING_POSITION.lng} = (m.ll->>'lng')::float8 FOR UPDATE OF l`;

// A rejection was of venues at the wrong place.
const move = (run: string, { id: accountId }: Person, group: string, moved: ReturnType<typeof movedTo>): Sql => sql`
  WITH m AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS m(number int, query jsonb, place bigint)),
  d AS (SELECT m.*, ${BEFORE_MOVE} AS before FROM m JOIN app.listing l ON l.harmonization_id = ${run} AND l.number = m.number),
  kept AS (${keepSteps({ via: "repair", run, accountId, group, rows: sql`d` })}),
  again AS (${writeDecisions({
    run,
    rows: sql`m d`,
    decision: {},
    returning: sql`l.number, l.place`,
    also: [
      sql`query = d.query`,
      sql`place = d.place`,
      sql`status = 'pending'`,
      sql`problem = NULL`,
      sql`matched_at = NULL`,
      sql`score = NULL`,
      sql`is_clear = false`,
      sql`best_id = NULL`,
      sql`candidates = '[]'`,
      sql`pattern = NULL`,
    ],
  })})
  ${cutIntoPortions(run, sql`again`, nextNumber(run))}`;

async function matchAgain(db: Db, id: string): Promise<void> {
  await execute(db)`
    UPDATE app.harmonization AS h SET state = 'matching', matched_at = NULL, task = NULL, paused_for = NULL,
      retry_at = ${HELD_UNTIL} WHERE id = ${id}`;
}
