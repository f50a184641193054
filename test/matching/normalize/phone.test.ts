import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { phoneKey, readPhones, samePhone } from "../../../src/matching/normalize/phone.ts";

const same = (a: string, b: string) => samePhone(readPhones(a), readPhones(b));

describe("a telephone number", () => {
  test.each([
    ["+1 (401) 555-0100", "401.555.0100"],
    ["+44 131 556 1234", "0131 556 1234"],
    ["+44 (0)131 556 1234", "00441315561234"],
    ["(131) 225-1234", "131/225-1234 x5"],
    ["+65 6123 4567", "61234567"],
    ["+34956621050", "956 621 050"],
    ["001 401 555 0100", "4015550100 ext. 12"],
    ["212 / 319-1660", "212-319-1660"],
    ["０３-1234-5679", "+81 3 1234 5679"],
  ])("%s equals %s", (a, b) => {
    expect(same(a, b)).toBe(true);
    expect(phoneKey(a)).toBe(phoneKey(b));
  });

  test.each([
    ["225 1234", "+44 131 225 1234"],
    ["8 (495) 123-45-67", "+7 495 123-45-67"],
    ["401 555 0100 / 401 555 0101", "401-555-0101"],
    ["tel 401 555 0100 or 401 555 0101", "+1 401 555 0101"],
    ["0571-82360875;15355037795", "+86 153 5503 7795"],
    ["0571-82360875;15355037795", "82360875"],
    ["800-820-8820 / 0571-82360875 / 0571-82360876", "（0571）82360876"],
    ["1 401 555 0101, 401 555 0102, 401 555 0103, 401 555 0104, 401 555 0105", "401 555 0105"],
    ["٠٢١-١٢٣٤٥٦٧٨", "021 12345678"],
    ["０５７１－８２３６０８７５", "0571–82360875"],
  ])("%s has a number in common with %s", (a, b) => expect(same(a, b)).toBe(true));

  test.each([
    ["(501) 555-0100", "(401) 555-0100"],
    ["+1 401 555 0100", "+44 401 555 0100"],
    ["401 555 0100", "401 555 0101"],
  ])("%s differs from %s", (a, b) => expect(same(a, b)).toBe(false));

  test.each(
    [
      ["", "call us", "12345", "0000000", "1234567", "(123) 456-7890", "401-777-7777", "1".repeat(40)],
      ["1-800-555-0199", "(888) 555-0100", "0800 1111 11", "+44 845 123 4567", "0845 123 4567", "+49 800 544 5448"],
      ["1300 123 456", "+33 8 92 12 34 56"],
    ].flat(),
  )("%j identifies no place", (phone) => {
    expect(phoneKey(phone)).toBeUndefined();
    expect(same(phone, "401 555 0100")).toBeUndefined();
  });

  test.each(["843 874 5034", "870 394 3289", "+39 089 811695", "0845-27-3848", "401 555 0199"])(
    "%s identifies one place",
    (phone) => expect(phoneKey(phone)).toBeDefined(),
  );

  test("has the same key in every spelling", () => {
    const digits = fc.stringMatching(/^[2-7]\d{2}[2-9]\d{6}$/).filter((number) => phoneKey(number) !== undefined);
    fc.assert(
      fc.property(digits, (n) => {
        const ways = [`+1${n}`, `1-${n}`, `(${n.slice(0, 3)}) ${n.slice(3, 6)}-${n.slice(6)}`, `001 ${n} x7`, `0${n}`];
        for (const way of ways) expect(phoneKey(way)).toBe(phoneKey(n));
      }),
    );
  });

  test("accepts any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void readPhones(text)));
  });
});
