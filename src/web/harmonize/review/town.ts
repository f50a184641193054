import type { LatLng } from "../../../contract/parameters.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import { within } from "../../../shared/within.ts";
import { openToken } from "../../base/connections.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { pointOfName } from "../../venues/place.ts";

/** A card waits no longer: its map then shows the world. */
const PATIENCE_MS = 1000;

/** Looks up the middle of a listing's town, if its card has no other place to show. Never throws. */
export async function townOf(
  { directory, vault }: Pick<Web, "directory" | "vault">,
  { connection }: Member,
  { query, candidates }: Pick<ReviewListing, "query" | "candidates">,
): Promise<LatLng | undefined> {
  const { near, ll, byAddress } = query ?? {};
  if (near === undefined || ll || byAddress || candidates.length > 0) return undefined;
  const token = openToken(vault, connection);
  if (token === undefined) return undefined;
  const found = await within(directory.searchVenues({ token }, { near, limit: 1 }), PATIENCE_MS).catch(() => undefined);
  return pointOfName(found?.geocode);
}
