import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { type LatLng, soughtAttributes } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import { searchParameters } from "../../contract/search-parameters.ts";
import { soughtText } from "../../contract/text.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { FoundVenues, Listing } from "../../directory-client/client.ts";
import { townOf } from "../../harmonize/query/to-query.ts";
import { percentBeside } from "../../harmonize/results/outcome-words.ts";
import { textField } from "../../http/pages/forms.ts";
import { mapOf, type Notice } from "../../http/pages/parts.ts";
import { checkInEnglish } from "../../http/parameters.ts";
import { formatList, formatNumber } from "../../language/format.ts";
import { categoryName } from "../../language/names.ts";
import { reasonInWords } from "../../language/sentences.ts";
import { t } from "../../language/translate.ts";
import { MATCH_CUT, WORTH_A_LOOK } from "../../matching/decide.ts";
import type { Evidence } from "../../matching/evidence.ts";
import { compareFields, type Field, type Likeness, wordKey } from "../../matching/fields.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { distanceInWords, problemOf } from "../base/page.ts";
import { fieldHelp } from "./add-form.ts";
import { placeHelp, pointOfName, typedPlace, unknownPlaceHelp } from "./place.ts";
import { creditsOf, mapPoints, pointOf, venueCard } from "./view.ts";

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
  if (!value) return page({ status: 400, values, errors: inWords(errors) });
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

/** Of a phone that the directory was not asked about. */
function phoneNotice(values: ListingValues, { phone }: Listing): Notice | undefined {
  if (phone !== undefined || values.phone.trim() === "") return undefined;
  const message = t("The phone is not a readable number, so it was not compared.");
  return { kind: "warning", message };
}

function inWords(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, say(field, message)]));
}

