import type { Venue } from "../../contract/resources.ts";
import type { FoundVenues } from "../../directory-client/client.ts";
import { MARGIN } from "../../matching/decide.ts";
import { compareFields } from "../../matching/fields.ts";
import { storable } from "../../shared/storable.ts";
import { type Candidate, isShared, MOST_CANDIDATES, type Query } from "./rows.ts";

export interface Assessment {
  score: number | null;
  isClear: boolean;
  bestId: string | null;
  candidates: Candidate[];
  pattern: string | null;
}

/** The venue that a listing had before it changed; undefined if it had none, or that is gone. */
export interface Former {
  venue: Venue | undefined;
}

/** What a listing's own file or former edition says of its candidates. */
interface Known {
  /** Of a listing that has changed since it was decided: its venue comes first, and no score accepts it without a person. */
  former?: Former | undefined;
  /** It decides only which of several candidates comes first that are almost as likely. */
  category?: string | null;
}

/** @param query as asked */
export function assess({ venues: found, confident }: FoundVenues, query?: Query, known: Known = {}): Assessment {
  const first = known.former?.venue;
  const venues = first ? [first, ...found.filter(({ id }) => id !== first.id)] : found;
  const assessed = assessFound({ venues, confident }, query, first ? undefined : known.category);
  return known.former ? { ...assessed, score: null, isClear: false } : assessed;
}

function assessFound(
  { venues, confident }: Pick<FoundVenues, "venues" | "confident">,
  query: Query | undefined,
  category: string | null | undefined,
): Assessment {
  const found = venues.slice(0, MOST_CANDIDATES).flatMap((venue) => toCandidate(venue) ?? []);
  const candidates = category && !confident ? categoryFirst(found, category) : found;
  const [first, second] = candidates;
  const score = first?.score ?? null;
  const isAhead = first?.score !== undefined && !isRivalled(first, second);
  // Whatever the score, so that no cut accepts what a directory would hold back at a higher one.
  const isSure = confident || (isAhead && venues.find(({ id }) => id === first?.id)?.needsReview === false);
  const isClear = isSure && (!query?.ll || !isShared(query) || isFound(first));
  return { score, isClear, bestId: first?.id ?? null, candidates, pattern: first ? patternOf(first) : null };
}

function categoryFirst(candidates: Candidate[], category: string): Candidate[] {
  const [first] = candidates;
  if (first?.score === undefined) return candidates;
  const isSame = (each: Candidate) =>
    isRivalled(first, each) && compareFields({ category }, { category: each.category }).likeness.category === "same";
  const best = candidates.find(isSame);
  return best ? [best, ...candidates.filter((each) => each !== best)] : candidates;
}

/** Whether more than a position speaks for it. */
const isFound = (first: Candidate | undefined): boolean =>
  (first?.evidence ?? []).some(({ comparison, weight }) => weight > 0 && /^(address|phone)$/.test(comparison));

/** Whether the second candidate is almost as likely as the best. */
export const isRivalled = (best: Pick<Candidate, "score">, second: Pick<Candidate, "score"> | undefined): boolean =>
  !(logOdds(best.score ?? 0) - logOdds(second?.score ?? 0) >= MARGIN);

/** Returns undefined for a venue that has no position or cannot be stored. */
export function toCandidate(venue: Venue): Candidate | undefined {
  const { id, location = {}, contact = {}, url, categories, evidence, source } = venue;
  const { lat, lng, address, city, state, postalCode: zip } = location;
  if (lat === undefined || lng === undefined || id !== storable(id)) return undefined;
  const phone = contact.formattedPhone ?? contact.phone;
  const category = categories?.[0]?.name;
  const texts = { name: venue.name, address, city, state, zip, phone, url, category, credit: source?.attribution };
  const known: Record<string, string> = {};
  for (const [key, text] of Object.entries(texts)) if (text !== undefined) known[key] = storable(text);
  // A column of four bytes cannot hold finer values near 0.
  const score = venue.score && Number(Math.min(1, Math.max(0, venue.score)).toFixed(6));
  const reasons = evidence?.slice(0, 8).map(({ comparison, weight, text }) => ({
    comparison: storable(comparison),
    weight,
    text: storable(text),
  }));
  const judged = { ...(score !== undefined && { score }), ...(reasons && { evidence: reasons }) };
  const isByAddress = venue.positionByAddress && ({ isByAddress: true } as const);
  return { id, lat, lng, ...isByAddress, ...(known as { name: string }), ...judged };
}

export const MOST_REASONS = 4;

export const reasonsOf = ({ evidence = [] }: { evidence?: { text: string }[] | undefined }): string[] =>
  evidence.slice(0, MOST_REASONS).map(({ text }) => text);

/** Log-odds from which on a reason counts. */
export const LEAST_WEIGHT = 0.2;
const COUNTS_MUCH = 2;

/** Summarizes a candidate's evidence, as in `name++ distance+ phone--`. Equal patterns make a family of listings. */
export const patternOf = ({ evidence = [] }: Candidate): string =>
  evidence
    .filter(({ weight }) => Math.abs(weight) >= LEAST_WEIGHT)
    .map(({ comparison, weight }) => {
      const sign = weight > 0 ? "+" : "-";
      return comparison + (Math.abs(weight) >= COUNTS_MUCH ? sign + sign : sign);
    })
    .sort()
    .join(" ");

const logOdds = (score: number) => Math.log(score / (1 - score));
