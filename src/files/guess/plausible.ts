import { phoneNumbersIn } from "../../contract/phone-numbers.ts";
import type { Field } from "../columns.ts";
import { parseDegrees } from "../row/position.ts";
import { partsOfPacked, unpacked } from "../row/unpacked.ts";
import { wholeAddressOf } from "../row/whole-address.ts";
import { isLngLat, isPosition, isUrl, moreThan } from "./values.ts";

/** Whether the values of a column look like what its name says: "location" is often a town, "number" anything. */
export function isPlausible(field: Field, packed: string[]): boolean {
  if (packed.length === 0) return true;
  if (field === "id") return new Set(packed).size > packed.length * 0.9;
  const values = packed.map((value) => unpacked(value, field));
  if (field === "address" && moreThan(0.5, packed, (value) => partsOfPacked(value) !== undefined)) return true;
  const looks = LOOKS[field];
  return (
    (looks === undefined || moreThan(field in MIXED ? MIXED_SHARE : 0.5, values, looks)) &&
    !(field === "address" && isOneWord(values))
  );
}

/** The latitude may still be that of a swapped column. Metres are none. */
const isDegree = (value: string): boolean => Math.abs(parseDegrees(value)?.value ?? Number.NaN) <= 180;

const hasLetters = (value: string): boolean => /\p{L}/u.test(value);
/** No link, e-mail address or structure. */
const isPlainText = (value: string): boolean => hasLetters(value) && !/^(?:\w+:\/\/|[[{])|^\S+@\S+\.\S+$/.test(value);

/** A number, and a separator or a code of a state; bounds the time. */
const MAY_SAY_ALL = /\d.*(?:[,;|\n]|\b[A-Z]{2}\b)|(?:[,;|\n]|\b[A-Z]{2}\b).*\d/s;

/** "Mignonette, 301 Wickenden St, Providence, RI 02903", but not "Lowport, ME 04098". */
function saysAll(value: string): boolean {
  if (!MAY_SAY_ALL.test(value)) return false;
  const { address, city, zip, state } = wholeAddressOf(value);
  return address !== undefined && city !== undefined && (zip ?? state) !== undefined;
}

/** Whether a cell says a town, a postal code or a position, perhaps behind a street. */
export function saysTown(value: string): boolean {
  const { city, zip, lat } = partsOfPacked(value) ?? wholeAddressOf(value);
  return city !== undefined || zip !== undefined || lat !== undefined;
}

/** What a customer database calls "Type": how it stands to a company, which says nothing of what the place is. */
const RELATIONS =
  /^(?:customers?|prospects?|leads?|partners?|vendors?|suppliers?|clients?|competitors?|resellers?|investors?|distributors?|(?:in)?active|(?:un)?qualified|hot|warm|cold|new|other|clientes?|prospectos?|proveedor(?:es)?|socios?|kunden?|interessent(?:en)?|lieferant(?:en)?|fournisseurs?|partenaires?|clienti?|fornitor[ei]|klant(?:en)?|leverancier)$/i;

/** What most values of a field are like; the others may be anything. */
const LOOKS: Partial<Record<Field, (value: string) => boolean>> = {
  lat: isDegree,
  lng: isDegree,
  ll: isPosition,
  lngLat: isLngLat,
  name: (value) => isPlainText(value) && !saysAll(value),
  address: isPlainText,
  city: (value) => isPlainText(value) && !saysAll(value),
  state: (value) => isPlainText(value) || /^\d{1,3}$/.test(value),
  country: (value) => isPlainText(value) && value.length <= 60,
  zip: (value) => value.length <= 12 && /\d/.test(value),
  phone: (value) => phoneNumbersIn(value).length > 0 || /^\s*\d(?:[.,]\d{1,16})?E\+\d{2}\s*$/i.test(value),
  url: (value) => isUrl(value) || /\w\.\w/.test(value),
  category: (value) =>
    !/^(?:\w+:\/\/|[[{])|^(?:node|way|relation|feature|point)$|^[+-]?\d+[.,]\d+$/i.test(value) &&
    value !== "" &&
    !RELATIONS.test(value),
};

/** A part of these values may be remarks, which cost nothing. */
const MIXED: Partial<Record<Field, true>> = { phone: true, url: true, zip: true };
const MIXED_SHARE = 0.3;

/** The type of a structure, such as `PostalAddress`. */
const isOneWord = (values: string[]): boolean =>
  values.length > 1 && /^\p{L}+$/u.test(values[0] ?? "") && values.every((value) => value === values[0]);
