import { formatLl, type LatLng } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import { metresInWords } from "../../matching/distance.ts";
import { categoryGlyph } from "./category-glyph.ts";

/** A venue as lists show it. Of a foreign directory only id and name are relied on. */
export function venueCard(venue: Venue) {
  const { location, categories = [] } = venue;
  const point = pointOf(venue);
  const street = [location?.address, location?.city].filter(Boolean).join(", ");
  return {
    name: venue.name || "Venue without a name",
    href: venueHref(venue.id),
    category: categories[0]?.name,
    glyph: categoryGlyph(categories[0]?.name),
    line: [categories[0]?.name, street].filter(Boolean).join(" · "),
    distance: location?.distance === undefined ? undefined : metresInWords(location.distance),
    point,
    nearbyHref: point && `/venues?ll=${formatLl(point)}`,
  };
}
export type VenueCard = ReturnType<typeof venueCard>;

/** The points of a list for its map, in its order. */
export const mapPoints = (cards: VenueCard[]) =>
  cards.flatMap(({ point, name, href }) => (point ? [{ ...point, name, href }] : []));

/** Where a venue is, where the directory says so. */
export function pointOf({ location }: Pick<Venue, "location">): LatLng | undefined {
  const { lat, lng } = location ?? {};
  if (lat === undefined || lng === undefined || Math.abs(lat) > 90 || Math.abs(lng) > 180) return undefined;
  return { lat, lng };
}

/** The rows of facts of a venue's page; what the directory does not say is left out. */
export function venueFacts(venue: Venue): { label: string; value: string; href?: string }[] {
  const { location, contact, stats } = venue;
  const place = [location?.city, location?.state, location?.postalCode].filter(Boolean).join(" ");
  const address = location?.formattedAddress ?? [location?.address ?? "", place, location?.country ?? ""];
  const point = pointOf(venue);
  const rows: [string, string | undefined, (string | undefined)?][] = [
    ["Address", address.filter(Boolean).join(", ")],
    ["Position", point && `${point.lat.toFixed(5)}, ${point.lng.toFixed(5)}`],
    ["Phone", contact?.phone],
    ["Twitter", contact?.twitter],
    ["Website", venue.url, venue.url],
    ["About", venue.description],
    [
      "Also",
      venue.categories
        ?.slice(1)
        .map(({ name }) => name)
        .join(", "),
    ],
    ["Check-ins", stats?.checkinsCount === undefined ? undefined : stats.checkinsCount.toLocaleString("en")],
  ];
  return rows.flatMap(([label, value, href]) => (value ? [{ label, value, ...(href ? { href } : {}) }] : []));
}

/** The page of a venue; its id is any text the directory likes. */
export const venueHref = (id: string): string => `/venues/${encodeURIComponent(id.toWellFormed())}`;
