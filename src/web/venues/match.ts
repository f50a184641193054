import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { soughtAttributes } from "../../contract/parameters.ts";
import { searchParameters } from "../../contract/search-parameters.ts";
import { soughtText } from "../../contract/text.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { FoundVenues, Listing } from "../../directory-client/client.ts";
import { townOf } from "../../harmonize/query/to-query.ts";
import { textField } from "../../http/pages/forms.ts";
import { mapOf, type Notice } from "../../http/pages/parts.ts";
import { checkInEnglish, errorsInWords } from "../../http/parameters.ts";
import { formatList } from "../../language/format.ts";
import { t } from "../../language/translate.ts";
import { MATCH_CUT, WORTH_A_LOOK } from "../../matching/decide.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { problemOf } from "../base/page.ts";
import { fieldHelp } from "./add-form.ts";
import { degrees, type MatchCard, matchCard } from "./match-card.ts";
import { placeHelp, pointOfName, typedPlace, unknownPlaceHelp } from "./place.ts";
import { creditsOf, mapPoints } from "./view.ts";

const MOST = 50;

const form = z.object({
  name: soughtText("name", 200),
  /** A point or a name, whatever the parameter is called. */
  ll: typedPlace,
  ...soughtAttributes,
  phone: searchParameters.shape.phone,
  minScore: searchParameters.shape.minScore,
});
const FIELDS = ["name", "ll", ...(Object.keys(soughtAttributes) as (keyof typeof soughtAttributes)[])] as const;

export type ListingValues = Record<(typeof FIELDS)[number], string>;

/**
 * `/venues?intent=match&name=&ll=…`: finds the venue of a listing, with the parameters of venues/search. Returns the
 * data of the page, including invalid input.
 */
export async function match(web: Web, { query }: FastifyRequest, { auth }: Visit) {
  const given = query as Record<string, unknown>;
  const asked: Record<string, unknown> = { ...given, ll: given.ll || given.near };
  const values = Object.fromEntries(FIELDS.map((name) => [name, textField(asked, name)])) as ListingValues;
  if (FIELDS.every((name) => !asked[name])) return page({ values });
  // Like a row of a file, a listing without a position is in its town.
  const filled = Object.fromEntries(Object.entries(values).filter(([, each]) => each.trim() !== ""));
  const { value, errors } = checkInEnglish(form, { ...asked, ll: filled.ll ?? townOf(filled) ?? "" });
  if (!value) return page({ status: 400, values, errors: errorsInWords(errors, fieldInWords) });
  const { minScore = WORTH_A_LOOK, ll: place, ...attributes } = value;
  const listing = { ...attributes, ...place };
  try {
    const answer = await web.directory.matchVenues(auth, listing, { minScore, limit: MOST });
    return page({ values, notice: phoneNotice(values, listing), found: { ...answer, listing, isAll: minScore === 0 } });
  } catch (error) {
    const isPlaceRefused = place.near && error instanceof DirectoryError && error.kind === "rejected";
    if (isPlaceRefused) return page({ status: 400, values, errors: { ll: unknownPlaceHelp(error.errorType) } });
    const { status, notice } = problemOf(error);
    return page({ status, values, notice });
  }
}

/** Says that the directory was not asked about the phone. */
function phoneNotice(values: ListingValues, { phone }: Listing): Notice | undefined {
  if (phone !== undefined || values.phone.trim() === "") return undefined;
  const message = t("The phone is not a readable number, so it was not compared.");
  return { kind: "warning", message };
}

function fieldInWords(field: string, message: string): string {
  if (field === "name" && message.includes("required")) return t("Enter the name from your list.");
  return field === "ll" ? placeHelp(message) : fieldHelp(field, message);
}

interface Found extends FoundVenues {
  listing: Listing;
  isAll: boolean;
}

interface Result {
  status?: number;
  values: ListingValues;
  errors?: Record<string, string>;
  notice?: Notice | undefined;
  found?: Found;
}

