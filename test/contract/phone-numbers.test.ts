import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listingAttributes } from "../../src/contract/parameters.ts";
import { phoneNumbersIn } from "../../src/contract/phone-numbers.ts";
import { listingParameters } from "../../src/contract/search-parameters.ts";

describe("the telephone numbers of a field", () => {
  test.each([
    ["0571-82360875;15355037795", "057182360875 15355037795"],
    ["0571-82360875；15355037795", "057182360875 15355037795"],
    ["0571-82360875, 0571-82360876 / 0571-82360877", "057182360875 057182360876 057182360877"],
    ["401 555 0100 or 401 555 0101", "4015550100 4015550101"],
    ["+44 20 7946 0000 oder +44 20 7946 0001", "+442079460000 +442079460001"],
    ["0571-82360875、0571-82360876", "057182360875 057182360876"],
    ["0571-82360875 15355037795", "057182360875 15355037795"],
    ["0571-82360875(15355037795)", "057182360875 15355037795"],
    ["401 555 0100 401 555 0101", "4015550100 4015550101"],
    ["6123 4567 6123 4568", "61234567 61234568"],
    ["+44 20 7946 0000 +44 20 7946 0001", "+442079460000 +442079460001"],
    ["Tel: 0571-82360875 Fax: 0571-82360876", "057182360875 057182360876"],
  ])("are all found: %s", (text, numbers) => expect(phoneNumbersIn(text).join(" ")).toBe(numbers));

  test.each([
    ["+1 401 555 0100", "+14015550100"],
    ["1-401-555-0100", "14015550100"],
    ["(401) 555-0100", "4015550100"],
    ["401.555.0100", "4015550100"],
    ["0011234567", "0011234567"],
    ["011-234-5678", "0112345678"],
  ])("are the same whether or not something else stands behind them: %s", (text, number) => {
    expect(phoneNumbersIn(text)).toEqual([number]);
    expect(phoneNumbersIn(`${text};`)).toEqual([number]);
  });

  test.each([
    ["401 555 0123 / 0124", "4015550123 4015550124"],
    ["+1 401 555 0123 / 24 / 25", "+14015550123 +14015550124 +14015550125"],
    ["0571-82360875/76", "057182360875 057182360876"],
    ["0571/82360875, 6 or 7", "057182360875 057182360876 057182360877"],
    ["401-555-0123 / 401 / 555-0124", "4015550123 4015550124"],
    ["0571-82360875 room 76", "057182360875"],
  ])("may share all but their endings: %s", (text, numbers) => expect(phoneNumbersIn(text).join(" ")).toBe(numbers));

  test.each([
    ["（0571）82360875", "057182360875"],
    ["【0571】82360875", "057182360875"],
    ["[0571]82360875", "057182360875"],
    ["０５７１－８２３６０８７５", "057182360875"],
    ["0571–82360875", "057182360875"],
    ["0571—82360875", "057182360875"],
    ["0571−82360875", "057182360875"],
    ["0571‑82360875", "057182360875"],
    ["0571ー82360875", "057182360875"],
    ["401·555·0100", "4015550100"],
    ["\u202a+1 401\u00a0555\u20090100\u202c", "+14015550100"],
    ["+49 (0) 89 1234567", "+49891234567"],
    ["٠٢١٢٣٤٥٦٧٨", "0212345678"],
    ["۰۲۱-۸۸۷۷۶۶۵۵", "02188776655"],
    ["०५७१-८२३६०८७५", "057182360875"],
    ["๐๒-๑๒๓-๔๕๖๗", "021234567"],
    ["௦௪௪-௨௮௧௩௦௦௦௦", "04428130000"],
    ["០២៣ ៤២៦ ៩៤៨", "023426948"],
    ["٠٢١-12345678", "02112345678"],
  ])("are read in any notation: %s", (text, number) => expect(phoneNumbersIn(text)).toEqual([number]));

  test.each([
    "0571-82360875-8001",
    "0571-82360875转8001",
    "0571-82360875 分机 8001",
    "0571-82360875 ext. 8001",
    "0571-82360875#8001",
    "0571-82360875 доб. 8001",
    "0571 82360875 8001",
  ])("are returned without extension: %s", (text) => expect(phoneNumbersIn(text)).toEqual(["057182360875"]));

  test.each(["", "call me", "123", "0123 / 0124", "41.82,-71.41", "1,234,567.00", "+1 401 555 0100 0100 0100"])(
    "are not found in %j",
    (text) => expect(phoneNumbersIn(text)).toEqual([]),
  );

  test("are at most ten, each of ASCII digits, for any text", () => {
    const part = fc.constantFrom(..."0 1 5 9 ٣ ५ ５ + ( ) / ; , - – x # * 转 0571 82360875 or (0)".split(" "), " ");
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(part, { maxLength: 300 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(text, (field) => {
        const numbers = phoneNumbersIn(field);
        expect(numbers.length).toBeLessThanOrEqual(10);
        for (const number of numbers) expect(number).toMatch(/^\+?\d{7,20}$/);
      }),
    );
  });
});

describe("the parameter phone", () => {
  const { phone } = listingAttributes;

  test.each([
    ["0571-82360875;15355037795", "0571-82360875;15355037795"],
    ["  （0571）82360875\r\n15355037795 ", "（0571）82360875 15355037795"],
    ["\u202a٠٢١-12345678\u202c", "٠٢١-12345678"],
    ["0571\ufffd82360875", "0571 82360875"],
  ])("is cleaned, but keeps its notation: %j", (given, kept) => expect(phone.parse(given)).toBe(kept));

  test.each(["call me", "95588", "1".repeat(16), `0571-82360875 ${"x".repeat(200)}`])("cannot be %s", (given) => {
    expect(phone.safeParse(given).success).toBe(false);
    expect(listingParameters.parse({ name: "A", phone: given })).toEqual({ name: "A", phone: undefined });
  });
});
