import { phoneNumbersIn } from "../../contract/phone-numbers.ts";
import { digitsOf } from "../../contract/text.ts";
import { foldText } from "./normalize.ts";

/** The digits of a telephone number, as they are compared. */
export interface Phone {
  /** Country code, if the number has one ("+44"). */
  country: string | undefined;
  /** The rest, without trunk zeros; at least seven digits unless the country is known. */
  national: string;
}

/**
 * Parses the numbers of a field (`phoneNumbersIn`), except those that do not identify a venue: toll-free and
 * shared-cost numbers, which many venues share, and made-up ones (0000000, 1234567).
 */
export const readPhones = (text: string): Phone[] =>
  text === "" ? [] : phoneNumbersIn(foldText(text)).flatMap((number) => parse(number) ?? []);

/**
 * Whether two fields have a number in common, with or without country code, trunk zero and area code; undefined if
 * either has none that identifies a venue.
 */
export function samePhone(a: readonly Phone[], b: readonly Phone[]): boolean | undefined {
  if (a.length === 0 || b.length === 0) return undefined;
  return a.some((one) => b.some((other) => isSame(one, other)));
}

/**
 * Returns what all spellings of a number share, for the index (`venue.phone_norm`, see NORMALIZATION): the last eight
 * digits of the field's first number that identifies a venue, if any.
 */
export const phoneKey = (text: string): string | undefined => phoneKeys(text)[0];

/** Returns the same for each number of a field. */
export const phoneKeys = (text: string): string[] => [
  ...new Set(readPhones(text).map(({ national }) => national.slice(-8))),
];

function isSame(a: Phone, b: Phone): boolean {
  if (a.country !== undefined && b.country !== undefined && a.country !== b.country) return false;
  const [short, long] = a.national.length <= b.national.length ? [a, b] : [b, a];
  return short.national === long.national || (short.national.length >= 7 && long.national.endsWith(short.national));
}

function parse(number: string): Phone | undefined {
  const digits = digitsOf(number);
  const prefix = number.includes("+") ? "" : /^(?:00|011(?=\d{10}))(?=\d{9})/.exec(digits)?.[0];
  if (prefix === undefined) {
    const national = withoutTrunk(digits).replace(/^1(?=\d{10}$)/, "");
    return SHARED_ANYWHERE.test(digits) ? undefined : plausible({ country: undefined, national });
  }
  const international = digits.slice(prefix.length);
  const country = COUNTRY.exec(international)?.[0] ?? "";
  const rest = international.slice(country.length);
  const national = withoutTrunk(rest);
  const dialled = country === "39" ? rest : national; // in Italy, 089 is an area code, and 89 a premium number
  return (SHARED[country] ?? SHARED_ABROAD).test(dialled) ? undefined : plausible({ country, national });
}

function plausible(phone: Phone): Phone | undefined {
  const { country = "", national } = phone;
  const length = country.length + national.length;
  const isMadeUp = /(\d)\1{6}$/.test(national) || COUNTING.includes(national);
  return length < 7 || length > 15 || isMadeUp ? undefined : phone;
}

const COUNTING = "012345678901234567890 9876543210";

const withoutTrunk = (digits: string): string => digits.replace(/^0+/, "");

/** Country codes have one to three digits; all codes of one or two digits are assigned (ITU E.164). */
const COUNTRY = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** Toll-free, shared-cost and premium numbers by country code, without trunk zero. */
const SHARED: Record<string, RegExp> = {
  1: /^(?:8(?:00|33|44|55|66|77|88)|900)\d{7}$/,
  7: /^80\d{8}$/,
  33: /^8\d{8}$/,
  34: /^[89]0\d{7}$/,
  39: /^(?:80|84|89|199)\d+$/,
  44: /^(?:80[08]|8[47]\d|3\d\d|9\d\d|500)\d{6,7}$/,
  49: /^(?:800|180|900|137)\d+$/,
  61: /^1[389]\d+$/,
  81: /^(?:120|800|570)\d+$/,
  86: /^[48]00\d{7}$/,
};
const SHARED_ABROAD = /^1?800\d{5,}$/;

/** The same for numbers without a country code: North America, Britain, Australia and China, with trunk zero. */
const SHARED_ANYWHERE =
  /^(?:1?(?:8(?:00|33|44|55|66|77|88)|900)\d{7}|0(?:80[08]\d{4,7}|(?:84[345]|870|900)\d{7})|1[389]00\d{6}|400\d{7}|800\d{4,6})$/;
