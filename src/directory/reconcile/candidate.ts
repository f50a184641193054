import { distanceBetween } from "../../matching/distance.ts";
import type { Match } from "../../matching/match.ts";
import type { IncompleteListing } from "../../matching/match-incomplete.ts";
import { addressOf } from "../venues/present.ts";
import type { VenueRow } from "../venues/rows.ts";
import { typesOfVenue } from "./types.ts";

/** What speaks for or against a candidate. Weights are log-odds: above 0 for it, below 0 against it. */
interface Feature {
  id: string;
  name: string;
  value: number | boolean;
}

/** A candidate as both versions know it; only 1.0 has names of features. */
export interface Candidate {
  id: string;
  name: string;
  description?: string;
  /** The chance that it is the one, in percent. */
  score: number;
  match: boolean;
  type: { id: string; name: string }[];
  features: Feature[];
}

export function candidateOf(found: Match<VenueRow>, listing: IncompleteListing, match: boolean): Candidate {
  const { venue, score, evidence } = found;
  const features = evidence.map(({ comparison, weight }) => ({
    id: comparison,
    name: inWords(comparison),
    value: weight,
  }));
  const { lat, lng } = listing;
  if (lat !== undefined && lng !== undefined) {
    const value = Math.round(distanceBetween({ lat, lng }, venue));
    features.push({ id: "metres", name: "Metres apart", value });
  }
  return { ...describeVenue(venue), score: Math.round(1000 * score) / 10, match, type: typesOfVenue(venue), features };
}

/** A venue whose id was asked for. Only ids of our own are never a name as well, such as the bookshop "1984". */
export function candidateOfId(venue: VenueRow, isOnly: boolean): Candidate {
  const features = [{ id: "sameId", name: "Same id", value: true }];
  const match = isOnly && /^[0-9a-f]{24}$/.test(venue.id);
  return { ...describeVenue(venue), score: 100, match, type: typesOfVenue(venue), features };
}

/** What tells a venue from its namesakes: where it is. */
export function describeVenue(venue: VenueRow): { id: string; name: string; description?: string } {
  const { id, name, lat, lng } = venue;
  const address = addressOf(venue).join(", ");
  return { id, name, description: address || `${lat.toFixed(5)}, ${lng.toFixed(5)}` };
}

/** "houseNumber" as "House number". */
function inWords(comparison: string): string {
  const words = comparison.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
