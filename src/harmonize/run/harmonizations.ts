import type { Prisma } from "../../db/generated/client.ts";
import type { HarmonizationState, PauseReason } from "../../db/generated/enums.ts";
import { unlessUnavailable } from "../../db/unavailable.ts";
import type { Harmonizer } from "./deps.ts";
import { sendNext } from "./next-tasks.ts";
import type { Positions } from "./positions.ts";
import type { Columns, FileFormat } from "./rows.ts";

type Deps = Pick<Harmonizer, "prisma" | "directoryUrl">;

/** Who asks. */
export interface Person {
  id: string;
  isAdmin: boolean;
}

export interface Harmonization {
  id: string;
  /** Null for one begun on the command line. */
  accountId: string | null;
  name: string;
  state: HarmonizationState;
  pausedFor: PauseReason | null;
  retryAt: Date | null;
  isShared: boolean;
  /** Bytes of the file. */
  size: bigint;
  format: FileFormat;
  header: string[];
  columns: Columns;
  previousId: string | null;
  acceptFrom: number;
  reviewFrom: number;
  trial: Prisma.JsonValue;
  positions: Positions | null;
  listingCount: number;
  task: Prisma.JsonValue;
  createdAt: Date;
  startedAt: Date | null;
  matchedAt: Date | null;
}

/** States in which workers have something to do, unless it is paused. */
export const AT_WORK = ["reading", "matching", "adding", "annotating"] as const satisfies HarmonizationState[];

export const isAtWork = ({ state }: Pick<Harmonization, "state">): boolean => AT_WORK.some((each) => each === state);

/** States in which nobody sees a harmonization: its file has not arrived, or it is being deleted. */
export const HIDDEN = ["uploading", "deleting"] as const satisfies HarmonizationState[];

/** Files that are listed, and that a look-up looks through: the newest. */
export const MOST_LISTED = 200;

/** The account in whose name the directory is asked for a harmonization `h` at work, in SQL; null for the application itself. */
export const ASKED_AS = `CASE WHEN h.state IN ('adding', 'annotating') THEN h.task->>'accountId' ELSE h.account_id::text END`;

/** Until when the directory wants patience with the owner of a harmonization `h`, in SQL: what their other runs wait for (attacks F08). */
export const HELD_UNTIL = `(SELECT max(o.retry_at) FROM app.harmonization o WHERE o.id <> h.id AND o.directory = h.directory
  AND o.account_id IS NOT DISTINCT FROM h.account_id AND o.retry_at > now() AND o.task->'silentSince' IS NULL
  AND o.paused_for IS DISTINCT FROM 'application')`;

/** Theirs, those shared by others, and for admins those of the command line; newest first, at most MOST_LISTED. */
export async function listHarmonizations(deps: Deps, person: Person): Promise<Harmonization[]> {
  const where = visibleTo(deps, person);
  const rows = await deps.prisma.harmonization.findMany({ where, orderBy: { createdAt: "desc" }, take: MOST_LISTED });
  return rows.map(toHarmonization);
}

/** One that this person may see, once its file has arrived; undefined also where there is one that they may not (attacks W08). */
export async function findHarmonization(deps: Deps, person: Person, id: string): Promise<Harmonization | undefined> {
  if (!UUID.test(id)) return undefined;
  const row = await deps.prisma.harmonization.findFirst({ where: { id, ...visibleTo(deps, person) } });
  return row ? toHarmonization(row) : undefined;
}

/** Whether this person may start, pause, share, add many and delete; whoever sees it may review and export. */
export const isOwner = ({ accountId }: Pick<Harmonization, "accountId">, { id, isAdmin }: Person): boolean =>
  accountId === null ? isAdmin : accountId === id;

/** Whatever its owner is: for workers. */
export async function loadHarmonization(deps: Deps, id: string): Promise<Harmonization | undefined> {
  if (!UUID.test(id)) return undefined;
  const row = await deps.prisma.harmonization.findFirst({ where: { id, directory: deps.directoryUrl } });
  return row ? toHarmonization(row) : undefined;
}

/** Changes its state, if it is still one of `from`. */
export async function changeState(
  { prisma }: Pick<Deps, "prisma">,
  id: string,
  from: readonly HarmonizationState[],
  data: Prisma.HarmonizationUncheckedUpdateManyInput,
): Promise<boolean> {
  const { count } = await prisma.harmonization.updateMany({ where: { id, state: { in: [...from] } }, data });
  return count === 1;
}

