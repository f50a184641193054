import { foldText } from "./normalize.ts";

/** A telephone number in digits, as it is compared. */
export interface Phone {
  /** Country code, where the number says it ("+44"). */
  country: string | undefined;
  /** Without country code and trunk zeros, at least seven digits unless the country is known. */
  national: string;
}

/**
 * The numbers of a field that may hold two ("a / b"), without extensions. Empty for what tells nothing of one venue: less
 * than seven digits, toll-free and shared-cost numbers, which many venues share, and made-up ones (0000000, 1234567).
 */
export function readPhones(text: string): Phone[] {
  const pieces = foldText(text)
    .replace(/\(0\)/g, " ") // +44 (0)131
    .replace(/(?:ext(?:ension|n)?|x|#|доб)[.:]? ?\d{1,6}/g, ";")
    .split(/[^\d+(). -]+/);
  return wholeNumbers(pieces)
    .flatMap((piece) => parse(piece) ?? [])
    .slice(0, AT_MOST);
}

/**
 * Whether two fields have a number in common, written with or without country code, trunk zero and area code; undefined
 * where either has none that tells something.
 */
export function samePhone(a: readonly Phone[], b: readonly Phone[]): boolean | undefined {
  if (a.length === 0 || b.length === 0) return undefined;
  return a.some((one) => b.some((other) => isSame(one, other)));
}

/**
 * What two ways to write one number have in common, as the index holds it (`venue.phone_norm`, counted by NORMALIZATION):
 * the last eight digits of a field's first number; undefined where there is none that tells something.
 */
export function phoneKey(text: string): string | undefined {
  return readPhones(text)[0]?.national.slice(-8);
}

function isSame(a: Phone, b: Phone): boolean {
  if (a.country !== undefined && b.country !== undefined && a.country !== b.country) return false;
  const [short, long] = a.national.length <= b.national.length ? [a, b] : [b, a];
  return short.national === long.national || (short.national.length >= 7 && long.national.endsWith(short.national));
}

/** Nobody lists more numbers, and each is compared with each. */
const AT_MOST = 4;

/** In "404/351-9533" the slash stands behind the area code, in "4043519533/4043519534" between two numbers. */
function wholeNumbers(pieces: string[]): string[] {
  const numbers: string[] = [];
  let area = "";
  for (const piece of pieces) {
    const count = digitsOf(piece).length;
    if (count >= 7 || (area !== "" && count >= 5)) {
      numbers.push(count <= 8 ? area + piece : piece);
      area = "";
    } else if (count > 0) area = piece;
  }
  return numbers;
}

const digitsOf = (text: string): string => text.replace(/\D/g, "");

function parse(number: string): Phone | undefined {
  const digits = digitsOf(number);
  const prefix = number.includes("+") ? "" : /^(?:00|011(?=\d{10}))(?=\d{9})/.exec(digits)?.[0];
  if (prefix === undefined) {
    const national = withoutTrunk(digits).replace(/^1(?=\d{10}$)/, "");
    return SHARED_ANYWHERE.test(digits) ? undefined : telling({ country: undefined, national });
  }
  const international = digits.slice(prefix.length);
  const country = COUNTRY.exec(international)?.[0] ?? "";
  const rest = international.slice(country.length);
  const national = withoutTrunk(rest);
  const dialled = country === "39" ? rest : national; // in Italy 089 is a town, and 89 costs extra
  return (SHARED[country] ?? SHARED_ABROAD).test(dialled) ? undefined : telling({ country, national });
}

function telling(phone: Phone): Phone | undefined {
  const { country = "", national } = phone;
  const length = country.length + national.length;
  const isMadeUp = /(\d)\1{6}$/.test(national) || COUNTING.includes(national);
  return length < 7 || length > 15 || isMadeUp ? undefined : phone;
}

const COUNTING = "012345678901234567890 9876543210";

const withoutTrunk = (digits: string): string => digits.replace(/^0+/, "");

/** Country codes have one, two or three digits; those of one or two are all given away (ITU E.164). */
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

/** Where no country is given, those of North America, Britain, Australia and China, with their trunk zero. */
const SHARED_ANYWHERE =
  /^(?:1?(?:8(?:00|33|44|55|66|77|88)|900)\d{7}|0(?:80[08]\d{4,7}|(?:84[345]|870|900)\d{7})|1[389]00\d{6}|400\d{7}|800\d{4,6})$/;
