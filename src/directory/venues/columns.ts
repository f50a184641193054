import { normalizeName } from "../../matching/normalize/normalize.ts";
import { phoneKey } from "../../matching/normalize/phone.ts";
import type { OtherName } from "../../matching/prepare.ts";
import { formatPoint } from "./mercator.ts";
import { otherNamesNorm } from "./other-names.ts";
import { tileOf } from "./tiles.ts";

/**
 * Use for every write of names, position or phone. `point` is in Mercator degrees; `phoneNorm` is the last eight
 * digits.
 */
export function venueColumns(venue: {
  name: string;
  otherNames?: readonly OtherName[] | null | undefined;
  lat: number;
  lng: number;
  phone?: string | null | undefined;
}) {
  return {
    nameNorm: normalizeName(venue.name),
    otherNamesNorm: otherNamesNorm(venue.otherNames),
    point: formatPoint(venue),
    tile: tileOf(venue),
    phoneNorm: (venue.phone && phoneKey(venue.phone)) || null,
  };
}

/** Of a social network, without the `@` that people write before it. */
export const storedHandle = (twitter: string): string => twitter.replace(/^@/, "");
