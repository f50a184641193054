import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressWords, houseNumber, normalizeName, phoneKey } from "../../src/matching/normalize.ts";

describe("a name", () => {
  test.each([
    ["Dunkin' Donuts", "dunkin donuts"],
    ["Dunkin’ Donuts", "dunkin donuts"],
    ["O'Brien's", "obriens"],
    ["Stop & Shop", "stop and shop"],
    ["Fish + Chips", "fish and chips"],
    ["Café Zoë", "cafe zoe"],
    ["Straße 9", "strasse 9"],
    ["7-Eleven", "7 eleven"],
    ["  A  B\tC ", "a b c"],
    ["ＳＴＡＲ", "star"],
    ["星巴克咖啡", "星巴克咖啡"],
    ["がぎぐ", "がぎぐ"],
    ["Кофе-Хауз", "кофе хауз"],
    ["!!!", ""],
  ])("%s is compared as %s", (name, expected) => expect(normalizeName(name)).toBe(expected));

  test("that is normalized stays as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        const once = normalizeName(name);
        expect(normalizeName(once)).toBe(once);
      }),
    );
  });
});

describe("a house number", () => {
  test.each([
    ["17 Main Street", 17, 17],
    ["Main Street, 17", 17, 17],
    ["17-19 Main St", 17, 19],
    ["Main St 17/19", 17, 19],
    ["79A Princes St", 79, 79],
    ["12 Main St #4", 12, 12],
    ["Suite 200, 12 Main St", 12, 12],
    ["12 5th Ave", 12, 12],
    ["19-3 Main St", 19, 19],
  ])("of %s is %i to %i", (address, from, to) => expect(houseNumber(address)).toEqual({ from, to }));

  test.each(["Main Street", "5th Ave", "", "Suite 200"])("is not in %j", (address) => {
    expect(houseNumber(address)).toBeUndefined();
  });
});

test("street words have one form", () => {
  expect(addressWords("12 North Main Street")).toEqual(addressWords("12 N. Main St."));
  expect(addressWords("First Avenue")).toEqual(addressWords("1st Ave"));
});

describe("a telephone number", () => {
  test.each([
    ["+1 (401) 555-0100", "401.555.0100"],
    ["+44 131 556 1234", "0131 556 1234"],
    ["+65 6123 4567", "61234567"],
    ["+34956621050", "956 621 050"],
    ["001 401 555 0100", "4015550100 x12"],
  ])("%s is %s", (a, b) => {
    expect(phoneKey(a)).toBeDefined();
    expect(phoneKey(a)).toBe(phoneKey(b));
  });

  test.each(["", "call us", "12345", "1-800-555-0199", "(888) 555-0100", "0800 1111 11"])(
    "%j tells nothing",
    (phone) => {
      expect(phoneKey(phone)).toBeUndefined();
    },
  );
});
