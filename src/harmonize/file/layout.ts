import { Prisma } from "../../db/generated/client.ts";
import { type Db, execute, queryRows, sql } from "../../db/sql.ts";
import type { Columns } from "../../files/columns.ts";
import type { FileFormat } from "../../files/format.ts";
import { inTurn, type Turn } from "../../files/formats/turns.ts";
import { guessLayout } from "../../files/guess/guess.ts";
import { spread } from "../../shared/spread.ts";
import type { Harmonizer } from "../run/deps.ts";
import {
  changeState,
  findHarmonization,
  type Harmonization,
  HIDDEN_STATES,
  isOwner,
  type Person,
} from "../run/harmonizations.ts";
import { dropList, ownedBy } from "../run/lists.ts";
import { areJudgedAlike } from "../run/positions.ts";
import { recentResult } from "../run/recent-result.ts";
import { type KeptRepair, repairsForNext } from "../run/row-repairs.ts";
import { dropParts, readParts } from "./parts.ts";
import type { OwnedRow } from "./preview.ts";
import { storedLayout } from "./receive.ts";
import { GUESSED_FROM, storeContent } from "./store.ts";
import { newTrial } from "./trial.ts";

type Deps = Pick<Harmonizer, "prisma" | "pool" | "queue" | "directoryUrl">;

/**
 * Guesses the columns again, and keeps what the owner said besides. Returns false if it is no longer a draft. Throws KnownError 400 if the
 * file cannot be read in this format. The signal ends it.
 */
export async function rereadFile(
  deps: Deps & Pick<Harmonizer, "limits">,
  draft: Harmonization,
  { columnsFrom: _, ...format }: FileFormat,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, size, accountId } = draft;
  if (format.sheet !== draft.format.sheet)
    return inTurn(accountId, signal, async (turn) => {
      await turn(); // before a connection is taken from the others
      return rereadSheet(deps, id, format, turn);
    });
  const parts: Buffer[] = [];
  for await (const bytes of readParts(deps.pool, id, GUESSED_FROM)) parts.push(bytes);
  const begin = Buffer.concat(parts);
  const layout = await guessLayout(begin, {
    isWhole: BigInt(begin.length) === size,
    mostColumns: deps.limits.columns,
    ...format,
  });
  const unknown = { trial: Prisma.DbNull, positions: Prisma.DbNull };
  return changeState(deps, id, ["draft"], { ...storedLayout(layout), ...unknown });
}

/** Replaces the rows by those of another sheet, in one transaction. */
async function rereadSheet(
  { pool, limits }: Deps & Pick<Harmonizer, "limits">,
  id: string,
  { encoding, sheet = "", bytes, town }: FileFormat,
  turn: Turn,
): Promise<boolean> {
  const client = await pool.connect();
  try {
    await execute(client)`BEGIN`;
    const isDraft = await execute(client)`
      SELECT FROM app.harmonization WHERE id = ${id} AND state = 'draft' FOR NO KEY UPDATE`;
    if (isDraft === 0) return false;
    await dropParts(client, id, sql`part >= 0`);
    const storing = { database: client, id, limits, turn };
    const workbook = { kind: "zip", encoding, sheet, depth: 0 } as const;
    const { begin, size, format: read } = await storeContent(storing, workbook);
    const layout = await guessLayout(begin, {
      ...read,
      mostColumns: limits.columns,
      ...(bytes && { bytes }),
      ...(town !== undefined && { town }),
      isWhole: begin.length === size,
      encoding,
    });
    const { format, header, columns } = storedLayout(layout);
    await execute(client)`
      UPDATE app.harmonization SET size = ${size}, format = ${JSON.stringify(format)}::jsonb, header = ${header}, columns = ${JSON.stringify(columns)}::jsonb, trial = NULL, positions = NULL
       WHERE id = ${id}`;
    await execute(client)`COMMIT`;
    return true;
  } finally {
    await execute(client)`ROLLBACK`.catch(() => {}); // has no effect after COMMIT
    client.release();
  }
}

interface DraftColumns {
  columns: Columns;
  previousId: string | null;
  /** The owner said that it is no new edition. */
  isNewList?: boolean;
  /** Of the rows that name no place; "" takes back what was said. */
  town?: string | undefined;
}

