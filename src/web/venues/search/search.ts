import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type LatLng, wholeNumber } from "../../../contract/parameters.ts";
import { text } from "../../../contract/text.ts";
import { DirectoryError } from "../../../directory-client/calls/errors.ts";
import { textField } from "../../../http/pages/forms.ts";
import { mapOf, type Notice } from "../../../http/pages/parts.ts";
import { checkParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { demoNote } from "../../base/demo-note.ts";
import type { Web } from "../../base/deps.ts";
import { problemOf } from "../../base/directory-problem.ts";
import type { Visit } from "../../base/members.ts";
import { sendPage } from "../../base/page.ts";
import { match } from "../match.ts";
import {
  pointOfName,
  readPlace,
  rememberPlace,
  townAround,
  usualPlace,
  type WrittenPlace,
  writePlace,
} from "../place.ts";
import { placeHelp, type TypedPlace, typedPlace, unknownPlaceHelp } from "../typed-place.ts";
import { creditsOf, mapPoints, type VenueCard, venueCard } from "../view.ts";
import { type Filters, filterFields, filters, passing } from "./filters.ts";
import { headingInWords } from "./heading.ts";
import { recentSearches, rememberSearch } from "./recent.ts";
import { placeIn } from "./suggest.ts";
import { whyFound } from "./why.ts";

const FIRST = 20;
const MOST = 50;
const form = z.object({
  query: text("What", 200).optional(),
  /** A point or a name, whatever the parameter is called. */
  ll: typedPlace.optional(),
  limit: wholeNumber("limit", 1, MOST).default(FIRST),
  ...filters,
});

/**
 * `/venues?query=&ll=&at=&categoryId=&radius=&phone=&limit=`: `near` is an alias of `ll`. With `intent=match`, as in the
 * interface, matches a listing.
 */
export async function showSearch(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const isMatch = textField(request.query, "intent") === "match";
  if (isMatch) {
    const { status, ...result } = await match(web, request, visit);
    return sendPage(reply.code(status), visit.member, "venues/match", { title: t("Match a place"), ...result });
  }
  const recent = recentSearches(request);
  const [{ status, filters, ...result }, demo] = await Promise.all([
    search(web, request, visit),
    demoNote(web, visit.member),
  ]);
  return sendPage(reply.code(status), visit.member, "venues/search", {
    title: t("Places"),
    ...result,
    demo,
    recent,
    filters: await filterFields(web, visit, filters),
  });
}

async function search(web: Web, request: FastifyRequest, visit: Visit) {
  const given = request.query as Record<string, unknown>;
  const { at } = placeIn(given);
  const written = { ll: textField(given, "ll") || textField(given, "near"), at };
  const ll = given.ll || given.near;
  const typed = { query: textField(given, "query"), ...written };
  const checked = checkParameters(form, { ...given, ll: typeof ll === "string" ? readPlace(written) : ll });
  if (checked.errors) {
    const errors = { ...checked.errors, ...(checked.errors.ll ? { ll: placeHelp(checked.errors.ll) } : {}) };
    return page({ status: 400, values: typed, errors, filters: {} });
  }
  const { query, limit, ll: place, categoryId, radius, phone } = checked.value;
  const filters = { categoryId, radius, phone };
  const usual = written.ll ? written : writePlace(await usualPlace(web, request, visit));
  const start = { values: { query: typed.query, ...usual }, filters };
  const where = place ?? typedPlace.safeParse(readPlace(usual)).data;
  if (!where && !query) return page(start);
  try {
    return page({ ...start, ...(await find(web, request, visit, { query, limit, place: where, ...filters })) });
  } catch (error) {
    const isPlaceRefused = where?.near && error instanceof DirectoryError && error.kind === "rejected";
    if (isPlaceRefused) return page({ ...start, status: 400, errors: { ll: unknownPlaceHelp(error.errorType) } });
    const { status, notice } = problemOf(error);
    return page({ ...start, status, notice });
  }
}

interface Asked extends Filters {
  query: string | undefined;
  place: TypedPlace | undefined;
  limit: number;
}

async function find(web: Web, request: FastifyRequest, { auth }: Visit, asked: Asked) {
  const { query, place, limit, categoryId, radius, phone } = asked;
  // Of those that have no parameter, some are left out below.
  const count = radius || phone ? MOST : limit;
  const { venues, geocode } = await web.directory.searchVenues(auth, {
    query,
    ...place,
    categoryId,
    radius,
    limit: count,
  });
  const center = place?.ll ?? pointOfName(geocode);
  const town = place?.ll && townAround(place.ll, venues);
  if (center) rememberPlace(request, { ...center, name: place?.near, town });
  const where = place?.near && (geocode?.feature.displayName || place.near);
  const shown = venues.filter(passing(asked, center));
  const cards = shown.slice(0, limit).map((venue) => ({ ...venueCard(venue), why: whyFound(query ?? "", venue) }));
  const values = { query: query ?? "", ...(center ? writePlace({ ...center, name: place?.near, town }) : NOWHERE) };
  if (cards.length > 0) rememberSearch(request, values);
  return {
    values,
    found: { cards, limit, center, where, isFull: count > limit ? shown.length > limit : venues.length >= limit },
  };
}

/** `why`: the details that have the words searched for. */
export type FoundCard = VenueCard & { why: string | undefined };

const NOWHERE = { ll: "", at: "" };

interface Result {
  status?: number;
  values: { query: string } & WrittenPlace;
  filters: Filters;
  errors?: Record<string, string>;
  notice?: Notice;
  found?: Found;
}

interface Found {
  cards: FoundCard[];
  limit: number;
  center: LatLng | undefined;
  where: string | undefined;
  /** There may be more. */
  isFull: boolean;
}

function page({ status = 200, values, filters, errors = {}, notice, found }: Result) {
  const { cards = [], limit = 0, center, where, isFull = false } = found ?? {};
  const { categoryId, radius, phone } = filters;
  const chosen = Object.entries({ categoryId, radius, phone }).flatMap(([name, value]) =>
    value ? [[name, String(value)]] : [],
  );
  const asked = { ...Object.fromEntries(chosen), query: values.query };
  // A town is no point to add a venue at; the form's map still shows it, as the last place searched.
  const point = where ? {} : { ll: readPlace(values) };
  return {
    ...{ status, values, filters, notice, cards },
    fieldErrors: errors,
    searched: found !== undefined,
    credits: creditsOf(cards),
    heading: found ? heading(found, values) : "",
    map: mapOf({
      points: mapPoints(cards),
      center,
      searchHref: `/venues?${new URLSearchParams(asked)}&ll=`,
    }),
    moreHref:
      isFull && limit < MOST
        ? `/venues?${new URLSearchParams({ ...asked, ...values, limit: String(MOST) })}`
        : undefined,
    matchHref: `/venues?${new URLSearchParams({ intent: "match", ...(values.query && { name: values.query, ll: values.ll }) })}`,
    addHref: `/venues/new?${new URLSearchParams({ name: values.query, ...point })}`,
  };
}

function heading({ cards, limit, center, where }: Found, { query, ll, at }: Result["values"]): string {
  const found = { count: cards.length, isFull: cards.length === limit, query };
  if (where) return headingInWords({ ...found, where: "near", place: where });
  if (at) return headingInWords({ ...found, where: "around", place: ll });
  return headingInWords({ ...found, where: center ? "point" : "anywhere", place: "" });
}
