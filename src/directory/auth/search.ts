import type { FastifyReply, FastifyRequest } from "fastify";
import { ll as point } from "../../contract/parameters.ts";
import { searchParameters } from "../../contract/search-parameters.ts";
import { csrfToken, textField } from "../../http/pages/forms.ts";
import { sendView } from "../../http/pages/views.ts";
import { categoryName } from "../../language/categories.ts";
import { addressInWords } from "../../language/countries.ts";
import { withDecimalSign } from "../../language/format.ts";
import { t } from "../../language/translate.ts";
import { distanceBetween, metresInWords } from "../../matching/distance.ts";
import { KnownError, waitInWords } from "../../shared/errors.ts";
import { findCategory } from "../categories/tree.ts";
import { demoNote } from "../sample/page.ts";
import { sourcesOf } from "../sources.ts";
import { addressOf, venuePage } from "../venues/present.ts";
import type { VenueRow } from "../venues/rows.ts";
import { searchVenues } from "../venues/search/search.ts";
import { createBrake } from "./session/brake.ts";
import type { AuthDeps } from "./session/deps.ts";
import { signedInUser } from "./session/signed-in.ts";

const MOST = "20";

/** `GET /search?query=&near=`: venues by name or kind, near a place or anywhere. For everyone, with a limit for each network. */
export async function search(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply) {
  const typed = { query: textField(request.query, "query").trim(), near: textField(request.query, "near").trim() };
  const user = await signedInUser(deps, request);
  const { status, headers = {}, ...found } = await find(deps, request, typed);
  return sendView(reply.code(status).headers(headers), "directory/search", {
    ...{ title: t("Search"), user, csrf: user && csrfToken(reply), path: "/search" },
    ...{ typed, demo: await demoNote(deps, user) },
    ...{ errors: found.errors ?? {}, results: found.results, credits: found.credits ?? "" },
  });
}

interface Typed {
  query: string;
  near: string;
}

interface Found {
  status: number;
  headers?: Record<string, string>;
  errors?: { query?: string; near?: string; form?: string };
  /** Undefined if nothing was searched. */
  results?: ResultView[];
  credits?: string;
}

async function find(deps: AuthDeps, request: FastifyRequest, { query, near }: Typed): Promise<Found> {
  if (!query && !near) return { status: 200 };
  const { data: parameters, error } = askedFor({ query, near });
  if (!parameters)
    return {
      status: 400,
      errors: error.issues.some(({ path: [name] }) => name === "query") ? tooLong() : { near: unknownPlace() },
    };

  const refusal = await createBrake(deps, { name: "public search", limit: 100, windowSeconds: 15 * 60 }).count(
    "",
    request,
  );
  if (refusal) {
    const wait = waitInWords(Number(refusal.headers["retry-after"]));
    const form = t("Too many searches from your network. Try again in {wait}.", { wait });
    return { status: refusal.status, headers: refusal.headers, errors: { form } };
  }
  try {
    const { venues, place } = await searchVenues(deps.pool, parameters);
    const sources = await sourcesOf(deps.pool, venues);
    const credits = venues.flatMap(({ sourceId }) => (sourceId && sources.get(sourceId)?.attribution) || []);
    const center = parameters.ll ?? place?.place;
    return {
      status: 200,
      results: venues.map((venue) => resultView(deps, venue, center)),
      credits: [...new Set(credits)].join(" "),
    };
  } catch (problem) {
    if (!(problem instanceof KnownError) || problem.status !== 400) throw problem;
    return { status: 400, errors: { near: unknownPlace() } };
  }
}

/** Reads a form with `query` and `near`: a place by its name or position, or "" for anywhere. */
export function askedFor({ query, near }: Typed) {
  const position = near.replaceAll(/\s/g, "");
  const where = point.safeParse(position).success ? { ll: position } : near ? { near } : { intent: "global" };
  return searchParameters.safeParse({ ...(query && { query }), ...where, limit: MOST });
}

const tooLong = () => ({ query: t("What: use at most 200 characters.") });

export const unknownPlace = () =>
  t(
    "The directory does not know this place. Check the spelling, and whether the directory has venues there. You can also name a larger town nearby, or write latitude, longitude, such as 41.8240, -71.4128.",
  );

export function resultView({ config }: AuthDeps, venue: VenueRow, center: { lat: number; lng: number } | undefined) {
  const category = venue.categoryId ? findCategory(venue.categoryId) : undefined;
  return {
    id: venue.id,
    name: venue.name,
    href: venuePage(venue.id, config.api.url),
    line: [category && categoryName(category.name), addressInWords(addressOf(venue))].filter(Boolean).join(" · "),
    distance: center && withDecimalSign(metresInWords(distanceBetween(center, venue))),
  };
}
export type ResultView = ReturnType<typeof resultView>;
