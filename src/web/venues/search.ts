import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type LatLng, wholeNumber } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import { text } from "../../contract/text.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { textField } from "../../http/pages/forms.ts";
import { mapOf, type Notice } from "../../http/pages/parts.ts";
import { checkParameters } from "../../http/parameters.ts";
import { addressInWords, categoryName } from "../../language/names.ts";
import { t } from "../../language/translate.ts";
import { distanceBetween } from "../../matching/distance.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { demoNote, distanceInWords, problemOf, sendPage } from "../base/page.ts";
import { match } from "./match.ts";
import {
  ignoreUnlessRefused,
  placeHelp,
  placeIn,
  pointOfName,
  readPlace,
  rememberPlace,
  type TypedPlace,
  townAround,
  typedPlace,
  unknownPlaceHelp,
  usualPlace,
  type WrittenPlace,
  writePlace,
} from "./place.ts";
import { creditsOf, mapPoints, pointOf, type VenueCard, venueCard } from "./view.ts";
import { whyFound } from "./why-found.ts";

const RADII = [500, 1_000, 5_000, 20_000];

/** Unknown values count as none. */
const filters = {
  categoryId: text("Category", 100).optional().catch(undefined),
  radius: z.enum(RADII.map(String)).transform(Number).optional().catch(undefined),
  phone: z.literal("1").optional().catch(undefined),
};

interface Filters {
  categoryId?: string | undefined;
  /** Metres around the place. */
  radius?: number | undefined;
  /** Only venues with a phone. */
  phone?: "1" | undefined;
}

/** What the form shows. Offers the upper categories only: each includes those below it. */
async function filterFields(web: Web, { auth }: Visit, { categoryId, radius, phone }: Filters) {
  const categories = (await web.directory.categories(auth).catch(ignoreUnlessRefused)) ?? [];
  return {
    categories: categories.map(({ id, name }) => ({
      value: id,
      label: categoryName(name),
      isChosen: id === categoryId,
    })),
    radii: RADII.map((each) => ({ value: each, label: distanceInWords(each), isChosen: each === radius })),
    withPhone: phone !== undefined,
    count: [categoryId, radius, phone].filter(Boolean).length,
  };
}
export type FilterFields = Awaited<ReturnType<typeof filterFields>>;

/** Applies what the interface has no parameter for, and a radius that a directory ignores. */
const passing =
  ({ radius, phone }: Filters, center: LatLng | undefined) =>
  (venue: Venue): boolean => {
    const point = pointOf(venue);
    const isNear = !radius || !center || (point !== undefined && distanceBetween(center, point) <= radius);
    return isNear && (!phone || Boolean(venue.contact?.phone));
  };

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
  const where = place?.near && addressInWords((geocode?.feature.displayName || place.near).split(", "));
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
    status,
    values,
    filters,
    notice,
    cards,
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

interface Heading {
  count: number;
  /** The list may be cut, so its length is not the total. */
  isFull: boolean;
  query: string;
  /** `around`: a point in a town. */
  where: "near" | "around" | "point" | "anywhere";
  /** Name of the place or the town. */
  place: string;
}

function headingInWords({ isFull, ...found }: Heading): string {
  const { count, query, where } = found;
  if (count === 0)
    return t("Nothing found{where, select, near { near {place}} around { around {place}} other {}}", found);
  if (query)
    return t(
      "{isFull, select, true {{count, plural, one {Best match} other {# best matches}}} other {{count, plural, one {# match} other {# matches}}}} for “{query}”{where, select, near { near {place}} around { near {place}} anywhere {, anywhere} other {}}",
      { ...found, isFull: String(isFull) },
    );
  if (where === "near") return t("{count, plural, one {# venue} other {# venues}} near {place}", found);
  return isFull
    ? t("{count, plural, one {Nearest venue} other {# nearest venues}}", { count })
    : t("{count, plural, one {# venue} other {# venues}} nearby", { count });
}

const MOST_RECENT = 5;

interface Search {
  query: string;
  ll: string;
  at: string;
}

declare module "fastify" {
  interface Session {
    searches?: Search[];
  }
}

/** Keeps the last searches by a word in the session, newest first. */
function rememberSearch({ session }: FastifyRequest, { query, ll, at }: Search): void {
  const before = session.searches ?? [];
  const isSame = (each: Search) => each.query === query && each.ll === ll;
  if (query === "" || (before[0] && isSame(before[0]))) return;
  session.searches = [{ query, ll, at }, ...before.filter((each) => !isSame(each))].slice(0, MOST_RECENT);
}

const recentSearches = ({ session }: FastifyRequest) =>
  (session.searches ?? []).map(({ query, ll, at }) => ({
    label: ll ? `${query}, ${ll}` : query,
    href: `/venues?${new URLSearchParams({ query, ll, ...(at && { at }) })}`,
  }));
