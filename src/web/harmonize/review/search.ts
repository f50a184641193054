import type { Venue } from "../../../contract/resources.ts";
import type { Auth } from "../../../directory-client/answers.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import type { Web } from "../../base/deps.ts";
import { problemOf } from "../../base/directory-problem.ts";
import type { CardExtras } from "./card.ts";

/** As many as fit beside the candidates. */
const MOST = 8;

/** Venues by words near the listing, the nearest first, for a reviewer who finds none of the candidates right. */
export async function findOthers(
  web: Web,
  auth: Auth,
  { query, candidates }: ReviewListing,
  q: string,
): Promise<CardExtras> {
  const { ll, near } = query ?? {};
  try {
    const { venues } = await web.directory.searchVenues(auth, { ...(ll ? { ll } : { near }), query: q, limit: MOST });
    const others = venues.slice(0, MOST).filter(({ id }) => !candidates.some((each) => each.id === id));
    return { q, found: others.sort((a, b) => distanceOf(a) - distanceOf(b)) };
  } catch (error) {
    const { status, notice } = problemOf(error);
    return { q, found: [], status, notice };
  }
}

const distanceOf = ({ location }: Venue): number => location?.distance ?? Number.POSITIVE_INFINITY;
