import { Prisma } from "../../db/generated/client.ts";
import type { Harmonizer } from "../deps.ts";
import { changeState, findHarmonization, type Harmonization, isOwner, type Person } from "../harmonizations.ts";
import { areJudgedAlike } from "../positions/positions.ts";
import type { Columns, FileFormat } from "../rows.ts";
import { guessLayout } from "./guess.ts";
import { readParts } from "./parts.ts";
import { GUESSED_FROM, layoutColumns } from "./receive.ts";
import { newTrial } from "./trial.ts";

type Deps = Pick<Harmonizer, "prisma" | "pool" | "queue" | "directoryUrl">;

/**
 * Reads the file of a draft in another format, and guesses its columns anew. Answers whether it was still a draft.
 *
 * @throws KnownError 400 where it cannot be read so
 */
export async function rereadFile(deps: Deps, { id, size }: Harmonization, format: FileFormat): Promise<boolean> {
  const parts: Buffer[] = [];
  for await (const bytes of readParts(deps.pool, id, GUESSED_FROM)) parts.push(bytes);
  const begin = Buffer.concat(parts);
  const layout = await guessLayout(begin, { isWhole: BigInt(begin.length) === size, ...format });
  const unknown = { trial: Prisma.DbNull, positions: Prisma.DbNull };
  return changeState(deps, id, ["draft"], { ...layoutColumns(layout), ...unknown });
}

/** What the columns of a draft are, and which edition was before it. */
export interface DraftColumns {
  columns: Columns;
  previousId: string | null;
}

/**
 * Saves what the columns are; `try` then asks about some listings, `start` about all. Answers whether it was still a draft:
 * of two that start it at once, one does (attacks F06). Where the positions are in other columns than before, what was found
 * of them is forgotten.
 */
export async function changeDraft(
  deps: Deps,
  { id, columns: before }: Pick<Harmonization, "id" | "columns">,
  { columns, previousId }: DraftColumns,
  action: "save" | "try" | "start",
): Promise<boolean> {
  const trial = action === "try" ? JSON.parse(JSON.stringify(newTrial())) : Prisma.DbNull;
  const positions = areJudgedAlike(before, columns) ? {} : { positions: Prisma.DbNull };
  const next = { ...positions, ...(action === "start" ? { state: "reading" as const } : { trial }) };
  if (!(await changeState(deps, id, ["draft"], { columns: { ...columns }, previousId, ...next }))) return false;
  // A worker that looks after what is under way finds it in any case.
  if (action !== "save") await deps.queue.send({ kind: action === "try" ? "trial" : "read", harmonizationId: id });
  return true;
}

/** Runs that this one may be a new edition of: its owner's, with ids of listings; newest first. */
export async function earlierEditions(deps: Deps, person: Person, { id }: Harmonization) {
  return deps.prisma.harmonization.findMany({
    where: {
      ...{ directory: deps.directoryUrl, accountId: person.id, id: { not: id }, listingCount: { gt: 0 } },
      columns: { path: ["id"], gte: 0 },
    },
    select: { id: true, name: true, createdAt: true, listingCount: true },
    orderBy: { createdAt: "desc" },
    take: 50,
  });
}

/** The one of these runs, newest first, that most of the listings are in by their owner's ids: half of them at least. */
export async function likelyEdition<Run extends { id: string }>(
  { pool }: Pick<Deps, "pool">,
  editions: Run[],
  ownIds: string[],
): Promise<Run | undefined> {
  if (editions.length === 0 || ownIds.length === 0) return undefined;
  const { rows } = await pool.query<{ id: string; shared: number }>({
    name: "likely-edition",
    text: `SELECT harmonization_id AS id, count(DISTINCT own_id)::int AS shared FROM app.listing
            WHERE harmonization_id = ANY($1::uuid[]) AND own_id = ANY($2) GROUP BY 1`,
    values: [editions.map(({ id }) => id), ownIds],
  });
  const shared = new Map(rows.map((row) => [row.id, row.shared]));
  const inEdition = ({ id }: Run) => shared.get(id) ?? 0;
  const [best] = editions.toSorted((a, b) => inEdition(b) - inEdition(a));
  return best && inEdition(best) * 2 >= ownIds.length ? best : undefined;
}

/** Whether it may be the edition before, for this person. */
export async function mayPrecede(
  deps: Deps,
  person: Person,
  { id }: Harmonization,
  previousId: string,
): Promise<boolean> {
  const previous = await findHarmonization(deps, person, previousId);
  return previous !== undefined && previous.id !== id && isOwner(previous, person);
}
