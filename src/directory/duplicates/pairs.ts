import type { Pool } from "pg";
import type { Evidence } from "../../matching/evidence.ts";
import { type Match, matchListing } from "../../matching/match.ts";
import { candidatesOfEach } from "../venues/candidates.ts";
import { findVenues } from "../venues/find.ts";
import type { VenueRow } from "../venues/rows.ts";
import { candidatesAmongNeighbours } from "../venues/search/neighbours.ts";
import { LEAST_SCORE, seemOne } from "./rules.ts";

/** Two venues that seem to be one place; `a` is the lesser id. */
export interface Pair {
  a: string;
  b: string;
  /** 0 to 1: the lower one of `a` as a listing matched to `b`, and of `b` matched to `a`. */
  score: number;
  /** Of `a` matched to `b`. */
  evidence: Evidence[];
}

/** Compares the venues with all others around them, and returns each pair once. */
export async function findPairs(pool: Pool, ids: readonly string[]): Promise<Pair[]> {
  const own = await likesOf(pool, ids);
  const others = new Set([...own.values()].flatMap((likes) => [...likes.keys()]).filter((id) => !own.has(id)));
  const likes = new Map([...own, ...(await likesOf(pool, [...others]))]);
  const pairs: Pair[] = [];
  for (const [one, found] of own)
    for (const [other, { score }] of found) {
      const back = likes.get(other)?.get(one);
      if (!back || (own.has(other) && one > other)) continue;
      const [a, b] = one < other ? [one, other] : [other, one];
      const evidence = likes.get(a)?.get(b)?.evidence ?? [];
      pairs.push({ a, b, score: Math.min(score, back.score), evidence });
    }
  return pairs;
}

type Like = Pick<Match<VenueRow>, "score" | "evidence">;

/** Venues of one statement. */
const SLICE = 50;
/** Venues of which no two are likely to be neighbours. */
const FEW = 20;

/** Returns, for each of the venues that is there and open, the others that it seems to be. */
async function likesOf(pool: Pool, ids: readonly string[]): Promise<Map<string, Map<string, Like>>> {
  const found = await findVenues(pool, ids);
  const venues = ids.flatMap((id) => {
    const venue = found.get(id);
    return venue?.id === id && !venue.isClosed ? venue : []; // an id that was merged leads to another
  });
  const near = venues.length < FEW ? [] : await candidatesAmongNeighbours(pool, venues);
  const rest = venues.flatMap((_, at) => (near[at] ? [] : at));
  for (let from = 0; from < rest.length; from += SLICE) {
    const slice = rest.slice(from, from + SLICE);
    const asked = await candidatesOfEach(
      pool,
      slice.map((at) => venues[at] as VenueRow),
    );
    for (const [index, at] of slice.entries()) near[at] = asked[index];
  }
  return new Map(venues.map((venue, at) => [venue.id, likesAmong(venue, near[at] ?? [])]));
}

function likesAmong(venue: VenueRow, candidates: readonly VenueRow[]): Map<string, Like> {
  const others = candidates.filter(({ id }) => id !== venue.id);
  const likely = matchListing(venue, others, LEAST_SCORE).filter((match) => seemOne(venue, match, others));
  return new Map(likely.map(({ venue: { id }, score, evidence }) => [id, { score, evidence }]));
}