/** What is known of a draft besides: that it is no new edition. */
export const isNewList = ({ task }: Pick<Harmonization, "task">): boolean =>
  (task as { isNewList?: true } | null)?.isNewList === true;

/**
 * Saves the columns, then tries or starts; a new edition with the cuts of the one before. Returns false if it is no longer a draft: one
 * of two starts wins (attacks F06).
 */
export async function changeDraft(
  deps: Deps,
  draft: Pick<Harmonization, "id" | "listId" | "columns" | "task" | "format" | "previousId" | "repairs">,
  { columns, previousId, isNewList, town }: DraftColumns,
  action: "save" | "try" | "start",
): Promise<boolean> {
  const { id, listId, columns: before, task, format } = draft;
  const trial = action === "try" ? JSON.parse(JSON.stringify(newTrial())) : Prisma.DbNull;
  const positions = areJudgedAlike(before, columns) ? {} : { positions: Prisma.DbNull };
  const next = {
    ...positions,
    ...(isNewList && { task: { ...(task as Prisma.JsonObject | null), isNewList } }),
    ...(town !== undefined && { format: { ...inTown(format, town) } }),
    ...(await carriedRepairs(deps, draft, previousId)),
    ...(action === "start" ? { ...(await kept(deps, previousId)), ...START } : { trial }),
  };
  if (!(await changeState(deps, id, ["draft"], { columns: { ...columns }, previousId, ...next }))) return false;
  await dropList(deps.pool, listId);
  // If this fails, the supervision queues it.
  if (action !== "save") await deps.queue.send({ kind: action === "try" ? "trial" : "read", harmonizationId: id });
  return true;
}

/** What the edition that is now chosen as the previous one hands on, before what the draft has of its own. */
async function carriedRepairs(
  { prisma }: Deps,
  draft: Pick<Harmonization, "previousId" | "repairs">,
  previousId: string | null,
): Promise<{ repairs?: Prisma.InputJsonArray }> {
  if (previousId === draft.previousId) return {};
  const before = await Promise.all(
    [draft.previousId, previousId].map(
      (id) => id && prisma.harmonization.findUnique({ where: { id }, select: { repairs: true } }),
    ),
  );
  const [former = [], next = []] = before.map((found) => (found ? (found.repairs as unknown as KeptRepair[]) : []));
  const own = draft.repairs.filter(({ id }) => !former.some((each) => each.id === id));
  return { repairs: JSON.parse(JSON.stringify(repairsForNext(next, own))) };
}

/** The format with the town of its rows; with "" without. */
export const inTown = ({ town: _, ...format }: FileFormat, town: string): FileFormat =>
  town === "" ? format : { ...format, town };

// It joins the list of the edition before it. With other cuts it would accept what was put to review there.
async function kept({ prisma }: Deps, previousId: string | null) {
  if (previousId === null) return {};
  const select = { listId: true, acceptFrom: true, reviewFrom: true };
  return prisma.harmonization.findUnique({ where: { id: previousId }, select });
}

// Clears `task.from`: the rows are its own from now on.
const START = { state: "reading", task: Prisma.DbNull } as const;

export type Earlier = Pick<Harmonization, "id" | "name" | "createdAt" | "listingCount" | "pausedFor" | "state">;

/** Lists the runs with listing ids on lists that a person owns, without one those of the command line; newest first. */
export async function earlierEditions(
  deps: Deps,
  { id }: Pick<Harmonization, "id">,
  accountId: string | null,
): Promise<Earlier[]> {
  const owned = accountId === null ? { accountId } : { list: ownedBy(accountId) };
  return deps.prisma.harmonization.findMany({
    where: {
      directory: deps.directoryUrl,
      ...owned,
      id: { not: id },
      listingCount: { gt: 0 },
      state: { notIn: [...HIDDEN_STATES] },
      columns: { path: ["id"], gte: 0 },
    },
    select: { id: true, name: true, createdAt: true, listingCount: true, pausedFor: true, state: true },
    orderBy: { createdAt: "desc" },
    take: 50,
  });
}

const SAMPLE = 100;
const MOST_EDITIONS = 20;

/** An edition that a file looks like. `isSure`: it has nine of ten of the file's ids. */
export interface Likely<Run> {
  run: Run;
  isSure: boolean;
}

