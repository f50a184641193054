import type { Prisma } from "../db/generated/client.ts";
import type { HarmonizationState, PauseReason } from "../db/generated/enums.ts";
import type { Harmonizer } from "./deps.ts";
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
  listingCount: number;
  task: Prisma.JsonValue;
  createdAt: Date;
  startedAt: Date | null;
  matchedAt: Date | null;
}

/** States in which workers have something to do, unless it is paused. */
export const AT_WORK = ["reading", "matching", "adding", "annotating"] as const satisfies HarmonizationState[];

/** Theirs, those shared by others, and for admins those of the command line; newest first, at most 200. */
export async function listHarmonizations(deps: Deps, person: Person): Promise<Harmonization[]> {
  const where = { ...visibleTo(deps, person), state: { not: "uploading" as const } };
  const rows = await deps.prisma.harmonization.findMany({ where, orderBy: { createdAt: "desc" }, take: 200 });
  return rows.map(toHarmonization);
}

/** One that this person may see; undefined also where there is one that they may not (attacks W08). */
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

const visibleTo = ({ directoryUrl }: Deps, { id, isAdmin }: Person): Prisma.HarmonizationWhereInput => ({
  directory: directoryUrl,
  OR: [{ accountId: id }, { isShared: true }, ...(isAdmin ? [{ accountId: null }] : [])],
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Row = Prisma.HarmonizationGetPayload<object>;

const toHarmonization = (row: Row): Harmonization => ({
  ...row,
  format: row.format as unknown as FileFormat,
  columns: row.columns as unknown as Columns,
});
