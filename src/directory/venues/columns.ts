import { normalizeName } from "../../matching/normalize/normalize.ts";
import { phoneKey } from "../../matching/normalize/phone.ts";
import { formatPoint } from "./mercator.ts";

/**
 * The columns of a venue that are made of others. Every write of a venue's name, place or phone goes through here.
 * `point` is a PostgreSQL point literal in Mercator degrees; `phoneNorm` the last eight digits, null for no usable phone.
 */
export function venueColumns(venue: { name: string; lat: number; lng: number; phone?: string | null | undefined }) {
  return {
    nameNorm: normalizeName(venue.name),
    point: formatPoint(venue),
    phoneNorm: (venue.phone && phoneKey(venue.phone)) || null,
  };
}
