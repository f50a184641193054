import type { LatLng } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import type { Listing } from "../../directory-client/client.ts";
import { distance } from "../base/words.ts";
import { differences, type Part, streetWord, whole } from "./differences.ts";
import { pointOf, venueCard } from "./view.ts";

/** How likely a venue must be the same to be shown (ours; other directories use their own measure). */
export const WORTH_A_LOOK = 0.05;

/** From here on it is more than a possibility. */
const PERHAPS = 0.2;

/** From here on (more likely the same than not) our directory adds nothing unless it is told to all the same. */
export const LIKELY = 0.5;

/** How many reasons are told: the weightiest. */
const MOST_REASONS = 8;
/** Log-odds. What weighs less hardly moved the score. */
const WEAK = 0.5;

/** A field of the two, side by side; empty where one of them does not say it. */
export interface Row {
  label: string;
  listing: Part[];
  venue: Part[];
  /** What comes of it, in a word or two. */
  result: string;
}

/** Why a venue may or may not be the listing's. `plain` is told without a judgement. */
export interface Reason {
  /** What the directory compared; missing where it gives no reasons. */
  comparison?: string;
  text: string;
  side: "for" | "against" | "plain";
  isWeak: boolean;
}

/** A listing, and what else its owner's file says of it. */
type Compared = Listing & { url?: string | undefined; category?: string | undefined };

/** A venue as the lists of matches show it, beside the listing. */
export function matchCard(listing: Compared, venue: Venue) {
  const rows = rowsOf(listing, venue);
  return { ...venueCard(venue), rows, reasons: reasonsOf(venue, rows), certainty: certaintyOf(venue.score) };
}
export type MatchCard = ReturnType<typeof matchCard>;

function rowsOf(listing: Compared, venue: Venue): Row[] {
  const { location = {}, contact = {} } = venue;
  const rows = [
    row("Name", listing.name, venue.name),
    row("Address", listing.address, location.address, (a, b) => differences(a, b, streetWord)),
    row("City", listing.city, location.city),
    row("State", listing.state, location.state),
    row("Postal code", listing.zip, location.postalCode, asOne(isSameZip, differences)),
    row("Phone", listing.phone, contact.formattedPhone ?? contact.phone, asOne(isSamePhone, allDiffers)),
    row("Twitter", listing.twitter, contact.twitter),
    ...(listing.url ? [row("Website", listing.url, venue.url)] : []),
    ...(listing.category ? [row("Category", listing.category, venue.categories?.[0]?.name)] : []),
  ];
  return [...rows.filter(({ listing, venue }) => listing.length + venue.length > 0), positionRow(listing, venue)];
}

type Compare = (ours: string, theirs: string) => [Part[], Part[]];

function row(label: string, ours = "", theirs = "", compare: Compare = differences): Row {
  if (!ours || !theirs) return { label, listing: whole(ours, false), venue: whole(theirs, false), result: "" };
  const [listing, venue] = compare(ours, theirs);
  const differs = [...listing, ...venue].some((part) => part.differs);
  return { label, listing, venue, result: differs ? "differs" : "same" };
}

/** Nothing differs where the two are written otherwise but say the same. */
const asOne =
  (isSame: (a: string, b: string) => boolean, compare: Compare): Compare =>
  (a, b) =>
    isSame(a, b) ? [whole(a, false), whole(b, false)] : compare(a, b);

/** A number with one other digit is another number. */
const allDiffers: Compare = (a, b) => [whole(a, true), whole(b, true)];

/** One number with and without its country code or trunk zero. */
function isSamePhone(a: string, b: string): boolean {
  const [left = "", right = ""] = [a, b].map((phone) =>
    phone
      .replace(/(?:ext|x).*$/i, "")
      .replace("(0)", "")
      .replace(/[^0-9]/g, "")
      .replace(/^0+/, ""),
  );
  return Math.min(left.length, right.length) >= 7 && (left.endsWith(right) || right.endsWith(left));
}

/** ZIP+4 is in the ZIP, and a whole postal code in the first half of it. */
function isSameZip(a: string, b: string): boolean {
  const [left = "", right = ""] = [a, b].map((zip) =>
    zip
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, "")
      .replace(/^(\d{5})\d{4}$/, "$1"),
  );
  return Math.min(left.length, right.length) >= 4 && (left.startsWith(right) || right.startsWith(left));
}

function positionRow({ ll, near = "" }: Listing, venue: Venue): Row {
  const point = pointOf(venue);
  const metres = ll && venue.location?.distance;
  return {
    label: "Position",
    listing: whole(ll ? degrees(ll) : near, false),
    venue: whole(point ? degrees(point) : "", false),
    result: metres === undefined ? "" : `${distance(metres)} apart`,
  };
}

const degrees = ({ lat, lng }: LatLng) => `${lat.toFixed(5)}, ${lng.toFixed(5)}`;

/** What the directory says; where it gives no reasons, what the rows show. */
function reasonsOf({ evidence = [] }: Venue, rows: Row[]): Reason[] {
  const told = evidence
    .filter(({ text }) => text.trim() !== "")
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, MOST_REASONS)
    .map(({ comparison, text, weight }) => ({
      ...{ comparison, text },
      side: sideOf(weight),
      isWeak: Math.abs(weight) < WEAK,
    }));
  return told.length > 0 ? told : rows.flatMap(seenIn);
}

const sideOf = (weight: number): Reason["side"] => (weight < 0 ? "against" : "for");

/** The town alone says nothing; a name that differs may be the same all the same. */
function seenIn({ label, result }: Row): Reason[] {
  const what = label.toLowerCase();
  if (label === "Position" && result) return [{ text: result, side: "plain", isWeak: false }];
  if (label === "Name" && result === "differs") return [{ text: "name differs", side: "plain", isWeak: false }];
  if (!result || label === "City" || label === "State") return [];
  return [
    {
      text: `${result === "same" ? "same" : "other"} ${what}`,
      side: result === "same" ? "for" : "against",
      isWeak: false,
    },
  ];
}

/** A score in words. Never 100 %: there is no such certainty. Undefined where the directory gives none. */
export function certaintyOf(score: number | undefined) {
  if (score === undefined) return undefined;
  const percent = Math.min(99, Math.max(1, Math.round(score * 100)));
  const words = score >= 0.9 ? "Very likely" : score >= LIKELY ? "Likely" : score >= PERHAPS ? "Perhaps" : "Unlikely";
  const tone = score >= 0.9 ? "chip-success" : score >= LIKELY ? "chip-accent" : "";
  return { words: `${words} · ${score < 0.01 ? "under 1" : percent} % sure`, tone };
}
