import type { Prisma } from "../../db/generated/client.ts";
import type { HarmonizationState, ListRole, PauseReason } from "../../db/generated/enums.ts";
import { execute, joinSql, queryRows, rawSql, type Sql, sql } from "../../db/sql.ts";
import { unlessUnavailable } from "../../db/unavailable.ts";
import type { Columns } from "../../files/columns.ts";
import type { FileFormat } from "../../files/format.ts";
import type { Harmonizer } from "./deps.ts";
import { sendNext } from "./next-tasks.ts";
import type { Positions } from "./positions.ts";
import type { KeptRepair } from "./row-repairs.ts";

type Deps = Pick<Harmonizer, "prisma" | "directoryUrl">;

export interface Person {
  id: string;
  isAdmin: boolean;
  /** Acts by a token, not by the pages. */
  isProgram?: true;
}

export interface Harmonization {
  id: string;
  listId: string;
  list: List;
  /** Whose connection its work uses; null for a run of the command line. */
  accountId: string | null;
  name: string;
  state: HarmonizationState;
  pausedFor: PauseReason | null;
  retryAt: Date | null;
  isShared: boolean;
  size: bigint;
  format: FileFormat;
  header: string[];
  columns: Columns;
  previousId: string | null;
  againOf: string | null;
  acceptFrom: number;
  reviewFrom: number;
  trial: Prisma.JsonValue;
  positions: Positions | null;
  repairs: KeptRepair[];
  listingCount: number;
  task: Prisma.JsonValue;
  createdAt: Date;
  startedAt: Date | null;
  matchedAt: Date | null;
  usedAt: Date | null;
  /** When it is deleted unless it is used before (expiry.ts). */
  expiresAt: Date | null;
}

/** What the editions of a file have in common. */
export interface List {
  name: string;
  people: { accountId: string; role: ListRole }[];
}

/** Those of a `LongTask`. */
const WITH_TASK = ["adding", "annotating", "undoing"] as const satisfies HarmonizationState[];

export const AT_WORK = ["reading", "matching", ...WITH_TASK] as const;

export const isAtWork = ({ state }: Pick<Harmonization, "state">): boolean => AT_WORK.some((each) => each === state);

/** States in which nobody sees a harmonization: uploading or being deleted. */
export const HIDDEN_STATES = ["uploading", "deleting"] as const satisfies HarmonizationState[];

export const MOST_LISTED = 200;

/** SQL: whether a harmonization is at a `LongTask`. */
export const HAS_TASK = sql`state IN (${joinSql(WITH_TASK.map((state) => rawSql(`'${state}'`)))})`;

/** SQL: the account whose token is used for a harmonization `h` at work; null for the application. */
export const ASKED_AS = sql`CASE WHEN h.${HAS_TASK} THEN h.task->>'accountId' ELSE h.account_id::text END`;

/** SQL: until when the directory has rate-limited the owner of `h`. Their other runs wait too (attacks F08). */
export const HELD_UNTIL = sql`(SELECT max(o.retry_at) FROM app.harmonization o WHERE o.id <> h.id AND o.directory = h.directory
  AND o.account_id IS NOT DISTINCT FROM h.account_id AND o.retry_at > now() AND o.task->'silentSince' IS NULL
  AND o.paused_for IS DISTINCT FROM 'application')`;

/**
 * Lists harmonizations of a person's lists, those shared with all, and, for admins, those of the command line; newest first.
 * @param named part of their names, in upper or lower case
 * @param hash of their bytes
 * @param before those listed after this one, by time and id
 */
export async function listHarmonizations(
  deps: Deps,
  person: Person,
  { most = MOST_LISTED, named = "", hash, before }: Listing = {},
): Promise<Harmonization[]> {
  const name = { contains: named.replace(/[\\%_]/g, "\\$&"), mode: "insensitive" } as const; // Prisma does not escape for LIKE
  const older = before && {
    OR: [{ createdAt: { lt: before.createdAt } }, { createdAt: before.createdAt, id: { lt: before.id } }],
  };
  const where = {
    AND: [visibleTo(deps, person), older ?? {}],
    ...(named && { name }),
    ...(hash && { hash }),
  };
  const orderBy = [{ createdAt: "desc" as const }, { id: "desc" as const }];
  const rows = await deps.prisma.harmonization.findMany({ where, orderBy, take: most, include: WITH_LIST });
  return rows.map(toHarmonization);
}

