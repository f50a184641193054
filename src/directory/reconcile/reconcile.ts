import type { Pool } from "pg";
import { atMost } from "../../shared/at-most.ts";
import { type Candidate, candidateOf, candidateOfId } from "./candidate.ts";
import { findByIds, findCandidates } from "./find.ts";
import type { Read } from "./input.ts";
import { type Wanted, wantedOf } from "./wanted.ts";

export interface Answered {
  candidates: Candidate[];
  error?: string;
}

/** Queries of one call that run at once, to leave database connections to other callers. */
const AT_ONCE = 2;

/** An invalid query does not affect the others. */
export function reconcile(pool: Pool, queries: Read[]): Promise<Answered[]> {
  return atMost(AT_ONCE, queries, async (read) => {
    const wanted = "error" in read ? read : wantedOf(read);
    return "error" in wanted ? { candidates: [], ...wanted } : answer(pool, wanted);
  });
}

async function answer(pool: Pool, wanted: Wanted): Promise<Answered> {
  const { listing, limit } = wanted;
  const [named, { matches, confident }] = await Promise.all([findByIds(pool, wanted), findCandidates(pool, wanted)]);
  const byId = named.map((venue) => candidateOfId(venue, named.length === 1));
  const others = matches
    .filter(({ venue }) => !named.some(({ id }) => id === venue.id))
    .map((match, index) => candidateOf(match, listing, confident && index === 0 && named.length === 0));
  return { candidates: [...byId, ...others].slice(0, limit) };
}
