import { expect, test } from "vitest";
import { matchListing } from "../../src/matching/match.ts";

const HERE = { lat: 41.82, lng: -71.41 };
const said = (name: string, other: string): string[] => {
  const [match] = matchListing({ name, ...HERE }, [{ name: other, phone: "+1 401 555 0100", ...HERE }], 0);
  return match?.evidence.map(({ text }) => text) ?? [];
};

test.each([
  ["Café Müller", "Bar Müller", "“Café” / “Bar”"],
  ["Bäckerei Schmidt Süd", "Bäckerei Wolf", "“Schmidt Süd” / “Wolf”"],
  ["Кафе Пушкин", "Кафе Чехов", "“Пушкин” / “Чехов”"],
  ["Ресторан «Прага»", "Ресторан Berlin", "“Прага” / “Berlin”"],
  ["スターバックス 渋谷", "スターバックス 新宿店", "“渋谷” / “新宿店”"],
  ["星巴克咖啡", "太平洋咖啡", "“星巴克咖啡” / “太平洋咖啡”"],
  ["Rite-Aid Pharmacy", "CVS/pharmacy", "“Rite-Aid” / “CVS/pharmacy”"],
])("the reason why %s is hardly %s quotes both names as they are written", (name, other, words) => {
  expect(said(name, other)).toContainEqual(expect.stringContaining(words));
});

test("the reason for a name with an extra word quotes that word as it is written", () => {
  expect(said("ACME", "ACME Corp.")).toContain("names similar except “Corp”");
  expect(said("Joe’s Pizza", "Joe's Pizza and Pasta")).toContain("names similar except “and Pasta”");
});

test("the reason for a name of a million spaces and a word is short", () => {
  const [reason = ""] = said(`Blue ${" ".repeat(1_000_000)} Door`, "Blue Window");
  expect(reason.length).toBeLessThan(500);
});
