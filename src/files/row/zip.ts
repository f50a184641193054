import { normalizeName } from "../../matching/normalize/normalize.ts";
import { countryCode } from "../../matching/normalize/regions.ts";

/** Digits of a postal code, in countries where it may begin with zero. */
const DIGITS = new Map(
  Object.entries({
    4: "AT AU BE BG CH DK HU LU NL NO NZ SI ZA",
    5: "DE DZ EE ES FI FR GR HR IT KR LT MA MX MY SA SE TH TR UA US",
    6: "CN CO KZ RO SG",
    7: "IL JP",
    8: "BR",
  }).flatMap(([digits, countries]) => countries.split(" ").map((cc): [string, number] => [cc, Number(digits)])),
);

/** Rows of one country mostly follow each other. */
let last: { country: string; digits: number | undefined } = { country: "", digits: undefined };

/** Undoes what spreadsheets and data frames do to a postal code: 04098 may arrive as 4098 or 4098.0. */
export function tidyZip(zip: string, { country = "" }: { country?: string | undefined }): string {
  const plain = zip.trim().replace(/^(\d{3,8})[.,]0+$/, "$1");
  if (plain.length < 3 || plain.length > 7 || !/^\d+$/.test(plain)) return plain;
  if (country !== last.country) last = { country, digits: DIGITS.get(countryCode(normalizeName(country)) ?? "") };
  const { digits } = last;
  return digits !== undefined ? plain.padStart(digits, "0") : plain;
}
