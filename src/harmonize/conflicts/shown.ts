import type { LatLng } from "../../contract/parameters.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, listHarmonizations, type Person } from "../run/harmonizations.ts";
import type { Findings } from "./conflicts.ts";
import { type ConflictListing, listingsOf, loadListings } from "./listings.ts";
import { type Finding, MOST_SHOWN } from "./look.ts";
import type { Misplaced } from "./positions.ts";
import type { Shift } from "./shift.ts";

export interface Conflicts {
  sameVenue: Finding<ShownGroup & { venueId: string; venueName: string | null }>;
  sameId: Finding<ShownGroup & { ownId: string }>;
  /** Only files that this person may see (attacks W08). */
  otherVenue: Finding<{ listing: ConflictListing; other: { id: string; name: string; listing: ConflictListing } }>;
  misplaced: Finding<Omit<Misplaced, "number"> & { listing: ConflictListing }>;
  samePoint: Finding<ShownGroup & LatLng>;
  shift: Shift | undefined;
}

interface ShownGroup {
  count: number;
  listings: ConflictListing[];
}

type Deps = Pick<Harmonizer, "prisma" | "pool" | "directoryUrl">;

export async function showConflicts(
  deps: Deps,
  h: Harmonization,
  person: Person,
  findings: Findings,
): Promise<Conflicts> {
  const { sameVenue, sameId, misplaced, samePoint, shift } = findings;
  const groups = [sameVenue, sameId, samePoint].flatMap(({ shown }) => shown.flatMap(({ numbers }) => numbers));
  const known = await loadListings(deps, h, [...groups, ...misplaced.shown.map(({ number }) => number)]);
  const venueName = (listings: ConflictListing[], id: string) =>
    listings.find(({ venueId }) => venueId === id)?.venueName ?? null;
  return {
    sameVenue: shown(sameVenue, ({ key, count, numbers }) => {
      const listings = listingsOf(numbers, known);
      return { venueId: key, venueName: venueName(listings, key), count, listings };
    }),
    sameId: shown(sameId, ({ key, count, numbers }) => ({ ownId: key, count, listings: listingsOf(numbers, known) })),
    otherVenue: await otherVenues(deps, h, person, findings),
    misplaced: {
      total: misplaced.total,
      shown: misplaced.shown.flatMap(({ number, ...rest }) => {
        const listing = known.get(number);
        return listing ? [{ listing, ...rest }] : [];
      }),
    },
    samePoint: shown(samePoint, ({ numbers, ...rest }) => ({ ...rest, listings: listingsOf(numbers, known) })),
    shift,
  };
}

const shown = <A, B>({ total, shown }: Finding<A>, show: (each: A) => B): Finding<B> => ({
  total,
  shown: shown.map(show),
});

async function otherVenues(deps: Deps, h: Harmonization, person: Person, { otherVenue }: Findings) {
  const found: Conflicts["otherVenue"] = { total: 0, shown: [] };
  if (otherVenue.length === 0) return found;
  const files = new Map((await listHarmonizations(deps, person)).map((file) => [file.id, file]));
  for (const { fileId, total, pairs } of otherVenue) {
    const other = files.get(fileId);
    if (!other) continue;
    found.total += total;
    const some = pairs.slice(0, MOST_SHOWN - found.shown.length);
    const numbers = { here: some.map(([number]) => number), there: some.map(([, number]) => number) };
    const here = await loadListings(deps, h, numbers.here);
    const there = await loadListings(deps, other, numbers.there);
    for (const [a, b] of some) {
      const listing = here.get(a);
      const otherListing = there.get(b);
      if (listing && otherListing)
        found.shown.push({ listing, other: { id: other.id, name: other.name, listing: otherListing } });
    }
  }
  return found;
}
