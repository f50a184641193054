import type { Venue } from "../../contract/resources.ts";
import { MATCH_CUT } from "../../matching/decide.ts";
import type { AddTask, Deps } from "../run/long-task.ts";
import { type Alike, matchMany, ownVenues, reviewMany } from "./outcomes.ts";

export interface Found {
  number: number;
  /** Venues like the listing, best first. */
  venues: Venue[];
  confident: boolean;
}

/** Matches a confident venue, or one that this file added (a repeated row). Otherwise the listing goes to review. */
export async function settleFound(
  deps: Pick<Deps, "pool">,
  { h, task }: { h: { id: string }; task: AddTask },
  found: readonly Found[],
): Promise<void> {
  const alike = found.flatMap(({ number, venues, confident }): Alike[] => {
    const [first, ...others] = venues;
    return first ? [{ number, found: { confident, geocode: undefined, venues: [first, ...others] } }] : [];
  });
  const isLikely = ({ found: { venues } }: Alike) => (venues[0].score ?? 1) >= MATCH_CUT;
  const likely = alike.filter((each) => !each.found.confident && isLikely(each));
  const own = await ownVenues(
    deps,
    h.id,
    likely.map((each) => each.found.venues[0].id),
  );
  const isMatched = (each: Alike) => each.found.confident || (isLikely(each) && own.has(each.found.venues[0].id));
  await matchMany(deps, h.id, task.accountId, alike.filter(isMatched));
  await reviewMany(
    deps,
    h.id,
    alike.filter((each) => !isMatched(each)),
  );
}
