import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Geocode } from "../../contract/addresses.ts";
import { formatLl, type LatLng, ll } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import { text } from "../../contract/text.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { textField } from "../../http/pages/forms.ts";
import { SOURCE_LANGUAGE } from "../../language/languages.ts";
import { inLanguage, t } from "../../language/translate.ts";
import { distanceBetween } from "../../matching/distance.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { mapPoints, pointOf, venueCard } from "./view.ts";

const AROUND = 50;

/** A point. */
interface KnownPlace extends LatLng {
  /** By which it was found. */
  name?: string | undefined;
  /** The town around a point that was not found by a name. */
  town?: string | undefined;
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
  return placeOfVenue(latest?.items[0]?.venue);
}

export function placeOfVenue(venue: Venue | undefined): KnownPlace | undefined {
  const point = venue && pointOf(venue);
  return point && { ...point, town: townOf(venue) };
}

/** "Providence, RI". */
function townOf({ location }: Venue): string | undefined {
  const town = [location?.city, location?.state].filter(Boolean).join(", ");
  return (location?.city && typedPlace.safeParse(town).data?.near) || undefined;
}

/** Metres from a point to a venue in the town around it. */
const SAME_TOWN = 3_000;

export function townAround(point: LatLng, venues: Venue[]): string | undefined {
  const near = venues.find((venue) => {
    const at = pointOf(venue);
    return at && townOf(venue) && distanceBetween(point, at) <= SAME_TOWN;
  });
  return near && townOf(near);
}

/** What the field for a place shows, and the hidden one beside it. */
export interface WrittenPlace {
  ll: string;
  /** The point for which `ll` is only the town around it: "41.8,-71.4 Providence, RI". */
  at: string;
}

export function writePlace(place: KnownPlace | undefined): WrittenPlace {
  if (!place) return { ll: "", at: "" };
  const { name, town } = place;
  return { ll: name ?? town ?? formatLl(place), at: !name && town ? `${formatLl(place)} ${town}` : "" };
}

/** Returns what was meant: the point of `at`, unless the person has written another place. */
export function readPlace({ ll, at }: WrittenPlace): string {
  const [point = "", ...town] = at.split(" ");
  return ll !== "" && town.join(" ") === ll ? point : ll;
}

export const pointOfName = (geocode: Geocode | undefined): LatLng | undefined =>
  geocode && pointOf({ location: geocode.feature.geometry.center });

/**
 * Returns the centre of a map for picking a point: the first of the places typed that is known, otherwise the usual place; with the
 * venues around it.
 */
export async function surroundings(web: Web, request: FastifyRequest, visit: Visit, typed: (string | undefined)[]) {
  for (const each of typed) {
    const given = typedPlace.safeParse(each).data;
    const there = given && (await lookAround(web, visit, given));
    if (there?.center) return there;
  }
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
export function ignoreUnlessRefused(error: unknown): undefined {
  if (error instanceof DirectoryError && error.kind !== "refused_token") return undefined;
  throw error;
}

export function rememberPlace(request: FastifyRequest, { lat, lng, name, town }: KnownPlace): void {
  const { place } = request.session;
  if (place?.lat !== lat || place.lng !== lng || place.name !== name || place.town !== town)
    request.session.place = { lat, lng, ...(name !== undefined && { name }), ...(town !== undefined && { town }) };
}

/** `ll` as people type it, with spaces and degree signs. */
export const typedPoint = z
  .string()
  .transform((typed) => typed.split(",").map(withoutDegreeSign).join(","))
  .pipe(ll);

const withoutDegreeSign = (number: string) => number.trim().replace(/°$/, "").trimEnd();

export type TypedPlace = { ll: LatLng; near?: never } | { near: string; ll?: never };

/** Latitude and longitude, a name, or a postal code. Its messages are in English, for placeHelp(). */
export const typedPlace = z.string().transform((typed, context): TypedPlace => {
  const { data, error } = inLanguage(SOURCE_LANGUAGE, () =>
    isName(typed) ? name.safeParse(typed) : typedPoint.safeParse(typed),
  );
  if (data !== undefined) return typeof data === "string" ? { near: data } : { ll: data };
  for (const { message } of error?.issues ?? []) context.addIssue({ code: "custom", message });
  return z.NEVER;
});

const name = text("Near", 100);

/** Two letters, or three digits in a row: a postal code has them, a latitude does not. */
const isName = (typed: string) => /\p{L}.*\p{L}/u.test(typed) || /^\s*\d{3,}(?:[ -]\d+)?\s*$/.test(typed);

const rangeHelp = () => t("Latitude ranges from −90 to 90, longitude from −180 to 180.");

export const pointHelp = (message: string): string =>
  message.includes("out of range")
    ? rangeHelp()
    : t("Write the place as latitude, longitude, such as 41.8240, -71.4128.");

export function placeHelp(message: string): string {
  if (message.includes("at most")) return t("Near: use at most 100 characters.");
  return message.includes("out of range")
    ? rangeHelp()
    : t(
        "Write the place as a name, such as Providence, RI; as a postal code; or as latitude, longitude, such as 41.8240, -71.4128.",
      );
}

export const unknownPlaceHelp = (errorType: string | undefined): string =>
  errorType === "failed_geocode"
    ? t(
        "The directory does not know this place. Check the spelling, and whether the directory has venues there. You can also name a larger town nearby, or write latitude, longitude, such as 41.8240, -71.4128.",
      )
    : t("The directory did not understand this place. Write it as latitude, longitude, such as 41.8240, -71.4128.");

export const placeIn = (query: unknown) => ({ ll: textField(query, "ll"), at: textField(query, "at") });
