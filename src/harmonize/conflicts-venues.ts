import {
  type ConflictListing,
  type Found,
  listingsOf,
  loadListings,
  MOST_LOOKED_AT,
  SHOWN,
} from "./conflicts-listings.ts";
import type { Harmonizer } from "./deps.ts";
import { type Harmonization, listHarmonizations, type Person } from "./harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "./rows.ts";

type Deps = Pick<Harmonizer, "pool">;
export type ConflictDeps = Pick<Harmonizer, "prisma" | "pool" | "directoryUrl">;

/** Listings of a group that are shown. */
export const SHOWN_OF_GROUP = 8;

/** Several listings that are matched with one venue. */
export interface SameVenue {
  venueId: string;
  venueName: string | null;
  count: number;
  listings: ConflictListing[];
}

export async function findSameVenues(deps: Deps, harmonization: Harmonization): Promise<Found<SameVenue>> {
  const groups = await findGroups(deps, harmonization, "venues", `${OUTCOME} = 'matched'`, MATCHED_VENUE);
  return {
    total: groups.total,
    shown: groups.shown.map(({ key, count, listings }) => {
      const venueName = listings[0]?.venueName ?? null;
      return { venueId: key, venueName, count, listings };
    }),
  };
}

/** An own id that stands in the file more than once. */
export interface SameId {
  ownId: string;
  count: number;
  listings: ConflictListing[];
}

export async function findSameIds(deps: Deps, harmonization: Harmonization): Promise<Found<SameId>> {
  const { total, shown } = await findGroups(deps, harmonization, "ids", "l.own_id IS NOT NULL", "l.own_id");
  return { total, shown: shown.map(({ key, ...group }) => ({ ownId: key, ...group })) };
}

interface GroupRow {
  key: string;
  count: number;
  numbers: number[];
  total: number;
}

/** Listings `l` that have the same `key`, both in SQL; the largest groups first. */
async function findGroups(deps: Deps, harmonization: Harmonization, name: string, where: string, key: string) {
  const { rows } = await deps.pool.query<GroupRow>({
    name: `conflicts-${name}`,
    text: `SELECT key, count(*)::int AS count, (array_agg(number))[1:${SHOWN_OF_GROUP}] AS numbers, count(*) OVER ()::int AS total
             FROM (SELECT l.number, ${key} AS key FROM app.listing l, (SELECT $2::real AS accept_from, $3::real AS review_from) AS h
                    WHERE l.harmonization_id = $1 AND l.number <= ${MOST_LOOKED_AT} AND ${where}) AS l
            GROUP BY key HAVING count(*) > 1 ORDER BY count DESC, key LIMIT ${SHOWN}`,
    values: [harmonization.id, harmonization.acceptFrom, harmonization.reviewFrom],
  });
  const known = await loadListings(
    deps,
    harmonization,
    rows.flatMap(({ numbers }) => numbers),
  );
  const shown = rows.map(({ key, count, numbers }) => ({ key, count, listings: listingsOf(numbers, known) }));
  return { total: rows[0]?.total ?? 0, shown };
}

/** A listing whose own id is matched with other venues only in another file of its owner; of those with one id the first. */
export interface OtherVenue {
  listing: ConflictListing;
  other: { id: string; name: string; listing: ConflictListing };
}

/** Files that are compared: the edition before, and the owner's newest. */
const OTHER_FILES = 3;

export async function findOtherVenues(
  deps: ConflictDeps,
  harmonization: Harmonization,
  person: Person,
): Promise<Found<OtherVenue>> {
  const found: Found<OtherVenue> = { total: 0, shown: [] };
  for (const other of await otherFiles(deps, harmonization, person)) {
    const { rows } = await deps.pool.query<{ shared: number; pairs: [number, number][] | null; total: number }>({
      name: "conflicts-other-venues",
      text: `WITH matched AS (SELECT l.harmonization_id, l.number, l.own_id, ${MATCHED_VENUE} AS venue
                 FROM app.listing l JOIN app.harmonization h ON h.id = l.harmonization_id
                WHERE h.id = ANY($1::uuid[]) AND l.number <= ${MOST_LOOKED_AT} AND l.own_id IS NOT NULL AND ${OUTCOME} = 'matched')
             SELECT count(*)::int AS shared, count(*) FILTER (WHERE NOT agrees)::int AS total,
                    (array_agg(ARRAY[here, there] ORDER BY here) FILTER (WHERE NOT agrees))[1:${SHOWN}] AS pairs
               FROM (SELECT min(a.number) AS here, min(b.number) AS there, bool_or(a.venue = b.venue) AS agrees
                       FROM matched a JOIN matched b ON b.own_id = a.own_id
                      WHERE a.harmonization_id = $2 AND b.harmonization_id <> $2
                      GROUP BY a.own_id) AS ids`,
      values: [[harmonization.id, other.id], harmonization.id],
    });
    const { shared = 0, total = 0, pairs } = rows[0] ?? {};
    // Where most of them differ, the ids of the two files have nothing to do with each other.
    if (!pairs || total > shared / 2) continue;
    found.total += total;
    found.shown.push(...(await loadPairs(deps, harmonization, other, pairs.slice(0, SHOWN - found.shown.length))));
  }
  return found;
}

type OtherFile = Pick<Harmonization, "id" | "name" | "columns">;

/** Of those that this person may see (attacks W08). */
async function otherFiles(
  deps: ConflictDeps,
  { id, accountId, previousId }: Harmonization,
  person: Person,
): Promise<OtherFile[]> {
  const files = await listHarmonizations(deps, person);
  const withIds = files.filter(({ columns, listingCount }) => columns.id !== undefined && listingCount > 0);
  return withIds
    .filter((other) => other.id !== id && other.accountId === accountId)
    .sort((a, b) => Number(b.id === previousId) - Number(a.id === previousId))
    .slice(0, OTHER_FILES);
}

async function loadPairs(
  deps: Deps,
  one: OtherFile,
  other: OtherFile,
  pairs: [number, number][],
): Promise<OtherVenue[]> {
  const [here, there] = await Promise.all(
    [one, other].map((file, at) =>
      loadListings(
        deps,
        file,
        pairs.map((pair) => pair[at] as number),
      ),
    ),
  );
  return pairs.flatMap(([a, b]) => {
    const [listing, otherListing] = [here?.get(a), there?.get(b)];
    return listing && otherListing
      ? [{ listing, other: { id: other.id, name: other.name, listing: otherListing } }]
      : [];
  });
}
