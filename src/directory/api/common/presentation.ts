import type { LatLng } from "../../../contract/parameters.ts";
import { countVisits } from "../../checkins.ts";
import type { Caller } from "../../endpoint/credentials.ts";
import type { ApiDeps } from "../../endpoint/deps.ts";
import { sourcesOf } from "../../sources.ts";
import type { Presentation } from "../../venues/present.ts";
import type { VenueRow } from "../../venues/rows.ts";

/** `from` is the `ll` of the call. */
export async function presentationFor(
  { config, pool }: Pick<ApiDeps, "config" | "pool">,
  { userId }: Pick<Caller, "userId">,
  venues: Pick<VenueRow, "id" | "sourceId">[],
  from?: LatLng,
): Promise<Presentation> {
  const ids = venues.map(({ id }) => id);
  const visits = userId === undefined ? undefined : await countVisits(pool, userId, ids);
  const sources = await sourcesOf(pool, venues);
  return { baseUrl: config.api.url, from, visits, sources, now: new Date() };
}