/**
 * Whether a worker may go on with it now, by the clock of the database: it is in this state, nobody has paused it, and the
 * directory has not asked for patience. Call it before each piece of work.
 */
export async function mayGoOn(
  { pool, directoryUrl }: Pick<Harmonizer, "pool" | "directoryUrl">,
  id: string,
  state: HarmonizationState,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "may-go-on",
    text: `SELECT FROM app.harmonization WHERE id = $1 AND directory = $2 AND state = $3::app.harmonization_state
      AND paused_for IS NULL AND (retry_at IS NULL OR retry_at <= now())`,
    values: [id, directoryUrl, state],
  });
  return rowCount === 1;
}

/** Whoever looked before may have seen another state: each of these answers whether there was something to do. */
type Control = Pick<Harmonizer, "prisma" | "pool" | "queue" | "databaseUrl">;

/** Until somebody says to go on. Workers finish what they have asked. */
export async function pauseHarmonization({ prisma }: Control, id: string): Promise<boolean> {
  const where = {
    id,
    state: { in: [...AT_WORK] },
    OR: [{ pausedFor: null }, { pausedFor: { not: "person" as const } }],
  };
  const { count } = await prisma.harmonization.updateMany({ where, data: { pausedFor: "person" } });
  return count === 1;
}

/** Whatever it was paused for. The time before which the directory does not want to be called holds. */
export async function resumeHarmonization(deps: Control, id: string): Promise<boolean> {
  const { pool } = deps;
  // How long the directory was silent begins anew, else the next failure would pause it again at once.
  const { rows } = await pool.query<{ state: HarmonizationState }>(
    `UPDATE app.harmonization
        SET paused_for = NULL, task = CASE WHEN state = 'matching' THEN NULL ELSE task END,
            retry_at = CASE WHEN paused_for IN ('directory', 'application') THEN NULL ELSE retry_at END
      WHERE id = $1 AND paused_for IS NOT NULL AND state::text = ANY($2) RETURNING state`,
    [id, AT_WORK],
  );
  const [row] = rows;
  // A worker that looks after what is under way finds it in any case, also where the database is busy just now.
  if (row) await sendNext(deps, id, row.state).catch(unlessUnavailable);
  return row !== undefined;
}

/**
 * Ends what runs; what has been done stays. A matching is over then; of adding and annotating, which come after it, the
 * rest is left undone.
 */
export async function cancelHarmonization(deps: Control, id: string): Promise<boolean> {
  const stopped = { pausedFor: null, retryAt: null };
  return (
    (await changeState(deps, id, ["reading", "matching"], { state: "cancelled", isRetrying: false, ...stopped })) ||
    (await changeState(deps, id, ["adding", "annotating"], { state: "ready", ...stopped }))
  );
}

/**
 * Begins to ask again about the listings that failed, except for those whose cells do not say enough. A worker makes them
 * pending: retryListings().
 *
 * @returns false where something is under way or none has failed
 */
export async function retryFailed(deps: Control, id: string): Promise<boolean> {
  const { rowCount } = await deps.pool.query(
    `UPDATE app.harmonization AS h
        SET state = 'matching', is_retrying = true, matched_at = NULL, task = NULL, paused_for = NULL, retry_at = ${HELD_UNTIL}
      WHERE id = $1 AND state = 'ready' AND (${isAny("status = 'failed' AND query IS NOT NULL AND decision IS NULL")}
         OR ${isAny("status = 'pending'")})`,
    [id],
  );
  // The supervision queues what a killed retry has left pending.
  if (rowCount === 1) await deps.queue.send({ kind: "retry", harmonizationId: id });
  return rowCount === 1;
}

const isAny = (condition: string) => `EXISTS (SELECT FROM app.listing WHERE harmonization_id = $1 AND ${condition})`;

const visibleTo = ({ directoryUrl }: Deps, { id, isAdmin }: Person): Prisma.HarmonizationWhereInput => ({
  directory: directoryUrl,
  state: { notIn: [...HIDDEN] },
  OR: [{ accountId: id }, { isShared: true }, ...(isAdmin ? [{ accountId: null }] : [])],
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Row = Prisma.HarmonizationGetPayload<object>;

const toHarmonization = (row: Row): Harmonization => ({
  ...row,
  format: row.format as unknown as FileFormat,
  columns: row.columns as unknown as Columns,
  positions: row.positions as unknown as Positions | null,
});
