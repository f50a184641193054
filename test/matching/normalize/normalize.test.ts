import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { latinOf } from "../../../src/matching/normalize/latin.ts";
import { normalizeName } from "../../../src/matching/normalize/normalize.ts";
import { isSound, read1252, texts } from "../texts.ts";

describe("a name", () => {
  test.each([
    ["Dunkin' Donuts", "dunkin donuts"],
    ["Dunkin’ Donuts", "dunkin donuts"],
    ["O'Brien's", "obriens"],
    ["O´Brien`s", "obriens"],
    ["Stop & Shop", "stop and shop"],
    ["Fish + Chips", "fish and chips"],
    ["Fish 'n' Chips", "fish and chips"],
    ["Fish ‘n Chips", "fish and chips"],
    ["Rock’n’Roll", "rock and roll"],
    ["Toys 'R' Us", "toys r us"],
    ["Café Zoë", "cafe zoe"],
    ["Straße 9", "strasse 9"],
    ["7-Eleven", "7 eleven"],
    ["J.P. Morgan", "jp morgan"],
    ["J.P.Morgan, U.S.A", "jp morgan usa"],
    ["McDonald’s™ – Café®", "mcdonalds cafe"],
    ["Foo(TM) Ltd", "foo ltd"],
    ["☕️ Bar", "bar"],
    ["№5", "no 5"],
    ["a\u200bb\u00adc\u0007d", "abc d"],
    ["  A  B\tC ", "a b c"],
    ["ＳＴＡＲ", "star"],
    ["星巴克咖啡", "星巴克咖啡"],
    ["がぎぐ", "がぎぐ"],
    ["ﾗｰﾒﾝ ラーメン", "らーめん らーめん"],
    ["Кофе-Хауз", "кофе хауз"],
    ["ΟΔΟΣ οδός", "οδοσ οδοσ"],
    ["مَطْعَم الـقُدس", "مطعم القدس"],
    ["קָפֶה בע״מ", "קפה בעמ"],
    ["١٢ ۳۴ ५६ ৭৮ ๙", "12 34 56 78 9"],
    ["!!!", ""],
  ])("%j is compared as %j", (name, expected) => expect(normalizeName(name)).toBe(expected));

  test.each([
    ["Caf&eacute; &amp; Bar", "Café & Bar"],
    ["AT&amp;amp;T &#39;s &#x43;", "AT&T 's C"],
    ["Foo &unknown; &#0; &#xFFFFFF;", "Foo and unknown and 0 and xffffff"],
    ["â€œHiâ€", "Hi"],
    ["CÅ“ur", "Cœur"],
  ])("%j is repaired to %j", (broken, whole) => expect(normalizeName(broken)).toBe(normalizeName(whole)));

  test.each(["Café Zoë", "Müller’s – “Straße”", "Москва", "東京 ラーメン", "กรุงเทพ", "Đường Võ", "Ţară Łódź"])(
    "decoded with the wrong character set once or twice is restored to %j",
    (name) => {
      expect(normalizeName(read1252(name))).toBe(normalizeName(name));
      expect(normalizeName(read1252(read1252(name)))).toBe(normalizeName(name));
    },
  );

  test.each(["CAFÉ™", "MÍŠEŇSKÁ", "CAFÉ’S", "VOILÀ…", "MAÇÃ", "À»", "ÜŠ", "“Café”™", "«Café»…"])(
    "%j is not mistaken for wrongly decoded text",
    (name) => {
      expect(normalizeName(name)).toBe(normalizeName(name.toLowerCase()));
    },
  );

  test("stays the same when normalized again", () => {
    const once = fc
      .oneof(texts, fc.string({ unit: "grapheme" }), texts.map(read1252))
      .map(normalizeName)
      .filter(isSound);
    fc.assert(
      fc.property(once, (name) => {
        expect(normalizeName(name)).toBe(name);
      }),
    );
  });

  test("is the same composed or decomposed, and in upper or lower case", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(normalizeName(text.normalize("NFD"))).toBe(normalizeName(text.normalize("NFC")));
        expect(normalizeName(text.toUpperCase())).toBe(normalizeName(text.toLowerCase()));
      }),
    );
  });
});

describe("a name in Latin letters", () => {
  test.each([
    ["Café", "cafe"],
    ["Москва", "moskva"],
    ["Кофе-Хауз", "kofe khauz"],
    ["東京 ラーメン", "dong jing ramen"],
    ["クッキー シャンプー ファミリー", "kukki shanpu famiri"],
    ["서울역", "seoulyeog"],
    ["Ευαγγελία Ουζερί", "evangelia ouzeri"],
    ["كوفي القدس", "kofi al qds"],
    ["בית קפה", "bit kfh"],
  ])("%s becomes %s", (name, latin) => expect(latinOf(normalizeName(name))).toBe(latin));

  test("consists of Latin letters, digits and single spaces only", () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: "grapheme" })), (text) => {
        expect(latinOf(normalizeName(text))).toMatch(/^(?:[a-z0-9]+(?: (?!$))?)*$/);
      }),
    );
  });
});
