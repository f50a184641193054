import { type Comparisons, compare } from "./compare.ts";
import { isContradicted } from "./contradiction.ts";
import { type Evidence, evidenceOf, LEAST_AGAINST } from "./evidence.ts";
import { withLostFilled } from "./lost-characters.ts";
import { areNamesDoubtful, better, type Match, mayBePart, namesToCompare, neighbourhoodOf } from "./match.ts";
import { knownOf, type Listing, type Prepared, prepare } from "./prepare.ts";
import { tellLetters } from "./rivals.ts";
import { logOddsOf } from "./score.ts";

/** A listing that lacks its name, its position, or both. */
export interface IncompleteListing extends Omit<Listing, "name" | "lat" | "lng"> {
  name?: string | undefined;
  lat?: number | undefined;
  lng?: number | undefined;
}

/** Size of the area that the candidates come from if the listing has no position. */
export type Area = "district" | "town" | "anywhere";

/**
 * Scores candidates for a listing that lacks its name or its position, best first. What it lacks is taken from the
 * candidate, at a cost. The scores add up to at most 1: without a position, nothing distinguishes the branches of a
 * chain. Pure, like `matchListing`.
 */
export function matchIncomplete<V extends Listing>(
  incomplete: IncompleteListing,
  area: Area,
  candidates: readonly V[],
): Match<V>[] {
  const listing = withLostFilled(incomplete, candidates);
  const known = candidates.map(knownOf);
  const neighbourhood = neighbourhoodOf(known, candidates);
  const compared = known.map((each) => {
    const { record } = each.prepared as Prepared<V>;
    const { name, lat, lng } = { ...record, ...given(listing) };
    const wanted = prepare({ ...listing, name, lat, lng });
    const byName = namesToCompare(each).map((named) => {
      const venue = named.prepared as Prepared<V>;
      return { wanted, venue, comparisons: compare(wanted, venue, neighbourhood) };
    });
    return byName.reduce(better);
  });
  const [first] = compared;
  if (first) tellLetters(first.wanted, compared);
  const weighed = compared.map((each) => {
    const lacking = lackingOf(listing, area, each.comparisons);
    const cost = lacking.reduce((sum, { weight }) => sum + weight, 0);
    return { ...each, lacking, odds: Math.exp(logOddsOf(each.comparisons) + cost) };
  });
  const all = weighed.reduce((sum, { odds }) => sum + odds, 0);
  return weighed
    .map(({ wanted, venue, comparisons, lacking, odds }) => ({
      venue: venue.record,
      score: odds / (1 + all),
      mayBePart: mayBePart(comparisons),
      // Without its name or position, only the name with the same phone is certain.
      needsReview:
        listing.name === undefined ||
        comparisons.samePhone !== 1 ||
        areNamesDoubtful(comparisons) ||
        isContradicted(wanted, venue, comparisons),
      isAtAddress: false, // the same address may be in another town
      get evidence() {
        const told = evidenceOf(comparisons, wanted, venue).filter(({ comparison }) => isSaid(listing, comparison));
        const known = { ...listing, lacking, comparisons };
        return [...told, ...lacking, ...doubtOf(known), ...rivalry(all - odds)].sort(
          (a, b) => Math.abs(b.weight) - Math.abs(a.weight),
        );
      },
    }))
    .sort((a, b) => b.score - a.score);
}

const given = (listing: IncompleteListing) =>
  Object.fromEntries(Object.entries(listing).filter(([, value]) => value !== undefined));

const isSaid = ({ name, lat }: IncompleteListing, comparison: string): boolean =>
  (comparison !== "name" || name !== undefined) && (comparison !== "distance" || lat !== undefined);

/**
 * Log-odds. For a town of about 4,000 venues, costs of 2, 3 and 3 (of 0 to 6) predicted best, 2026-11-22, for listings
 * without their positions: of Edinburgh and Singapore (Geo-ER sets), and of Fodor's against Zagat (Los Angeles to New
 * York).
 */
const PLACE_COST: Record<Area, number> = { district: -2, town: -3, anywhere: -4 };

/** Set by hand: a candidate with the same phone or position may be another place in the same building. */
const NAME_COST = -3;

/** Lists what is missing. No position is needed if the phone is the same, or street and house number within a town. */
function lackingOf(listing: IncompleteListing, area: Area, { samePhone, sameAddress }: Comparisons): Evidence[] {
  const isFound = samePhone === 1 || (sameAddress !== undefined && area !== "anywhere");
  const lacking: Evidence[] = [];
  if (listing.name === undefined) lacking.push({ comparison: "noName", weight: NAME_COST, text: "name unknown" });
  if (listing.lat === undefined && !isFound)
    lacking.push({ comparison: "noPosition", weight: PLACE_COST[area], text: "position unknown" });
  return lacking;
}

/** Tells what holds back a match that its address found. */
function doubtOf({ lat, lacking, comparisons }: IncompleteListing & { lacking: Evidence[]; comparisons: Comparisons }) {
  const isTold = lat !== undefined || comparisons.samePhone === 1 || lacking.length > 0;
  return isTold ? [] : [{ comparison: "noPosition", weight: LEAST_AGAINST, text: "position unknown" }];
}

/** Returns the evidence against a candidate: the total odds of all others. */
function rivalry(others: number): Evidence[] {
  const weight = -Math.round(100 * Math.log1p(others)) / 100;
  return weight <= -0.1 ? [{ comparison: "rivals", weight, text: "other venues are similar too" }] : [];
}
