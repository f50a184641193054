import type { FastifyRequest } from "fastify";
import type { LatLng } from "../contract/parameters.ts";
import { DirectoryError } from "../directory-client/errors.ts";
import type { Web } from "./deps.ts";
import type { Visit } from "./members.ts";
import { pointOf } from "./venue-view.ts";

declare module "fastify" {
  interface Session {
    /** Where the member searched last. */
    place?: LatLng;
  }
}

/** Where a search starts when nobody says where: the place used last, else that of the last check-in. */
export async function usualPlace(web: Web, request: FastifyRequest, { auth }: Visit): Promise<LatLng | undefined> {
  if (request.session.place) return request.session.place;
  try {
    const { items } = await web.directory.checkins(auth, { limit: 1, offset: 0 });
    return items[0]?.venue && pointOf(items[0].venue);
  } catch (error) {
    if (error instanceof DirectoryError && error.kind !== "refused_token") return undefined; // it is only a convenience
    throw error;
  }
}

/** Remembers a place for the next search. The session is written only when it is another one. */
export function rememberPlace(request: FastifyRequest, { lat, lng }: LatLng): void {
  const { place } = request.session;
  if (place?.lat !== lat || place.lng !== lng) request.session.place = { lat, lng };
}
