import type { Condition, Value } from "../../contract/reconcile-queries.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { addressWords, normalizeName, phoneKey } from "../../matching/normalize.ts";
import { trigramSimilarity } from "../../matching/similarity.ts";
import type { VenueRow } from "../venues/rows.ts";
import { findProperty } from "./properties.ts";
import { pointOf, textOf } from "./values.ts";

/** Metres within which a venue is at a required position. */
const AT_POSITION = 250;
/** Degrees for a required latitude or longitude by itself: about as much. */
const AT_DEGREES = 0.0025;

/** Whether a venue meets a required condition (1.0-draft, "condition"): any of its values, all, or none. */
export function meets(venue: VenueRow, { property, values, quantifier }: Condition): boolean {
  const fits = (value: Value) => valueFits(venue, property, value);
  if (quantifier === "none") return !values.some(fits);
  return quantifier === "all" ? values.every(fits) : values.some(fits);
}

function valueFits(venue: VenueRow, property: string, value: Value): boolean {
  if (property === "ll") {
    const point = pointOf(value);
    return point !== undefined && distanceBetween(point, venue) <= AT_POSITION;
  }
  const text = textOf(value);
  if (text === undefined) return false;
  if (property === "name") return trigramSimilarity(normalizeName(text), venue.nameNorm) >= 0.4;
  if (property === "address") return trigramSimilarity(street(text), street(venue.address ?? "")) >= 0.6;
  if (property === "phone") {
    const key = phoneKey(text);
    return key !== undefined && key === phoneKey(venue.phone ?? "");
  }
  return (findProperty(property)?.values(venue) ?? []).some((cell) => {
    const [held] = Object.values(cell);
    return typeof held === "number"
      ? Math.abs(held - Number(text)) <= AT_DEGREES
      : normalizeName(String(held)) === normalizeName(text);
  });
}

const street = (address: string): string => addressWords(address).join(" ");
