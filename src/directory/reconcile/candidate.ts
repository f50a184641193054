import { distanceBetween } from "../../matching/distance.ts";
import type { Match } from "../../matching/match.ts";
import type { IncompleteListing } from "../../matching/match-incomplete.ts";
import { addressOf } from "../venues/present.ts";
import type { VenueRow } from "../venues/rows.ts";
import { typesOfVenue } from "./types.ts";

/** `value` is log-odds: positive for a match, negative against it. */
interface Feature {
  id: string;
  name: string;
  value: number | boolean;
}

export interface Candidate {
  id: string;
  name: string;
  description?: string;
  /** Percent. */
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

/** Only our own ids match automatically: others may be names, such as the bookshop "1984". */
export function candidateOfId(venue: VenueRow, isOnly: boolean): Candidate {
  const features = [{ id: "sameId", name: "Same id", value: true }];
  const match = isOnly && /^[0-9a-f]{24}$/.test(venue.id);
  return { ...describeVenue(venue), score: 100, match, type: typesOfVenue(venue), features };
}

export function describeVenue(venue: VenueRow): { id: string; name: string; description?: string } {
  const { id, name, lat, lng } = venue;
  const address = addressOf(venue).join(", ");
  return { id, name, description: address || `${lat.toFixed(5)}, ${lng.toFixed(5)}` };
}

function inWords(comparison: string): string {
  const words = comparison.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
