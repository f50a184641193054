import { formatLl, type LatLng } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import { positionInWords } from "../../http/pages/venue-form.ts";
import { formatNumber } from "../../language/format.ts";
import { addressInWords, categoryName } from "../../language/names.ts";
import { creditInWords } from "../../language/sentences.ts";
import { t } from "../../language/translate.ts";
import { distanceInWords } from "../base/page.ts";

/** Other directories may give nothing but id and name. */
export function venueCard(venue: Venue) {
  const { location, categories = [] } = venue;
  const point = pointOf(venue);
  const category = categories[0] && categoryName(categories[0].name);
  const street = [location?.address, location?.city].filter(Boolean).join(", ");
  return {
    name: venue.name || t("Venue without a name"),
    href: venueHref(venue.id),
    category,
    glyph: categoryGlyph(categories[0]?.name),
    line: [category, street].filter(Boolean).join(" · "),
    distance: location?.distance === undefined ? undefined : distanceInWords(location.distance),
    point,
    /** To be shown where the venue is shown. */
    credit: venue.source?.attribution,
    nearbyHref: point && `/venues?ll=${formatLl(point)}`,
  };
}
export type VenueCard = ReturnType<typeof venueCard>;

/** As an item of a list in the making, with the source in its line. */
export function suggestionOf(venue: Venue) {
  const { name, line, href, credit } = venueCard(venue);
  return { name, line: [line, credit && creditInWords(credit)].filter(Boolean).join(" · "), href };
}
export type Suggestion = ReturnType<typeof suggestionOf>;

/** Each once, in one line; undefined if there are none. */
export const creditsOf = (cards: readonly { credit?: string | null | undefined }[]): string | undefined =>
  [...new Set(cards.flatMap(({ credit }) => (credit ? creditInWords(credit) : [])))].join(" · ") || undefined;

export const mapPoints = (cards: VenueCard[]) =>
  cards.flatMap(({ point, name, href }) => (point ? [{ ...point, name, href }] : []));

/** Returns undefined if the directory gives no valid position. */
export function pointOf({ location }: Pick<Venue, "location">): LatLng | undefined {
  const { lat, lng } = location ?? {};
  if (lat === undefined || lng === undefined || Math.abs(lat) > 90 || Math.abs(lng) > 180) return undefined;
  return { lat, lng };
}

/** What is known of a venue; `details` are for those who look closer. */
export function venueFacts(venue: Venue) {
  const { location, contact, stats } = venue;
  const place = [location?.city, location?.state, location?.postalCode].filter(Boolean).join(" ");
  const address = location?.formattedAddress ?? [location?.address ?? "", place, location?.country ?? ""];
  const point = pointOf(venue);
  const rows: Row[] = [
    [t("Also known as"), venue.otherNames?.join(" · ")],
    [t("Address"), addressInWords(address)],
    [t("Phone"), contact?.phone],
    [t("Twitter"), contact?.twitter],
    [t("Website"), venue.url, venue.url],
    [t("About"), venue.description],
    [
      t("Other categories"),
      venue.categories
        ?.slice(1)
        .map(({ name }) => categoryName(name))
        .join(", "),
    ],
    [t("Check-ins"), stats?.checkinsCount === undefined ? undefined : formatNumber(stats.checkinsCount)],
    [t("Status"), statusOf(venue)],
  ];
  const details: Row[] = [
    [t("Position"), point && positionInWords(point, venue.positionByAddress)],
    [t("Source"), sourceOf(venue), venue.source?.url],
  ];
  return { shown: known(rows), details: known(details) };
}
export type VenueFacts = ReturnType<typeof venueFacts>;

type Row = [label: string, value: string | undefined, href?: string | undefined];

const known = (rows: Row[]): { label: string; value: string; href?: string }[] =>
  rows.flatMap(([label, value, href]) => (value ? [{ label, value, ...(href ? { href } : {}) }] : []));

function statusOf({ closed, temporarilyClosed, held }: Venue): string | undefined {
  if (held) return t("Waiting for approval. Only you can see it.");
  return closed ? t("Closed for good") : temporarilyClosed ? t("Closed for a time") : undefined;
}

const sourceOf = ({ source }: Venue) => [source?.attribution, source?.licence].filter(Boolean).join(", ");

export const venueHref = (id: string): string => `/venues/${encodeURIComponent(id.toWellFormed())}`;

/** The address of the form that suggests an edit of a venue, and leads back to a page. */
export const editHref = (id: string, back?: string): string =>
  `${venueHref(id)}/edit${back ? `?back=${encodeURIComponent(back)}` : ""}`;

/**
 * Returns the icon in `public/icons.svg` for a category of any directory, by its name. Icons from other hosts are not
 * allowed.
 */
export function categoryGlyph(category: string | undefined): string {
  return GLYPHS.find(([, words]) => words.test(category ?? ""))?.[0] ?? "pin";
}

export const GLYPHS: [glyph: string, words: RegExp][] = [
  ["coffee", /coffee|\btea\b|caf[eé]|bakery|bagel|donut|breakfast|ice cream|dessert/i],
  ["bar", /\bbars?\b|\bpubs?\b|night|lounge|brewery|wine|liquor/i],
  ["food", /restaurant|food|pizza|\bdeli\b|diner|steak|grill|kitchen|burger|sandwich|meat|fish/i],
  ["school", /school|college|universit|education|training/i],
  ["sport", /sport|gym|fitness|golf|bowling|yoga|exercise|stadium|race/i],
  ["arts", /\barts?\b|museum|theat|cinema|movie|music|galler|perform/i],
  ["outdoors", /outdoor|\bpark\b|recreation|marina|camp|beach|trail/i],
  ["stay", /hotel|motel|\binn\b|lodging|hostel/i],
  [
    "travel",
    /travel|transit|transport|station|airport|\bbus\b|train|ferry|auto|fuel|\bgas\b|\bcars?\b|vehicle|parking|rental/i,
  ],
  ["health", /health|doctor|medic|dent|pharmac|hospital|veterin|optic/i],
  ["home", /home|furnitur|hardware|building|laundry|house|garden/i],
  ["shop", /shop|store|retail|market|grocer|cloth|shoe|book|florist|jewel/i],
  ["library", /library|government|office|professional|service/i],
];
