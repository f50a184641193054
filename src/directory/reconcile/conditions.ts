import type { Condition, Value } from "../../contract/reconcile.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { addressWords } from "../../matching/normalize/address.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { readPhones, samePhone } from "../../matching/normalize/phone.ts";
import { trigramSimilarity } from "../../matching/text/similarity.ts";
import type { VenueRow } from "../venues/rows.ts";
import { findProperty } from "./properties.ts";
import { idOf, pointOf, textOf } from "./wanted.ts";

/** Metres around a required position. */
const AT_POSITION = 250;
/** Degrees around a required latitude or longitude, about the same distance. */
const AT_DEGREES = 0.0025;

/** Characters of a required name or address that are compared; no venue has more. */
const LONGEST = 200;

type Test = (venue: VenueRow) => boolean;

/** Tests any, all or none of the values (1.0-draft, "condition"). */
export function testOf({ property, values, quantifier }: Condition): Test {
  const tests = values.map((value) => testOfValue(property, value));
  if (quantifier === "none") return (venue) => !tests.some((fits) => fits(venue));
  return quantifier === "all"
    ? (venue) => tests.every((fits) => fits(venue))
    : (venue) => tests.some((fits) => fits(venue));
}

function testOfValue(property: string, value: Value): Test {
  if (property === "ll") {
    const point = pointOf(value);
    return (venue) => point !== undefined && distanceBetween(point, venue) <= AT_POSITION;
  }
  if (property === "id") {
    const id = idOf(value);
    return (venue) => venue.id === id;
  }
  const text = textOf(value);
  if (text === undefined) return () => false;
  if (property === "name") {
    const name = normalizeName(text.slice(0, LONGEST));
    return ({ nameNorm }) => trigramSimilarity(name, nameNorm) >= 0.4;
  }
  if (property === "address") {
    const wanted = street(text.slice(0, LONGEST));
    return ({ address }) => trigramSimilarity(wanted, street(address ?? "")) >= 0.6;
  }
  if (property === "phone") {
    const wanted = readPhones(text);
    return ({ phone }) => samePhone(wanted, readPhones(phone ?? "")) === true;
  }
  const number = Number(text);
  const words = normalizeName(text);
  return (venue) =>
    (findProperty(property)?.values(venue) ?? []).some((cell) => {
      const [held] = Object.values(cell);
      return typeof held === "number" ? Math.abs(held - number) <= AT_DEGREES : normalizeName(String(held)) === words;
    });
}

const street = (address: string): string => addressWords(address).join(" ");
