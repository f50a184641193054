import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { formatLl, type LatLng, text, wholeNumber } from "../contract/parameters.ts";
import { textField } from "../http/forms.ts";
import { checkParameters } from "../http/parameters.ts";
import type { Web } from "./deps.ts";
import { problemOf } from "./directory-problem.ts";
import { connectedOnly, type Visit } from "./members.ts";
import { sendPage } from "./page.ts";
import { rememberPlace, usualPlace } from "./place.ts";
import { placeHelp, typedPlace } from "./typed-place.ts";
import { mapPoints, venueCard } from "./venue-view.ts";
import { count } from "./words.ts";

const FIRST = 20;
const MOST = 50;
const form = z.object({
  query: text("What", 200).optional(),
  ll: typedPlace.optional(),
  limit: wholeNumber("limit", 1, MOST).default(FIRST),
});

/** `/venues?query=&ll=&limit=`: search near a place. */
export function registerSearch(app: FastifyInstance, web: Web): void {
  const handler = connectedOnly(web, async (request, reply, visit) => {
    const { status, ...result } = await search(web, request, visit);
    return sendPage(reply.code(status), visit.member, "venues/search", { title: "Search", ...result });
  });
  app.get("/venues", handler);
}

async function search(web: Web, request: FastifyRequest, visit: Visit) {
  const typed = { query: textField(request.query, "query"), ll: textField(request.query, "ll") };
  const checked = checkParameters(form, request.query);
  if (checked.errors) {
    const errors = { ...checked.errors, ...(checked.errors.ll ? { ll: placeHelp(checked.errors.ll) } : {}) };
    return page({ status: 400, values: typed, errors });
  }
  const { query, limit } = checked.value;
  const place = checked.value.ll ?? (await usualPlace(web, request, visit));
  const values = { query: typed.query, ll: typed.ll || (place ? formatLl(place) : "") };
  if (!place && !query) return page({ values });
  try {
    const { venues } = await web.directory.searchVenues(visit.auth, { query, ll: place, limit });
    if (place) rememberPlace(request, place);
    return page({ values, found: { cards: venues.slice(0, limit).map(venueCard), limit, place } });
  } catch (error) {
    const { status, notice } = problemOf(error);
    return page({ status, values, notice });
  }
}

interface Result {
  status?: number;
  values: { query: string; ll: string };
  errors?: Record<string, string>;
  notice?: unknown;
  found?: { cards: ReturnType<typeof venueCard>[]; limit: number; place: LatLng | undefined };
}

/** What the page shows; everything the view reads is there. */
function page({ status = 200, values, errors = {}, notice, found }: Result) {
  const { cards = [], limit = 0, place } = found ?? {};
  const more = cards.length === limit && limit < MOST;
  return {
    status,
    values,
    fieldErrors: errors,
    notice,
    searched: found !== undefined,
    cards,
    heading: heading(cards.length, limit, values.query) + (found && !place ? ", anywhere" : ""),
    map: { points: mapPoints(cards), center: place },
    moreHref: more ? `/venues?${new URLSearchParams({ ...values, limit: String(MOST) })}` : undefined,
    addHref: `/venues/new?${new URLSearchParams({ name: values.query, ll: values.ll })}`,
  };
}

/** How many there are, as far as is known: a full list may be cut. */
function heading(found: number, limit: number, query: string): string {
  const venues = found === limit ? `The ${query ? "best" : "nearest"} ${count(found, "venue")}` : count(found, "venue");
  return query ? `${venues} for “${query}”` : found === limit ? venues : `${venues} nearby`;
}