function say(field: string, message: string): string {
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

const PERHAPS = 0.2;

const MOST_REASONS = 8;
/** Log-odds below which a reason hardly changes the score. */
const WEAK = 0.5;

export interface Row {
  label: string;
  listing: Part[];
  venue: Part[];
  result: string;
}

export interface Reason {
  /** What the directory compared; missing if it gives no reasons. */
  comparison?: string;
  text: string;
  side: "for" | "against";
  isWeak: boolean;
}

type Compared = Listing & {
  url?: string | undefined;
  category?: string | undefined;
  /** Whether `ll` is not the listing's own. */
  isByAddress?: boolean;
};

/**
 * Compares a venue with the listing. The rows agree with the reasons.
 *
 * @param cut as in certaintyOf()
 */
export function matchCard(listing: Compared, venue: Venue, cut?: Cut) {
  const theirs = fieldsOf(venue);
  const { likeness, evidence } = compareFields(listing, theirs, venue.evidence);
  const shown = { ...theirs, category: theirs.category && categoryName(theirs.category) };
  const fields = ROWS.filter(([field]) => listing[field] || (theirs[field] && !IF_ASKED.includes(field)));
  const rows = fields.map(([field, label]) => row(field, label(), listing[field], shown[field], likeness[field]));
  return {
    ...venueCard(venue),
    rows: [...rows, positionRow(listing, venue)],
    reasons: reasonsOf(evidence, Boolean(venue.evidence?.length)),
    certainty: certaintyOf(venue.score, cut),
  };
}
export type MatchCard = ReturnType<typeof matchCard>;

const ROWS = [
  ["name", () => t("Name")],
  ["address", () => t("Address")],
  ["city", () => t("City")],
  ["state", () => t("State")],
  ["zip", () => t("Postal code")],
  ["phone", () => t("Phone")],
  ["twitter", () => t("Twitter")],
  ["url", () => t("Website")],
  ["category", () => t("Category")],
] as const;

/** Shown only if the listing has them. */
const IF_ASKED: readonly Field[] = ["url", "category"];

const fieldsOf = ({ name, location = {}, contact = {}, url, categories }: Venue) => ({
  name,
  address: location.address,
  city: location.city,
  state: location.state,
  zip: location.postalCode,
  phone: contact.formattedPhone ?? contact.phone,
  twitter: contact.twitter,
  url,
  category: categories?.[0]?.name,
});

function row(field: Field, label: string, ours = "", theirs = "", likeness: Likeness | undefined): Row {
  const isAlike = likeness === undefined || likeness === "same";
  const [listing, venue] = isAlike ? [whole(ours, false), whole(theirs, false)] : differences(field, ours, theirs);
  return { label, listing, venue, result: likeness ? likenessInWords(likeness) : "" };
}

function likenessInWords(likeness: Likeness): string {
  if (likeness === "same") return t("same");
  return likeness === "similar" ? t("similar") : t("differs");
}

function positionRow({ ll, near = "", isByAddress }: Compared, venue: Venue): Row {
  const point = pointOf(venue);
  const metres = ll && venue.location?.distance;
  return {
    label: t("Position"),
    listing: whole(ll ? ownPosition(degrees(ll), isByAddress) : near, false),
    venue: whole(point ? ownPosition(degrees(point), venue.positionByAddress) : "", false),
    result: metres === undefined ? "" : t("{distance} apart", { distance: distanceInWords(metres) }),
  };
}

const ownPosition = (position: string, isByAddress = false) =>
  isByAddress ? t("{position} from the address", { position }) : position;

const degrees = ({ lat, lng }: LatLng) => `${lat.toFixed(5)}, ${lng.toFixed(5)}`;

/** @param isTold by the directory: other listings may then have the same reason */
const reasonsOf = (evidence: Evidence[], isTold: boolean): Reason[] =>
  eachFactOnce(evidence)
    .slice(0, MOST_REASONS)
    .map(({ comparison, text, weight }) => ({
      ...(isTold && { comparison }),
      text: reasonInWords(text),
      side: weight < 0 ? "against" : "for",
      isWeak: Math.abs(weight) < WEAK,
    }));

/** The reasons, the deciding ones first, without those that another of the same side implies. */
export function eachFactOnce<Reason extends { text: string; weight: number }>(evidence: readonly Reason[]): Reason[] {
  const good = evidence.filter(({ weight }) => weight >= 0);
  const bad = evidence.filter(({ weight }) => weight < 0);
  return [good, bad]
    .flatMap((side) => side.filter(({ text }) => text.trim() && !side.some((other) => IMPLIES[other.text]?.has(text))))
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

const IMPLIES: Record<string, Set<string>> = {
  "same address": new Set(["same street", "same house number"]),
  "only one name states the kind of place": new Set(["only one name states the kind of business"]),
};

export interface Cut {
  /** Of the scores that are accepted without review. The words stay on their side of it. */
  limit: number;
  /** Whether the row waits for a person: what reaches the limit is then similar, as "sure" would contradict that. */
  isWaiting: boolean;
}

/** Words a score, never as 100 %. Returns undefined if the directory gives none. */
export function certaintyOf(score: number | undefined, { limit, isWaiting }: Partial<Cut> = {}) {
  if (score === undefined) return undefined;
  const whole = Math.min(99, Math.max(1, Math.round(score * 100)));
  const isAcross = limit !== undefined && whole >= limit * 100 !== score >= limit;
  const percent = isAcross ? formatNumber(percentBeside(score, limit)) : whole;
  if (isWaiting && limit !== undefined && score >= limit) {
    const similar = t("{percent} % similar", { percent });
    return { words: similar, sure: similar, tone: "" };
  }
  const isTiny = score < 0.01;
  const sure = isTiny ? t("under 1 % sure") : t("{percent} % sure", { percent });
  if (score >= 0.9) return { words: t("Very likely · {sure}", { sure }), sure, tone: "chip-success" };
  if (score >= MATCH_CUT) return { words: t("Likely · {sure}", { sure }), sure, tone: "chip-accent" };
  return {
    words: score >= PERHAPS ? t("Possible · {sure}", { sure }) : t("Unlikely · {sure}", { sure }),
    sure,
    tone: "",
  };
}

/** `differs` if the other text has nothing like it. */
export interface Part {
  text: string;
  differs: boolean;
}

/** UTF-16 units; longer texts are not compared by words. */
const LONGEST = 400;

/** A single different character makes these another value, so they differ as a whole. */
const WHOLE: readonly Field[] = ["zip", "phone", "twitter"];

/**
 * Splits two texts of a field into parts, marking the words that the other lacks, as the matching reads them. The parts
 * of a text add up to it.
 */
export function differences(field: Field, a: string, b: string): [Part[], Part[]] {
  if (WHOLE.includes(field) || Math.max(a.length, b.length) > LONGEST) return [whole(a, true), whole(b, true)];
  const left = cut(field, a);
  const right = cut(field, b);
  return [lackedBy(right, left), lackedBy(left, right)];
}

const whole = (text: string, differs: boolean): Part[] => (text ? [{ text, differs }] : []);

/** A word, or with an empty key the text between two words. */
interface Token {
  text: string;
  key: string;
}

/** Chinese, Japanese and Thai have no spaces between words. */
const words = new Intl.Segmenter("en", { granularity: "word" });

const cut = (field: Field, text: string): Token[] =>
  [...words.segment(text)].map(({ segment }) => ({ text: segment, key: wordKey(field, segment) }));

/** Text between two marked words is marked too. */
function lackedBy(others: Token[], tokens: Token[]): Part[] {
  const known = new Set(others.map(({ key }) => key));
  const parts: Part[] = [];
  let between = "";
  const add = (text: string, differs: boolean) => {
    const last = parts.at(-1);
    if (last?.differs === differs) last.text += text;
    else if (text) parts.push({ text, differs });
  };
  for (const { text, key } of tokens) {
    if (key === "") {
      between += text;
      continue;
    }
    const differs = !known.has(key);
    add(between, differs && parts.at(-1)?.differs === true);
    add(text, differs);
    between = "";
  }
  add(between, false);
  return parts;
}