/**
 * Finds the edition with most rows of a sample, and at least half: same id, name and place. Ids alone prove nothing. An id may have become
 * a decimal. One that is paused or cancelled has few decisions: it counts only if it is chosen.
 */
export async function likelyEdition<Run extends Pick<Earlier, "id" | "pausedFor" | "state">>(
  { pool }: Pick<Deps, "pool">,
  draft: Pick<Harmonization, "id">,
  earlier: Run[],
  owned: OwnedRow[],
): Promise<Likely<Run> | undefined> {
  const editions = earlier.filter(({ pausedFor, state }) => pausedFor === null && state !== "cancelled");
  if (editions.length === 0 || owned.length === 0) return undefined;
  const rows = spread(owned, SAMPLE);
  const runs = editions.slice(0, MOST_EDITIONS).map(({ id }) => id);
  const sample = {
    ids: rows.map(({ id }) => id),
    plainIds: rows.map(({ id }) => id.replace(/^([0-9]+)\.0+$/, "$1")),
    names: rows.map(({ name }) => name.replace(/\s+/g, " ").normalize("NFC")),
    lats: rows.map(({ ll }) => ll?.lat ?? null),
    lngs: rows.map(({ ll }) => ll?.lng ?? null),
  };
  const find = () => sharedWith(pool, runs, sample);
  const { value: found = [] } = await recentResult(pool, JSON.stringify([draft.id, runs, sample]), find, {
    isLong: false,
  });
  const shared = new Map(found.map((row) => [row.id, row]));
  const inEdition = ({ id }: Run) => shared.get(id)?.rows ?? 0;
  const [best] = editions.toSorted((a, b) => inEdition(b) - inEdition(a));
  if (!best || inEdition(best) * 2 < rows.length) return undefined;
  return { run: best, isSure: (shared.get(best.id)?.ids ?? 0) >= rows.length * 0.9 };
}

interface Shared {
  id: string;
  rows: number;
  ids: number;
}

interface Sample {
  ids: string[];
  plainIds: string[];
  names: string[];
  lats: (number | null)[];
  lngs: (number | null)[];
}

// SQL: compares a row `r` and a listing `l` with one id. Positions may differ by one or two kilometres.
const IS_SAME = sql`(lower(l.query->>'name') = lower(r.name) AND NOT coalesce(
  abs((l.query->'ll'->>'lat')::float8 - r.lat) > 0.02 OR abs((l.query->'ll'->>'lng')::float8 - r.lng) > 0.02, false)) IS TRUE`;

// LIMIT makes PostgreSQL use the index for each id instead of scanning the edition.
const sharedWith = (db: Db, runs: string[], { ids, plainIds, names, lats, lngs }: Sample): Promise<Shared[]> =>
  queryRows<Shared>(db)`
    SELECT run AS id, count(*)::int AS ids, count(*) FILTER (WHERE there.is_same)::int AS rows
      FROM unnest(${runs}::uuid[]) AS run,
           unnest(${ids}::text[], ${plainIds}::text[], ${names}::text[], ${lats}::float8[], ${lngs}::float8[])
             AS r (own_id, plain_id, name, lat, lng)
     CROSS JOIN LATERAL (SELECT bool_or(is_same) AS is_same FROM (SELECT ${IS_SAME} AS is_same FROM app.listing l
       WHERE l.harmonization_id = run AND l.own_id IN (r.own_id, r.plain_id) LIMIT 20) AS alike HAVING count(*) > 0) AS there
     GROUP BY run`;

/** The town of a draft's rows: as said, or else, once an edition is chosen as the previous one, as said of that. */
export async function townOfEdition(
  { prisma }: Pick<Deps, "prisma">,
  { previousId: before, format }: Pick<Harmonization, "previousId" | "format">,
  { previousId, town }: { previousId: string | null; town: string },
): Promise<string> {
  if (town !== "" || format.town !== undefined || previousId === null || previousId === before) return town;
  const previous = await prisma.harmonization.findUnique({ where: { id: previousId }, select: { format: true } });
  return (previous?.format as FileFormat | undefined)?.town ?? town;
}

export async function mayPrecede(
  deps: Deps,
  person: Person,
  { id }: Harmonization,
  previousId: string,
): Promise<boolean> {
  const previous = await findHarmonization(deps, person, previousId);
  return previous !== undefined && previous.id !== id && isOwner(previous, person);
}
