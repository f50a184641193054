import { execute, queryRows } from "../../db/sql.ts";
import { hasPosition } from "../../files/columns.ts";
import { readRows } from "../../files/formats/table.ts";
import { givingWay } from "../../shared/csv/give-way.ts";
import { spread } from "../../shared/spread.ts";
import { PARTS_LOOKED_AT, readParts } from "../file/parts.ts";
import { authFor } from "../match/match-listings.ts";
import { repairPosition } from "../query/repairs.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { Judgement, Positions } from "../run/positions.ts";
import { judgeSpots } from "./judge-file.ts";
import { type Spot, spotOf } from "./spots.ts";

type Deps = Pick<Harmonizer, "pool" | "directory" | "authFor">;

const SAMPLE = 300;
const DEADLINE_MS = 30_000;

interface Options {
  signal: AbortSignal;
  calls?: AbortSignal;
  deadlineMs?: number;
}

/** Checks whether the positions of a file look right and stores the verdict, unless it has one. Returns null without positions. */
export async function judgePositions(
  deps: Deps,
  h: Harmonization,
  { signal, calls = signal, deadlineMs = DEADLINE_MS }: Options,
): Promise<Positions | null> {
  const { positions, state } = h;
  const isKnown = positions && (!positions.isCutShort || positions.answer);
  // While a file is read, its rows move from the file to the listings.
  if (isKnown || !hasPosition(h.columns) || state === "reading") return positions;
  const auth = await authFor(deps, h);
  const all = await (state === "draft" ? draftSpots(deps, h) : listingSpots(deps, h));
  const deadline = AbortSignal.timeout(deadlineMs);
  const until = { signal: AbortSignal.any([signal, deadline]), calls: AbortSignal.any([calls, deadline]) };
  const sampled = await judgeSpots({ directory: deps.directory, auth, ...until }, spread(all, SAMPLE));
  signal.throwIfAborted();
  const judged = state === "draft" ? await countingAll(sampled, all) : sampled;
  await store(deps, h, judged);
  return judged;
}

/** Adds how many rows the repair changes, so that its owner knows before answering. */
async function countingAll(judged: Judgement, spots: Spot[]): Promise<Judgement> {
  const { repair } = judged;
  if (!repair) return judged;
  const giveWay = givingWay();
  let changed = 0;
  for (const { is } of spots) {
    if (repairPosition(repair, is)) changed += 1;
    await giveWay();
  }
  return { ...judged, all: { rows: spots.length, changed } };
}

/** Older files are judged only when their listings are added. */
export const JUDGED_FOR_DAYS = 1;

export const isToBeJudged = (h: Pick<Harmonization, "columns" | "positions" | "createdAt">): boolean =>
  h.positions === null &&
  hasPosition(h.columns) &&
  Date.now() - h.createdAt.getTime() < JUDGED_FOR_DAYS * 24 * 3600 * 1000;

async function draftSpots({ pool }: Deps, { id, format, header, columns }: Harmonization): Promise<Spot[]> {
  const spots: Spot[] = [];
  for await (const row of readRows(readParts(pool, id, PARTS_LOOKED_AT), format, header)) {
    const spot = row.problem ? undefined : spotOf(row, columns);
    if (spot) spots.push(spot);
  }
  return spots;
}

async function listingSpots({ pool }: Deps, { id, columns, listingCount }: Harmonization): Promise<Spot[]> {
  const rows = await queryRows<{ line: number; cells: string[] }>(pool)`
        SELECT l.line, l.cells FROM generate_series(1, ${listingCount}::int, greatest(1, ${listingCount}::int / ${SAMPLE})) AS n
             JOIN app.listing l ON l.harmonization_id = ${id} AND l.number = n`;
  return rows.flatMap((row) => spotOf(row, columns) ?? []);
}

// No effect if the owner has answered, changed columns or started meanwhile.
async function store({ pool }: Deps, { id, columns, state }: Harmonization, judged: Positions): Promise<void> {
  await execute(pool)`
    UPDATE app.harmonization SET positions = ${JSON.stringify(judged)}
     WHERE id = ${id} AND columns = ${JSON.stringify(columns)} AND positions->'answer' IS NULL AND (state = 'draft') = ${state === "draft"}`;
}