function page({ status = 200, values, errors = {}, notice, found }: Result) {
  const addHref = `/venues/new?${addQuery(values)}`;
  const searchHref = `/venues?${new URLSearchParams({ query: values.name, ll: values.ll })}`;
  const all = new URLSearchParams({ intent: "match", ...values, minScore: "0" });
  const { minScore, ...ofFields } = errors;
  return {
    status,
    values,
    fieldErrors: errors,
    addHref,
    searchHref,
    errors: Object.entries(ofFields).map(([field, message]) => ({ field, message })),
    notice: minScore ? ({ kind: "danger", message: minScore } satisfies Notice) : notice,
    isAsked: FIELDS.some((name) => values[name]),
    found: found && { ...results(found), allHref: found.isAll ? undefined : `/venues?${all}` },
  };
}

export type MatchResults = ReturnType<typeof results> & { allHref: string | undefined };

function results({ listing, venues, confident, geocode, position }: Found) {
  const near = position ? undefined : listing.near;
  const ll = listing.ll ?? (position && { lat: position.lat, lng: position.lng });
  const compared = { ...listing, ll, isByAddress: position !== undefined };
  const cards = venues.slice(0, MOST).map((venue) => matchCard(compared, venue));
  const center = ll ?? pointOfName(geocode);
  const where = near && (geocode?.feature.displayName || near);
  return {
    cards,
    credits: creditsOf(cards),
    where,
    byAddress: position && { position: degrees(position), estimated: position.estimated },
    verdict: verdictOf(cards, venues[0]?.score, confident && !near),
    map: mapOf({
      center,
      points: [...mapPoints(cards), ...(ll ? [{ ...ll, name: t("Your listing"), isListing: true }] : [])],
    }),
  };
}

/** Fills in the add form from the listing, without a town, which is no point. */
function addQuery({ ll, ...rest }: ListingValues): URLSearchParams {
  const point = "ll" in (typedPlace.safeParse(ll).data ?? {}) ? { ll } : {};
  const known = Object.entries({ ...rest, ...point }).filter(([, value]) => value);
  return new URLSearchParams(known);
}

interface Verdict {
  tone: "success" | "info" | "warning";
  icon: string;
  heading: string;
  venue?: MatchCard | undefined;
  message: string;
}

/**
 * @param score of the first card; undefined if the directory gives none
 * @param confident the first may be accepted without review; ignored without a score
 */
function verdictOf(cards: MatchCard[], score: number | undefined, confident: boolean): Verdict {
  const [first] = cards;
  if (!first) return none(t("The directory has no similar venue near there. Add it as new, or check the position."));
  if (score === undefined) return unscored(cards);
  if (score < MATCH_CUT) return none(t("The most similar venues are below. If it is none of these, add it as new."));
  const why = sentence(first);
  if (confident)
    return { tone: "success", icon: "check", heading: t("This is the same place:"), venue: first, message: why };
  const message = `${why} ${t("Check the differences before you rely on it.")}`.trim();
  return { tone: "info", icon: "info", heading: t("Probably the same place:"), venue: first, message };
}

const none = (message: string): Verdict => ({
  tone: "warning",
  icon: "alert",
  heading: t("No venue matches"),
  message,
});

function unscored(cards: MatchCard[]): Verdict {
  const message = t("This directory gives no scores: compare the details yourself.");
  const only = cards.length === 1 ? cards[0] : undefined;
  const heading = only ? t("Possibly the same place:") : t("One of these may be the same place");
  return { tone: "info", icon: "info", heading, venue: only, message };
}

function sentence({ reasons }: MatchCard): string {
  const good = reasons.filter(({ side }) => side !== "against").slice(0, 3);
  const bad = reasons.filter(({ side, isWeak }) => side === "against" && !isWeak).slice(0, 2);
  const told =
    good.length > 0 && bad.length > 0
      ? t("{reasons}, though {others}", { reasons: listed(good), others: listed(bad) })
      : listed([...good, ...bad]);
  return told && `${told.charAt(0).toUpperCase()}${told.slice(1)}.`;
}

const listed = (reasons: { text: string }[]) => formatList(reasons.map(({ text }) => text));