interface Listing {
  most?: number;
  named?: string;
  hash?: Uint8Array<ArrayBuffer> | undefined;
  before?: Pick<Harmonization, "createdAt" | "id"> | undefined;
}

/** Returns undefined also if this person may not see it (attacks W08). */
export async function findHarmonization(deps: Deps, person: Person, id: string): Promise<Harmonization | undefined> {
  if (!UUID.test(id)) return undefined;
  const row = await deps.prisma.harmonization.findFirst({
    where: { id, ...visibleTo(deps, person) },
    include: WITH_LIST,
  });
  return row ? toHarmonization(row) : undefined;
}

/** From the least: each may do what those before it may. */
const ROLES = ["viewer", "reviewer", "owner"] as const satisfies ListRole[];

type Owned = Pick<Harmonization, "accountId" | "isShared" | "list">;

/** What a person is on the list of a file; undefined if they may not see it (attacks W120). */
export function roleOn({ accountId, isShared, list }: Owned, person: Person): ListRole | undefined {
  if (accountId === null && person.isAdmin) return "owner";
  const own = list.people.find((each) => each.accountId === person.id)?.role;
  return isShared && own !== "owner" ? "reviewer" : own;
}

/** Whether somebody may do to a file what people of a role may: every route asks it (src/web/harmonize/base/guards.ts). */
export function mayOnList(role: ListRole, file: Owned, person: Person): boolean {
  const own = roleOn(file, person);
  return own !== undefined && ROLES.indexOf(own) >= ROLES.indexOf(role);
}

/** May start, pause, share, add many and delete. Everyone who sees it may export, reviewers decide. */
export const isOwner = (file: Owned, person: Person): boolean => mayOnList("owner", file, person);

/** Ignores ownership: for workers. */
export async function loadHarmonization(deps: Deps, id: string): Promise<Harmonization | undefined> {
  if (!UUID.test(id)) return undefined;
  const row = await deps.prisma.harmonization.findFirst({
    where: { id, directory: deps.directoryUrl },
    include: WITH_LIST,
  });
  return row ? toHarmonization(row) : undefined;
}

export async function changeState(
  { prisma }: Pick<Deps, "prisma">,
  id: string,
  from: readonly HarmonizationState[],
  data: Prisma.HarmonizationUncheckedUpdateManyInput,
): Promise<boolean> {
  const { count } = await prisma.harmonization.updateMany({ where: { id, state: { in: [...from] } }, data });
  return count === 1;
}

/** Checks state, pause and retry time by the database's clock. Workers call it before each piece of work. */
export async function mayGoOn(
  { pool, directoryUrl }: Pick<Harmonizer, "pool" | "directoryUrl">,
  id: string,
  state: HarmonizationState,
): Promise<boolean> {
  const rowCount = await execute(pool)`
    SELECT FROM app.harmonization WHERE id = ${id} AND directory = ${directoryUrl} AND state = ${state}::app.harmonization_state
     AND paused_for IS NULL AND (retry_at IS NULL OR retry_at <= now())`;
  return rowCount === 1;
}

type Control = Pick<Harmonizer, "prisma" | "pool" | "queue" | "databaseUrl">;

export async function pauseHarmonization({ prisma }: Control, id: string): Promise<boolean> {
  const where = {
    id,
    state: { in: [...AT_WORK] },
    OR: [{ pausedFor: null }, { pausedFor: { not: "person" as const } }],
  };
  const { count } = await prisma.harmonization.updateMany({ where, data: { pausedFor: "person" } });
  return count === 1;
}

