import { expect, test } from "vitest";
import { addressWords, readAddress } from "../../../src/matching/normalize/address.ts";
import { latinOf } from "../../../src/matching/normalize/latin.ts";
import { normalizeName } from "../../../src/matching/normalize/normalize.ts";
import { readPhones } from "../../../src/matching/normalize/phone.ts";

const LENGTH = 100_000;

/** Quadratic time would be minutes at this length, and more than a search may take at ten thousand. */
test.each(["a.", "&#1", "'n", "Ã©", "\u0301", "(tm", "1-", "# ", "po ", "1 a", "x", "+1", "1234567;", "1234567 "])(
  "a text of nothing but %j is normalized in linear time",
  (unit) => {
    const text = unit.repeat(LENGTH / unit.length);
    expect(latinOf(normalizeName(text)).length).toBeLessThanOrEqual(2 * LENGTH);
    expect(addressWords(text).length).toBeLessThanOrEqual(LENGTH);
    expect(readAddress(text).numbers.length).toBeLessThan(10);
    expect(readPhones(text).length).toBeLessThanOrEqual(10);
  },
);
