import type { FastifyRequest } from "fastify";
import type { Geocode } from "../../contract/geocode.ts";
import { formatLl, type LatLng } from "../../contract/parameters.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { type TypedPlace, typedPlace } from "./typed-place.ts";
import { mapPoints, pointOf, venueCard } from "./view.ts";

/** How many venues a map shows around its point. */
const AROUND = 50;

/** A place to go back to: the point, and the name it was given by. */
interface KnownPlace extends LatLng {
  name?: string | undefined;
}

declare module "fastify" {
  interface Session {
    /** Where the member searched last. */
    place?: KnownPlace;
  }
}

/** Where a search starts when nobody says where: the place used last, else that of the last check-in. */
export async function usualPlace(web: Web, request: FastifyRequest, { auth }: Visit): Promise<KnownPlace | undefined> {
  if (request.session.place) return request.session.place;
  const latest = await web.directory.checkins(auth, { limit: 1, offset: 0 }).catch(ignoreUnlessRefused);
  const venue = latest?.items[0]?.venue;
  return venue && pointOf(venue);
}

/** A known place as a person would type it; empty for none. */
export const writePlace = (place: KnownPlace | undefined): string => place?.name ?? (place ? formatLl(place) : "");

/** Where the directory says that the place is which it was asked for by name. */
export const pointOfName = (geocode: Geocode | undefined): LatLng | undefined =>
  geocode && pointOf({ location: geocode.feature.geometry.center });

/** For a map to pick a point on: what was typed, also a town's name, or else the usual place; with the venues around. */
export async function surroundings(web: Web, request: FastifyRequest, visit: Visit, typed: string) {
  const given = typedPlace.safeParse(typed).data;
  const there = given && (await lookAround(web, visit, given));
  if (there?.center) return there;
  const usual = await usualPlace(web, request, visit);
  return usual ? lookAround(web, visit, { ll: usual }) : { center: undefined, around: [] };
}

/** Venues around a point, for a map to be read by. */
export const pointsAround = async (web: Web, visit: Pick<Visit, "auth">, place: LatLng | undefined) =>
  place ? (await lookAround(web, visit, { ll: place })).around : [];

/** The venues around; none where the directory does not say. */
async function lookAround(web: Web, { auth }: Pick<Visit, "auth">, place: TypedPlace) {
  const found = await web.directory.searchVenues(auth, { ...place, limit: AROUND }).catch(ignoreUnlessRefused);
  const around = mapPoints(found?.venues.map(venueCard) ?? []);
  return { center: place.ll ?? pointOfName(found?.geocode), around };
}

/** What is only a convenience may fail, but a refused token must be known. */
function ignoreUnlessRefused(error: unknown): undefined {
  if (error instanceof DirectoryError && error.kind !== "refused_token") return undefined;
  throw error;
}

/** Remembers a place for the next search. The session is written only when it is another one. */
export function rememberPlace(request: FastifyRequest, { lat, lng }: LatLng, name?: string): void {
  const { place } = request.session;
  if (place?.lat !== lat || place.lng !== lng || place.name !== name)
    request.session.place = { lat, lng, ...(name !== undefined && { name }) };
}
