import type { LatLng } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import type { Listing } from "../../directory-client/client.ts";
import { percentBeside } from "../../harmonize/results/outcome-words.ts";
import { formatNumber } from "../../language/format.ts";
import { categoryName } from "../../language/names.ts";
import { reasonInWords } from "../../language/sentences.ts";
import { t } from "../../language/translate.ts";
import { MATCH_CUT } from "../../matching/decide.ts";
import type { Evidence } from "../../matching/evidence.ts";
import { compareFields, type Field, type Likeness, wordKey } from "../../matching/fields.ts";
import { distanceInWords } from "../base/page.ts";
import { pointOf, venueCard } from "./view.ts";

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

export const degrees = ({ lat, lng }: LatLng) => `${lat.toFixed(5)}, ${lng.toFixed(5)}`;

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
