import { inStretches } from "../../db/bulk.ts";
import { queryRow } from "../../db/sql.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, HIDDEN_STATES } from "../run/harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "../run/rows.ts";
import { type Look, MOST_SHOWN } from "./look.ts";

type Deps = Pick<Harmonizer, "prisma" | "directoryUrl">;

/** Own ids that another file of the same owner matches only with other venues. */
export interface OtherVenues {
  fileId: string;
  total: number;
  pairs: [here: number, there: number][];
}

/** Compares with the previous edition and the owner's newest files. */
const OTHER_FILES = 3;

export async function findOtherVenues(deps: Deps, look: Look, harmonization: Harmonization): Promise<OtherVenues[]> {
  const found: OtherVenues[] = [];
  for (const fileId of await otherFiles(deps, harmonization)) {
    const { shared, ...venues } = await compare(look, fileId, harmonization.listingCount);
    // If most differ, the ids of the two files are unrelated.
    if (venues.total > 0 && venues.total <= shared / 2) found.push(venues);
  }
  return found;
}

async function otherFiles(
  { prisma, directoryUrl }: Deps,
  { id, accountId, previousId }: Harmonization,
): Promise<string[]> {
  const of = { accountId, directory: directoryUrl, state: { notIn: [...HIDDEN_STATES] } };
  const where = { ...of, id: { not: id }, listingCount: { gt: 0 }, columns: { path: ["id"], gte: 0 } };
  const newest = { select: { id: true }, orderBy: { createdAt: "desc" }, take: OTHER_FILES } as const;
  const [before, others] = await Promise.all([
    previousId ? prisma.harmonization.findMany({ where: { AND: [where, { id: previousId }] }, ...newest }) : [],
    prisma.harmonization.findMany({ where, ...newest }),
  ]);
  return [...new Set([...before, ...others].map((file) => file.id))].slice(0, OTHER_FILES);
}

const STRETCH = 20_000;

interface Compared {
  shared: number;
  total: number;
  pairs: OtherVenues["pairs"] | null;
}

async function compare({ db, ids }: Look, fileId: string, count: number) {
  const all: OtherVenues & { shared: number } = { fileId, shared: 0, total: 0, pairs: [] };
  await inStretches(count, STRETCH, async (after, upTo) => {
    // OFFSET makes PostgreSQL use the index for each id instead of scanning the other file.
    const row = await queryRow<Compared>(db)`
      SELECT count(*)::int AS shared, count(*) FILTER (WHERE NOT agrees)::int AS total,
             (array_agg(ARRAY[here, there] ORDER BY here) FILTER (WHERE NOT agrees))[1:${MOST_SHOWN}] AS pairs
        FROM (SELECT i.here, min(o.number) AS there, bool_or(o.venue = ANY (i.venues)) AS agrees
                FROM ${ids} AS i CROSS JOIN LATERAL (
                  SELECT l.number, ${MATCHED_VENUE} AS venue FROM app.listing l JOIN app.harmonization h ON h.id = l.harmonization_id
                   WHERE l.harmonization_id = ${fileId} AND l.own_id = i.own_id AND ${OUTCOME} = 'matched' OFFSET 0) AS o
               WHERE i.here > ${after} AND i.here <= ${upTo} GROUP BY i.own_id, i.here) AS compared`;
    all.shared += row?.shared ?? 0;
    all.total += row?.total ?? 0;
    all.pairs.push(...(row?.pairs ?? []).slice(0, MOST_SHOWN - all.pairs.length));
  });
  return all;
}
