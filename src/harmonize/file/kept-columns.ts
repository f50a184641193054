import { isDeepStrictEqual } from "node:util";
import { type Columns, columnsAre, FIELDS, indexesOf } from "../../files/columns.ts";
import type { Harmonizer } from "../run/deps.ts";
import { HIDDEN_STATES } from "../run/harmonizations.ts";
import { ownedBy } from "../run/lists.ts";

interface Chosen {
  header: readonly string[];
  columns: Columns;
}

/**
 * The columns as chosen in an earlier file, by their names; columns that it did not have, as guessed. Undefined if one that was chosen
 * is missing.
 */
export function keptColumns(earlier: Chosen, { header, columns: guessed }: Chosen): Columns | undefined {
  const kept: Columns = {};
  const isNew = (index: number) => !earlier.header.includes(header[index] ?? "");
  for (const field of FIELDS) {
    const chosen = indexesOf(earlier.columns, field).map((index) => header.indexOf(earlier.header[index] ?? ""));
    if (chosen.includes(-1)) return undefined;
    const columns = columnsAre(chosen.length > 0 ? chosen : indexesOf(guessed, field).filter(isNew));
    if (columns !== undefined) kept[field] = columns;
  }
  return kept;
}

const MOST_FILES = 20;
/** Share of column names that two editions have in common; other lists may share only the usual ones. */
const ALIKE = 0.8;

/** The columns as in the newest file of a person's lists with the same names, with its name if they differ from the guessed ones. */
export async function columnsAsBefore(
  { prisma, directoryUrl: directory }: Pick<Harmonizer, "prisma" | "directoryUrl">,
  accountId: string,
  layout: Chosen,
): Promise<{ columns: Columns; from?: string }> {
  const files = await prisma.harmonization.findMany({
    where: {
      directory,
      list: ownedBy(accountId),
      listingCount: { gt: 0 },
      state: { notIn: [...HIDDEN_STATES, "draft"] },
    },
    select: { name: true, header: true, columns: true },
    orderBy: { createdAt: "desc" },
    take: MOST_FILES,
  });
  for (const { name, header, columns } of files) {
    const shared = layout.header.filter((name) => header.includes(name)).length;
    const isAlike = shared >= Math.max(layout.header.length, header.length) * ALIKE;
    const kept = isAlike ? keptColumns({ header, columns: columns as unknown as Columns }, layout) : undefined;
    if (kept?.name !== undefined)
      return isDeepStrictEqual(kept, { ...layout.columns }) ? { columns: kept } : { columns: kept, from: name };
  }
  return { columns: layout.columns };
}
