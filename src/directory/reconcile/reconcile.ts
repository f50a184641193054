import type { Pool } from "pg";
import type { z } from "zod";
import { atMost } from "../../at-most.ts";
import type { AskedFor } from "../../contract/reconcile-queries.ts";
import { findVenues, VENUE_ID } from "../venues/find.ts";
import { type Candidate, candidateOf, candidateOfId } from "./candidate.ts";
import { findCandidates } from "./find.ts";
import { readQuery, type Wanted } from "./wanted.ts";

/** What a query gets: candidates, best first; none and the reason when it cannot be understood. */
export interface Answered {
  candidates: Candidate[];
  error?: string;
}

/** Queries of a call that run at once. The database is there for other callers as well. */
const AT_ONCE = 2;

/**
 * Answers the queries of a call, each by itself and in their order: one that cannot be understood spoils no other.
 *
 * @param schema how this version of the protocol writes a query
 */
export function reconcile(pool: Pool, schema: z.ZodType<AskedFor>, queries: unknown[]): Promise<Answered[]> {
  return atMost(AT_ONCE, queries, async (raw) => {
    const wanted = readQuery(schema, raw);
    return "error" in wanted ? { candidates: [], ...wanted } : answer(pool, wanted);
  });
}

async function answer(pool: Pool, wanted: Wanted): Promise<Answered> {
  const { listing, limit } = wanted;
  const [byId, { matches, confident }] = await Promise.all([
    venueWithId(pool, listing.name),
    findCandidates(pool, wanted),
  ]);
  const others = matches
    .map((match, index) => candidateOf(match, listing, confident && index === 0))
    .filter(({ id }) => id !== byId?.id);
  const candidates = byId ? [candidateOfId(byId), ...others.map((each) => ({ ...each, match: false }))] : others;
  return { candidates: candidates.slice(0, limit) };
}

/** An id in place of a name names its venue ("A Note on Candidate Retrieval and Scoring"). */
async function venueWithId(pool: Pool, id: string | undefined) {
  return id !== undefined && VENUE_ID.test(id) ? (await findVenues(pool, [id])).get(id) : undefined;
}
