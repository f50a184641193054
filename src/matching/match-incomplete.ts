import { type Comparisons, compare } from "./compare.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { commonnessAmong, type Match, mayBePart } from "./match.ts";
import { type Listing, nameOf, prepare } from "./prepare.ts";
import { logOddsOf } from "./score.ts";

/** A listing that lacks its name, its position, or both. */
export interface IncompleteListing extends Omit<Listing, "name" | "lat" | "lng"> {
  name?: string | undefined;
  lat?: number | undefined;
  lng?: number | undefined;
}

/** How wide an area the candidates come from, where the listing has no position. */
export type Area = "district" | "town" | "anywhere";

/**
 * Scores candidates for a listing that lacks its name or its position, best first. What it lacks is taken from the
 * candidate, at a cost. And the candidates share one chance: nothing tells two shops of a chain apart once nobody knows
 * where the listing is. Pure, like `matchListing`.
 */
export function matchIncomplete<V extends Listing>(
  listing: IncompleteListing,
  area: Area,
  candidates: readonly V[],
): Match<V>[] {
  const names = candidates.map(nameOf);
  const venues = candidates.map((venue, at) => prepare(venue, names[at]));
  const commonness = commonnessAmong(names);
  const compared = venues.map((venue) => {
    const { name, lat, lng } = { ...venue.record, ...given(listing) };
    const wanted = prepare({ ...listing, name, lat, lng });
    const comparisons = compare(wanted, venue, commonness);
    const lacking = lackingOf(listing, area, comparisons);
    const cost = lacking.reduce((sum, { weight }) => sum + weight, 0);
    return { wanted, venue, comparisons, lacking, odds: Math.exp(logOddsOf(comparisons) + cost) };
  });
  const all = compared.reduce((sum, { odds }) => sum + odds, 0);
  return compared
    .map(({ wanted, venue, comparisons, lacking, odds }) => ({
      venue: venue.record,
      score: odds / (1 + all),
      mayBePart: mayBePart(comparisons),
      get evidence() {
        const told = evidenceOf(comparisons, wanted, venue).filter(({ comparison }) => isSaid(listing, comparison));
        return [...told, ...lacking, ...rivalry(all - odds)].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
      },
    }))
    .sort((a, b) => b.score - a.score);
}

const given = (listing: IncompleteListing) =>
  Object.fromEntries(Object.entries(listing).filter(([, value]) => value !== undefined));

const isSaid = ({ name, lat }: IncompleteListing, comparison: string): boolean =>
  (comparison !== "name" || name !== undefined) && (comparison !== "distance" || lat !== undefined);

/**
 * Log-odds. Of 0 to 6 the ones that foretold best, 2026-11-22, for listings of Edinburgh, Singapore (Geo-ER sets) and
 * Los Angeles to New York (Fodor's against Zagat) without their positions: 2, 3 and 3 for a town of some 4,000 venues.
 */
const PLACE_COST: Record<Area, number> = { district: -2, town: -3, anywhere: -4 };

/** Set by hand: whoever has the telephone number or stands on the spot, but may be another of the house. */
const NAME_COST = -3;

/** Who has the same telephone number needs no position, nor who has the same street and house number in the town. */
function lackingOf(listing: IncompleteListing, area: Area, { samePhone, sameAddress }: Comparisons): Evidence[] {
  const isFound = samePhone === 1 || (sameAddress !== undefined && area !== "anywhere");
  const lacking: Evidence[] = [];
  if (listing.name === undefined) lacking.push({ comparison: "noName", weight: NAME_COST, text: "name not known" });
  if (listing.lat === undefined && !isFound)
    lacking.push({ comparison: "noPosition", weight: PLACE_COST[area], text: "position not known" });
  return lacking;
}

/** What the odds of all other candidates take from one. */
function rivalry(others: number): Evidence[] {
  const weight = -Math.round(100 * Math.log1p(others)) / 100;
  return weight <= -0.1 ? [{ comparison: "rivals", weight, text: "others are as like" }] : [];
}
