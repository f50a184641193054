import type { LatLng } from "../../contract/parameters.ts";
import { phoneNumbersIn } from "../../contract/phone-numbers.ts";
import type { Venue } from "../../contract/resources.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { findCategory } from "../categories/tree.ts";
import type { Source } from "../sources.ts";
import { timeZoneAt } from "../time-zones.ts";
import type { LinkRow } from "./links.ts";
import { alsoKnownAs } from "./other-names.ts";
import { presentCategory } from "./present-category.ts";
import type { VenueRow } from "./rows.ts";

export interface Presentation {
  baseUrl: string;
  /** The `ll` of the call. */
  from?: LatLng | undefined;
  /** The user's visits by venue without zeros; undefined for a userless call. */
  visits?: ReadonlyMap<string, number> | undefined;
  sources: ReadonlyMap<number, Source>;
  now: Date;
}

/** Leaves out empty fields, except objects that clients index into. */
export function compactVenue(row: VenueRow, { baseUrl, from, visits, sources, now }: Presentation): Venue {
  const source = row.sourceId === null ? undefined : sources.get(row.sourceId);
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
    ...(row.isClosed && { closed: true }),
    ...(row.isTemporarilyClosed && { temporarilyClosed: true }),
    ...(row.heldFor !== null && { held: true }),
    ...(row.isByAddress && { positionByAddress: true }),
    ...(source && { source: presentSource(source) }),
  };
}

/** What a match tells of it, where the compact venue has it. */
export function briefVenue(row: VenueRow, sources: Presentation["sources"]): Venue {
  const { id, name, lat, lng, categoryId, category } = row;
  const source = row.sourceId === null ? undefined : sources.get(row.sourceId);
  const [address, city, state] = [row.address || undefined, row.city || undefined, row.state || undefined];
  return {
    id,
    name,
    contact: { formattedPhone: row.phone || undefined },
    location: { lat, lng, address, city, state, postalCode: row.zip || undefined },
    categories: categoryId && category ? [{ id: categoryId, name: category }] : [],
    url: row.url || undefined,
    positionByAddress: row.isByAddress || undefined,
    source: source && { attribution: source.attribution },
  };
}

export function completeVenue(row: VenueRow, presentation: Presentation): Venue {
  const page = venuePage(row.id, presentation.baseUrl);
  return {
    ...compactVenue(row, presentation),
    canonicalUrl: page,
    shortUrl: page,
    ...given({ description: row.description }),
    ...(row.otherNames && { otherNames: alsoKnownAs(row.otherNames) }),
    createdAt: Math.floor(row.createdAt),
    timeZone: timeZoneAt(row),
    likes: { count: 0, groups: [] },
    tips: { count: 0, groups: [] },
    photos: { count: 0, groups: [] },
    listed: { count: 0, groups: [] },
  };
}

export const presentLink = ({ providerId, linkedId, url }: LinkRow) => ({
  provider: { id: providerId },
  linkedId,
  ...given({ url }),
});

const presentSource = ({ attribution, licence, url }: Source) => ({ attribution, ...given({ licence, url }) });

const beenHere = (count: number) => ({ count, marked: count > 0, lastCheckinExpiredAt: 0 });

export const epochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

function contactOf({ phone, twitter }: VenueRow) {
  return given({ phone: phone && phoneNumbersIn(phone)[0], formattedPhone: phone, twitter });
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

export const addressOf = (row: VenueRow): string[] => formatAddress(row, countryOf(row.cc));

export const venuePage = (id: string, baseUrl: string): string => `${baseUrl}/venues/${encodeURIComponent(id)}`;

/** For example "11 Dorrance St (at Weybosset)", "Providence, RI 02903", "United States". */
function formatAddress({ address, crossStreet, city, state, zip }: VenueRow, country: string | undefined): string[] {
  const street = [address, crossStreet && `(${crossStreet})`].filter(Boolean).join(" ");
  const region = [state, zip].filter(Boolean).join(" ");
  return [street, [city, region].filter(Boolean).join(", "), country ?? ""].filter((line) => line !== "");
}

/** Cached, because look-ups would take two thirds of the time of presenting a venue. */
function countryOf(cc: string | null): string | undefined {
  if (!cc) return undefined;
  const country = countries.get(cc) ?? COUNTRIES.of(cc);
  if (country) countries.set(cc, country);
  return country;
}

const COUNTRIES = new Intl.DisplayNames("en", { type: "region", fallback: "code" });
const countries = new Map<string, string>();

/** A loop, because Object.entries() takes four times as long: a third of the time of presenting a list. */
function given<T extends Record<string, string | null | undefined>>(fields: T): { [K in keyof T]?: string } {
  const kept: { [K in keyof T]?: string } = {};
  for (const name in fields) {
    const value = fields[name];
    if (value) kept[name] = value;
  }
  return kept;
}