/** Clears any pause, but keeps the directory's retry time if it limits calls. */
export async function resumeHarmonization(deps: Control, id: string): Promise<boolean> {
  const { pool } = deps;
  // Reset `silentSince`; otherwise the next failure would pause it again at once.
  const rows = await queryRows<{ state: HarmonizationState }>(pool)`
    UPDATE app.harmonization
       SET paused_for = NULL, task = CASE WHEN state = 'matching' THEN NULL ELSE task END,
           retry_at = CASE WHEN paused_for IN ('directory', 'application') THEN NULL ELSE retry_at END
     WHERE id = ${id} AND paused_for IS NOT NULL AND state::text = ANY(${AT_WORK}) RETURNING state`;
  const [row] = rows;
  // The supervision queues it if the database is busy.
  if (row) await sendNext(deps, id, row.state).catch(unlessUnavailable);
  return row !== undefined;
}

/** Cancels reading and matching; ends adding, annotating and undoing early. Keeps what is done. */
export async function cancelHarmonization(deps: Control, id: string): Promise<boolean> {
  const stopped = { pausedFor: null, retryAt: null };
  return (
    (await changeState(deps, id, ["reading", "matching"], { state: "cancelled", isRetrying: false, ...stopped })) ||
    (await changeState(deps, id, [...WITH_TASK], { state: "ready", ...stopped }))
  );
}

/**
 * Returns false if something runs, or no failed listing has a query.
 *
 * @param town where the listings are that name no place, or none that the directory knows
 */
export async function retryFailed(deps: Control, id: string, town?: string): Promise<boolean> {
  const rowCount = await execute(deps)`
    UPDATE app.harmonization AS h
       SET state = 'matching', is_retrying = true, matched_at = NULL, task = NULL, paused_for = NULL, retry_at = ${HELD_UNTIL},
           format = format || CASE WHEN ${town ?? null}::text IS NULL THEN '{}' ELSE jsonb_build_object('town', ${town ?? null}::text) END
     WHERE id = ${id} AND state = 'ready' AND (${isAny(id, sql`status = 'pending'`)}
        OR ${isAny(id, sql`status = 'failed' AND decision IS NULL AND (query IS NOT NULL OR ${town ?? null}::text IS NOT NULL AND ${NAMES_NO_PLACE})`)})`;
  // The supervision queues what a killed retry left pending.
  if (rowCount === 1) await deps.queue.send({ kind: "retry", harmonizationId: id });
  return rowCount === 1;
}

/** SQL: of a failed listing. */
export const NAMES_NO_PLACE = sql`(query IS NULL AND problem->>'code' = 'no_place')`;

const isAny = (id: string, condition: Sql): Sql =>
  sql`EXISTS (SELECT FROM app.listing WHERE harmonization_id = ${id} AND ${condition})`;

/** The finished example that guests look at. It belongs to nobody, and nobody can change it. */
export const EXAMPLE_OF_GUESTS = { accountId: null, name: "Our example" } as const;

/** Whom roleOn() gives a role, as a condition of rows. */
const visibleTo = ({ directoryUrl }: Deps, { id, isAdmin }: Person): Prisma.HarmonizationWhereInput => ({
  directory: directoryUrl,
  state: { notIn: [...HIDDEN_STATES] },
  OR: [
    { list: { people: { some: { accountId: id } } } },
    { isShared: true },
    ...(isAdmin ? [{ accountId: null }] : []),
  ],
  // Guests look at it, and nobody else.
  NOT: EXAMPLE_OF_GUESTS,
});

/** SQL: the same of a file `h`, or another alias. */
export const isVisibleTo = ({ id, isAdmin }: Person, h = rawSql("h")): Sql => sql`(${h}.is_shared
  OR EXISTS (SELECT FROM app.list_person p WHERE p.list_id = ${h}.list_id AND p.account_id = ${id}::uuid)
  OR (${h}.account_id IS NULL AND ${isAdmin}))`;

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const WITH_LIST = {
  list: { select: { name: true, people: { select: { accountId: true, role: true } } } },
} as const satisfies Prisma.HarmonizationInclude;

type Row = Prisma.HarmonizationGetPayload<{ include: typeof WITH_LIST }>;

const toHarmonization = (row: Row): Harmonization => ({
  ...row,
  format: row.format as unknown as FileFormat,
  columns: row.columns as unknown as Columns,
  positions: row.positions as unknown as Positions | null,
  repairs: row.repairs as unknown as KeptRepair[],
});
