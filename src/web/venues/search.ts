import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type LatLng, wholeNumber } from "../../contract/parameters.ts";
import { text } from "../../contract/text.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import { textField } from "../../http/pages/forms.ts";
import { mapOf, type Notice } from "../../http/pages/parts.ts";
import { checkParameters } from "../../http/parameters.ts";
import type { Web } from "../base/deps.ts";
import { problemOf } from "../base/directory-problem.ts";
import type { Visit } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { count } from "../base/words.ts";
import { match } from "./match.ts";
import { pointOfName, rememberPlace, usualPlace, writePlace } from "./place.ts";
import { placeHelp, type TypedPlace, typedPlace, unknownPlaceHelp } from "./typed-place.ts";
import { creditsOf, mapPoints, venueCard } from "./view.ts";

const FIRST = 20;
const MOST = 50;
const form = z.object({
  query: text("What", 200).optional(),
  /** A point or a name, whatever the parameter is called. */
  ll: typedPlace.optional(),
  limit: wholeNumber("limit", 1, MOST).default(FIRST),
});

/**
 * `/venues?query=&ll=&limit=`: `near` is an alias of `ll`. With `intent=match`, as in the interface, matches a listing.
 */
export async function showSearch(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const isMatch = textField(request.query, "intent") === "match";
  if (isMatch) {
    const { status, ...result } = await match(web, request, visit);
    return sendPage(reply.code(status), visit.member, "venues/match", { title: "Match a listing", ...result });
  }
  const { status, ...result } = await search(web, request, visit);
  return sendPage(reply.code(status), visit.member, "venues/search", { title: "Search", ...result });
}

async function search(web: Web, request: FastifyRequest, visit: Visit) {
  const given = request.query as Record<string, unknown>;
  const asked = { ...given, ll: given.ll || given.near };
  const typed = { query: textField(asked, "query"), ll: textField(asked, "ll") };
  const checked = checkParameters(form, asked);
  if (checked.errors) {
    const errors = { ...checked.errors, ...(checked.errors.ll ? { ll: placeHelp(checked.errors.ll) } : {}) };
    return page({ status: 400, values: typed, errors });
  }
  const { query, limit } = checked.value;
  const ll = typed.ll || writePlace(await usualPlace(web, request, visit));
  const place: Partial<TypedPlace> = checked.value.ll ?? typedPlace.safeParse(ll).data ?? {};
  const values = { query: typed.query, ll };
  if (!ll && !query) return page({ values });
  try {
    const { venues, geocode } = await web.directory.searchVenues(visit.auth, { query, ...place, limit });
    const center = place.ll ?? pointOfName(geocode);
    if (center) rememberPlace(request, center, place.near);
    const where = place.near && (geocode?.feature.displayName || place.near);
    return page({ values, found: { cards: venues.slice(0, limit).map(venueCard), limit, center, where } });
  } catch (error) {
    const isPlaceRefused = place.near && error instanceof DirectoryError && error.kind === "rejected";
    if (isPlaceRefused) return page({ status: 400, values, errors: { ll: unknownPlaceHelp(error.errorType) } });
    const { status, notice } = problemOf(error);
    return page({ status, values, notice });
  }
}

interface Result {
  status?: number;
  values: { query: string; ll: string };
  errors?: Record<string, string>;
  notice?: Notice;
  found?: Found;
}

interface Found {
  cards: ReturnType<typeof venueCard>[];
  limit: number;
  center: LatLng | undefined;
  where: string | undefined;
}

function page({ status = 200, values, errors = {}, notice, found }: Result) {
  const { cards = [], limit = 0, center, where } = found ?? {};
  const more = cards.length === limit && limit < MOST;
  // A town is no point to add a venue at; the form's map still shows it, as the last place searched.
  const point = where ? {} : { ll: values.ll };
  return {
    status,
    values,
    fieldErrors: errors,
    notice,
    searched: found !== undefined,
    cards,
    credits: creditsOf(cards),
    heading: found ? heading(found, values.query) : "",
    map: mapOf({
      points: mapPoints(cards),
      center,
      searchHref: `/venues?${new URLSearchParams({ query: values.query })}&ll=`,
    }),
    moreHref: more ? `/venues?${new URLSearchParams({ ...values, limit: String(MOST) })}` : undefined,
    addHref: `/venues/new?${new URLSearchParams({ name: values.query, ...point })}`,
  };
}

/** A full list may be cut, so its length is not the total. */
function heading({ cards, limit, center, where }: Found, query: string): string {
  const isFull = cards.length === limit;
  const venues = count(cards.length, "venue");
  const place = where ? ` near ${where}` : "";
  if (cards.length === 0) return `Nothing found${place}`;
  if (query) return `${isFull ? "The best " : ""}${venues} for “${query}”${place || (center ? "" : ", anywhere")}`;
  if (where) return `${venues}${place}`;
  return isFull ? `The nearest ${venues}` : `${venues} nearby`;
}
