import type { LatLng } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { findCategory } from "../categories/tree.ts";
import type { LinkRow } from "./links.ts";
import { presentCategory } from "./present-category.ts";
import type { VenueRow } from "./rows.ts";

export interface Presentation {
  /** `{base_url}`, where the category icons are. */
  baseUrl: string;
  /** The `ll` of the call, which distances are measured from. */
  from?: LatLng | undefined;
  /** How often the user of the call has been to each venue, zero left out; none for a userless call. */
  visits?: ReadonlyMap<string, number> | undefined;
  /** When the call was made. */
  now: Date;
}

/** A venue as lists of venues carry it. Empty fields are left out; the objects that clients index into are not. */
export function compactVenue(row: VenueRow, { baseUrl, from, visits, now }: Presentation): Venue {
  const category = row.categoryId ? findCategory(row.categoryId) : undefined;
  return {
    id: row.id,
    name: row.name,
    contact: contactOf(row),
    location: locationOf(row, from),
    categories: category ? [{ ...presentCategory(category, baseUrl), primary: true }] : [],
    verified: false,
    stats: { checkinsCount: row.checkinsCount, usersCount: row.usersCount, tipCount: 0 },
    ...given({ url: row.url }),
    ...(visits && { beenHere: beenHere(visits.get(row.id) ?? 0) }),
    hereNow: { count: 0, summary: "Nobody here", groups: [] },
    referralId: `v-${epochSeconds(now)}`,
  };
}

/** A venue by itself: the compact one with its description and what else typed clients read. */
export function completeVenue(row: VenueRow, presentation: Presentation): Venue {
  const page = venuePage(row.id, presentation.baseUrl);
  return {
    ...compactVenue(row, presentation),
    canonicalUrl: page,
    shortUrl: page,
    ...given({ description: row.description }),
    createdAt: Math.floor(row.createdAt),
    likes: { count: 0, groups: [] },
    tips: { count: 0, groups: [] },
    photos: { count: 0, groups: [] },
    listed: { count: 0, groups: [] },
  };
}

/** A link as wire-format 8 has it. */
export const presentLink = ({ providerId, linkedId, url }: LinkRow) => ({
  provider: { id: providerId },
  linkedId,
  ...given({ url }),
});

const beenHere = (count: number) => ({ count, marked: count > 0, lastCheckinExpiredAt: 0 });

export const epochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

function contactOf({ phone, twitter }: VenueRow) {
  const digits = phone?.replace(/\s*(?:ext|x).*$/i, "").replace(/(?!^\+)[^0-9]/g, "");
  return given({ phone: digits, formattedPhone: phone, twitter });
}

function locationOf(row: VenueRow, from: LatLng | undefined) {
  const { lat, lng, cc } = row;
  const country = countryOf(cc);
  const { address, crossStreet, city, state, zip } = row;
  return {
    ...given({ address, crossStreet }),
    lat,
    lng,
    labeledLatLngs: [{ label: "display", lat, lng }],
    ...(from && { distance: Math.round(distanceBetween(from, row)) }),
    ...given({ postalCode: zip, cc, city, state, country }),
    formattedAddress: formatAddress(row, country),
  };
}

/** The lines of a venue's address. */
export const addressOf = (row: VenueRow): string[] => formatAddress(row, countryOf(row.cc));

/** Address of a venue's own page, for people. */
export const venuePage = (id: string, baseUrl: string): string => `${baseUrl}/venues/${encodeURIComponent(id)}`;

/** Street line with the cross street in brackets; "City, ST zip"; country. */
function formatAddress({ address, crossStreet, city, state, zip }: VenueRow, country: string | undefined): string[] {
  const street = [address, crossStreet && `(${crossStreet})`].filter(Boolean).join(" ");
  const region = [state, zip].filter(Boolean).join(" ");
  return [street, [city, region].filter(Boolean).join(", "), country ?? ""].filter((line) => line !== "");
}

/** The English name of a country by its two-letter code. Each is asked for once: it takes two thirds of all else of a venue. */
function countryOf(cc: string | null): string | undefined {
  if (!cc) return undefined;
  const country = countries.get(cc) ?? COUNTRIES.of(cc);
  if (country) countries.set(cc, country);
  return country;
}

const COUNTRIES = new Intl.DisplayNames("en", { type: "region", fallback: "code" });
const countries = new Map<string, string>();

/** A loop: by way of entries it takes four times as long, a third of all that a list of venues takes. */
function given<T extends Record<string, string | null | undefined>>(fields: T): { [K in keyof T]?: string } {
  const kept: { [K in keyof T]?: string } = {};
  for (const name in fields) {
    const value = fields[name];
    if (value) kept[name] = value;
  }
  return kept;
}
