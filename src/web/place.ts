import type { FastifyRequest } from "fastify";
import type { LatLng } from "../contract/parameters.ts";
import { DirectoryError } from "../directory-client/errors.ts";
import type { Web } from "./deps.ts";
import type { Visit } from "./members.ts";
import { mapPoints, pointOf, venueCard } from "./venue-view.ts";

/** How many venues a map shows around its point. */
const AROUND = 50;

declare module "fastify" {
  interface Session {
    /** Where the member searched last. */
    place?: LatLng;
  }
}

/** Where a search starts when nobody says where: the place used last, else that of the last check-in. */
export async function usualPlace(web: Web, request: FastifyRequest, { auth }: Visit): Promise<LatLng | undefined> {
  if (request.session.place) return request.session.place;
  const latest = await web.directory.checkins(auth, { limit: 1, offset: 0 }).catch(ignoreUnlessRefused);
  const venue = latest?.items[0]?.venue;
  return venue && pointOf(venue);
}

/** Venues around a place, for a map to be read by; none where the directory does not say. */
export async function pointsAround(web: Web, { auth }: Pick<Visit, "auth">, place: LatLng | undefined) {
  if (!place) return [];
  const found = await web.directory.searchVenues(auth, { ll: place, limit: AROUND }).catch(ignoreUnlessRefused);
  return mapPoints(found?.venues.map(venueCard) ?? []);
}

/** What is only a convenience may fail, but a refused token must be known. */
function ignoreUnlessRefused(error: unknown): undefined {
  if (error instanceof DirectoryError && error.kind !== "refused_token") return undefined;
  throw error;
}

/** Remembers a place for the next search. The session is written only when it is another one. */
export function rememberPlace(request: FastifyRequest, { lat, lng }: LatLng): void {
  const { place } = request.session;
  if (place?.lat !== lat || place.lng !== lng) request.session.place = { lat, lng };
}
