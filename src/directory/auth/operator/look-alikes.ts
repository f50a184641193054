import { WORTH_A_LOOK } from "../../../matching/decide.ts";
import { candidatesOfEach } from "../../venues/candidates.ts";
import { heldNear, heldVenues } from "../../venues/held.ts";
import { venuePage } from "../../venues/present.ts";
import type { VenueRow } from "../../venues/rows.ts";
import { matchAmong } from "../../venues/search/search.ts";
import type { AuthDeps } from "../base/session.ts";
import { factsBeside, percentOf, reasonsOf } from "./facts.ts";

/** Look-alikes shown beside a venue. */
const MOST = 3;

/** Returns for each held venue those that may be the same, held ones of all users among them, with the likeliest first. */
export async function lookAlikesOf(deps: AuthDeps, venues: readonly VenueRow[]) {
  if (venues.length === 0) return new Map<string, ReturnType<typeof besides>>();
  const [open, held] = await Promise.all([candidatesOfEach(deps.pool, venues), heldVenues(deps.pool, null)]);
  return new Map(
    venues.map((venue, at) => {
      const others = [...(open[at] ?? []), ...heldNear(held, venue)].filter(({ id }) => id !== venue.id);
      return [venue.id, besides(deps, venue, others)];
    }),
  );
}

function besides({ config }: AuthDeps, venue: VenueRow, others: VenueRow[]) {
  const alike = matchAmong({ minScore: WORTH_A_LOOK, limit: MOST }, venue, others).venues;
  return {
    others: alike.map(({ id, name, heldFor, score = 0, evidence = [] }) => ({
      id,
      name,
      sure: percentOf(score),
      reasons: reasonsOf(evidence),
      /** Undefined for one that is held as well, into which nothing can be merged. */
      page: heldFor === null ? venuePage(id, config.api.url) : undefined,
    })),
    facts: factsBeside([venue, ...alike]),
  };
}
export type LookAlikes = ReturnType<typeof besides>;
