import type { FastifyRequest } from "fastify";
import type { Geocode } from "../../contract/geocode.ts";
import { formatLl, type LatLng } from "../../contract/parameters.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { type TypedPlace, typedPlace } from "./typed-place.ts";
import { mapPoints, pointOf, venueCard } from "./view.ts";

const AROUND = 50;

/** A point, and the name by which it was found. */
interface KnownPlace extends LatLng {
  name?: string | undefined;
}

declare module "fastify" {
  interface Session {
    place?: KnownPlace;
  }
}

/** Returns where a search starts by default: the last place searched, otherwise that of the last check-in. */
export async function usualPlace(web: Web, request: FastifyRequest, { auth }: Visit): Promise<KnownPlace | undefined> {
  if (request.session.place) return request.session.place;
  const latest = await web.directory.checkins(auth, { limit: 1, offset: 0 }).catch(ignoreUnlessRefused);
  const venue = latest?.items[0]?.venue;
  return venue && pointOf(venue);
}

export const writePlace = (place: KnownPlace | undefined): string => place?.name ?? (place ? formatLl(place) : "");

export const pointOfName = (geocode: Geocode | undefined): LatLng | undefined =>
  geocode && pointOf({ location: geocode.feature.geometry.center });

/**
 * Returns the centre of a map for picking a point: the place typed, otherwise the usual place; with the venues around
 * it.
 */
export async function surroundings(web: Web, request: FastifyRequest, visit: Visit, typed: string) {
  const given = typedPlace.safeParse(typed).data;
  const there = given && (await lookAround(web, visit, given));
  if (there?.center) return there;
  const usual = await usualPlace(web, request, visit);
  return usual ? lookAround(web, visit, { ll: usual }) : { center: undefined, around: [] };
}

export const pointsAround = async (web: Web, visit: Pick<Visit, "auth">, place: LatLng | undefined) =>
  place ? (await lookAround(web, visit, { ll: place })).around : [];

async function lookAround(web: Web, { auth }: Pick<Visit, "auth">, place: TypedPlace) {
  const found = await web.directory.searchVenues(auth, { ...place, limit: AROUND }).catch(ignoreUnlessRefused);
  const around = mapPoints(found?.venues.map(venueCard) ?? []);
  return { center: place.ll ?? pointOfName(found?.geocode), around };
}

/** Ignores failures of mere conveniences, but not a refused token. */
function ignoreUnlessRefused(error: unknown): undefined {
  if (error instanceof DirectoryError && error.kind !== "refused_token") return undefined;
  throw error;
}

export function rememberPlace(request: FastifyRequest, { lat, lng }: LatLng, name?: string): void {
  const { place } = request.session;
  if (place?.lat !== lat || place.lng !== lng || place.name !== name)
    request.session.place = { lat, lng, ...(name !== undefined && { name }) };
}
