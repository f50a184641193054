import { addressWords, normalizeName } from "../../matching/normalize.ts";
import { trigramSimilarity, words } from "../../matching/similarity.ts";
import type { VenueRow } from "./rows.ts";

/** How well a word of the query meets one of another field, against 1 for the same word in the name. */
const ADDRESS = 0.9;
const PLACE = 0.8;

/**
 * How well a venue answers a search term, 0 to 1: each word of the term looks for its best counterpart in the venue's
 * name, category, address and city; longer words count for more. Spelling may differ.
 */
export function textQuality(term: string, venue: VenueRow, categoryQuality: number): number {
  const name = words(venue.nameNorm);
  const street = addressWords(venue.address ?? "");
  const place = words(normalizeName(`${venue.city ?? ""} ${venue.state ?? ""} ${venue.zip ?? ""}`));
  const squashed = term.replaceAll(" ", "");
  const whole = squashed === venue.nameNorm.replaceAll(" ", "") ? 1 : 0;
  let sum = 0;
  let total = 0;
  for (const word of words(term)) {
    const weight = word.length < 3 ? 1 : word.length;
    const [short = word] = addressWords(word);
    sum +=
      weight *
      Math.max(best(word, name), ADDRESS * (street.includes(short) ? 1 : 0), PLACE * (place.includes(word) ? 1 : 0));
    total += weight;
  }
  return Math.max(whole, total ? sum / total : 0, categoryQuality);
}

function best(word: string, candidates: string[]): number {
  let quality = 0;
  for (const candidate of candidates) {
    if (candidate === word) return 1;
    const prefix = word.length >= 3 && candidate.startsWith(word) ? 0.95 : 0;
    const similar = word.length >= 4 ? trigramSimilarity(word, candidate) : 0;
    quality = Math.max(quality, prefix, similar >= 0.4 ? 0.35 + 0.6 * similar : 0);
  }
  return quality;
}
