import { describe, expect, test } from "vitest";
import { haveManyAddresses } from "../../src/matching/contradiction.ts";
import { decideMatches } from "../../src/matching/decide.ts";
import { matchListing } from "../../src/matching/match.ts";
import { type Listing, prepare, type Spot } from "../../src/matching/prepare.ts";
import { at } from "./places.ts";

/** A name, two streets with "*" for the number, and two towns of a language. */
const LANGUAGES: Record<string, { name: string; streets: [string, string]; towns: [string, string] }> = {
  English: { name: "Quillon & Marsh", streets: ["* High Street", "* Mill Road"], towns: ["Ashbyton", "Brookton"] },
  German: { name: "Löwen-Apotheke", streets: ["Hauptstraße *", "Am Anger *"], towns: ["Neudorf", "Bad Elster"] },
  French: { name: "Boulangerie Perrin", streets: ["*, rue de la Gare", "*, avenue Foch"], towns: ["Étampes", "Dijon"] },
  Spanish: { name: "Farmacia Ortega", streets: ["Calle Mayor, *", "Avda. del Sol, *"], towns: ["Cáceres", "Lugo"] },
  Italian: { name: "Gelateria Bruni", streets: ["Via Roma, *", "Corso Italia, *"], towns: ["Forlì", "Potenza"] },
  Dutch: { name: "Bakkerij Visser", streets: ["Dorpsstraat *", "Kerkweg *"], towns: ["Gouda", "Zwolle"] },
  Polish: { name: "Apteka Zdrowie", streets: ["ul. Długa *", "ul. Piękna *"], towns: ["Łódź", "Gdańsk"] },
  Turkish: { name: "Çınar Kebap", streets: ["Atatürk Cad. No:*", "Gül Sokak No:*"], towns: ["İzmir", "Bursa"] },
  Russian: { name: "Аптека Заря", streets: ["ул. Ленина, д. *", "ул. Садовая, д. *"], towns: ["Пермь", "Омск"] },
  Chinese: { name: "白鹤书店", streets: ["中山路*号", "解放街*号"], towns: ["南京", "成都"] },
};

type Place = Pick<Spot, "address" | "city" | "zip">;

const decided = (name: string, listing: Partial<Listing>, venues: Partial<Listing>[], metres = 0) =>
  decideMatches(
    matchListing(
      { ...at(name), ...listing },
      venues.map((venue) => ({ ...at(name, metres), ...venue })),
    ),
    0,
  );

/** Both ways. */
const isConfident = (name: string, one: Place, other: Place, metres = 0): boolean[] =>
  [[one, other] as const, [other, one] as const].map(([a, b]) => decided(name, a, [b], metres).confident);

describe.each(Object.entries(LANGUAGES))("of one name and position, in %s", (_language, { name, streets, towns }) => {
  const on = (street: 0 | 1, number: string) => streets[street].replace("*", number);
  const here = { address: on(0, "12"), city: towns[0], zip: "04110" };

  test.each([
    ["the same", {}],
    ["a house with a letter", { address: on(0, "12a") }],
    ["a range with the number", { address: on(0, "12-14") }],
    ["no address", { address: undefined }],
    ["no town", { city: undefined }],
    ["no postal code", { zip: undefined }],
    ["a town without accents, in capitals", { city: towns[0].normalize("NFD").replace(/\p{M}/gu, "").toUpperCase() }],
    ["a district with its town", { city: `Centro, ${towns[0]}` }],
    ["a ZIP+4", { zip: "04110-1234" }],
  ])("F80: %s is a certain match", (_what, other) => {
    expect(isConfident(name, here, { ...here, ...other })).toEqual([true, true]);
  });

  test.each([
    ["another house number", { address: on(0, "17") }],
    ["the number on another street", { address: on(1, "12") }],
    ["another town", { city: towns[1] }],
    ["another postal code", { zip: "04111" }],
    ["another town, and no address", { city: towns[1], address: undefined, zip: undefined }],
  ])("F80: %s is no certain match, and the evidence says so", (_what, other) => {
    expect(isConfident(name, here, { ...here, ...other })).toEqual([false, false]);
    const [best] = decided(name, here, [{ ...here, ...other }]).matches;
    expect(best?.evidence.filter(({ weight }) => weight < 0).length).toBeGreaterThan(0);
  });

  test("F80: of twelve branches, each is a certain match for itself alone", () => {
    const branches = Array.from({ length: 12 }, (_, n) => ({ address: on(n % 2 ? 1 : 0, `${10 + 7 * n}`) }));
    const found = branches.map((branch) => decided(name, branch, branches));
    expect(found.map(({ confident }) => confident)).toEqual(branches.map(() => true));
    expect(found.map(({ matches }) => matches[0]?.venue.address)).toEqual(branches.map(({ address }) => address));
    for (const branch of branches) {
      const others = branches.filter((other) => other !== branch);
      expect(decided(name, branch, others).confident).toBe(false);
      expect(decided(name, branch, [...others, {}]).confident, "nor for a venue without an address").toBe(false);
    }
  });
});

describe("some metres apart", () => {
  const here = { address: "12 High Street", city: "Ashbyton", zip: "04110" };

  test.each([
    ["house number", { address: "17 High Street" }],
    ["postal code", { zip: "04111" }],
    ["town", { city: "Brookton" }],
  ])("F80: another %s alone is no reason for doubt", (_what, other) => {
    expect(isConfident("Quillon & Marsh", here, { ...here, ...other }, 15)).toEqual([true, true]);
  });

  test.each([
    ["house number and town", { address: "17 High Street", city: "Brookton" }],
    ["house number and postal code", { address: "17 High Street", zip: "04111" }],
    ["postal code and town", { zip: "04111", city: "Brookton" }],
    ["number and street", { address: "17 Mill Road" }],
  ])("F80: another %s is", (_what, other) => {
    expect(isConfident("Quillon & Marsh", here, { ...here, ...other }, 15)).toEqual([false, false]);
  });

  test("F80: the same phone excuses one contradiction, and not two", () => {
    const found = (other: Partial<Listing>) =>
      decided("Quillon & Marsh", { ...here, phone: "207 555 0101" }, [{ ...here, phone: "207 555 0101", ...other }]);
    expect(found({ zip: "04111" }).confident).toBe(true);
    expect(found({ zip: "04111", city: "Brookton" }).confident).toBe(false);
  });
});

const numbers = (number: string): Place => ({ address: `${number} High Street` });
const zips = (zip: string): Place => ({ zip });
const cities = (city: string): Place => ({ city });

test.each<[string, (text: string) => Place, [string, string][]]>([
  [
    "house numbers",
    numbers,
    [
      ...([
        ["12", "12A"],
        ["12 A", "12a"],
        ["13", "12-14"],
        ["12-16", "14-18"],
        ["12/14", "12-14"],
      ] as [string, string][]),
      ...([
        ["3-120", "120"],
        ["3/120", "Unit 3, 120"],
        ["3-120", "5-120"],
        ["3-120", "3"],
      ] as [string, string][]),
      ...([
        ["37-12", "37"],
        ["37-12", "37-45"],
        ["300-12", "12"],
      ] as [string, string][]),
    ],
  ],
  [
    "postal codes",
    zips,
    [
      ...([
        ["4098", "04098"],
        ["04098", "04098-1234"],
        ["04098.0", "4098-1234"],
        ["D-10115", "10115"],
      ] as [string, string][]),
      ...([
        ["EH7", "EH7 5QA"],
        ["EH7 5QA", "eh75qa"],
        ["G1", "G1 1AA"],
        ["LV-1010", "1010"],
      ] as [string, string][]),
      ...([
        ["1011", "1011 AB"],
        ["100-0001", "1000001"],
        ["01310-100", "01310100"],
      ] as [string, string][]),
    ],
  ],
  [
    "towns",
    cities,
    [
      ...([
        ["Saint Louis", "St. Louis"],
        ["Brookton", "Brookton, ME 04110"],
        ["Leith", "Leith, Edinburgh"],
      ] as [string, string][]),
      ...([
        ["Frankfurt", "Frankfurt am Main"],
        ["LA", "Los Angeles"],
        ["NYC", "New York City"],
      ] as [string, string][]),
      ...([
        ["São Paulo", "Sao Paulo"],
        ["東京", "Tokyo"],
        ["Москва", "Moskva"],
        ["Köln", "Koeln"],
      ] as [string, string][]),
    ],
  ],
])("F80: %s that may be the same are no contradiction", (_what, place, pairs) => {
  for (const [one, other] of pairs)
    expect(isConfident("Quillon & Marsh", place(one), place(other)), `${one} | ${other}`).toEqual([true, true]);
});

test.each<[string, (text: string) => Place, [string, string][]]>([
  [
    "house numbers",
    numbers,
    [
      ...([
        ["12", "14"],
        ["12A", "12B"],
        ["12-A", "12C"],
        ["12-14", "16"],
        ["3-120", "50"],
      ] as [string, string][]),
      ...([
        ["37-12", "37-9"],
        ["3-120", "3-121"],
        ["1", "12"],
      ] as [string, string][]),
    ],
  ],
  [
    "postal codes",
    zips,
    [
      ["04098", "04099"],
      ["EH7 5QA", "EH7 5QB"],
      ["G1", "G12 8QQ"],
      ["D-10115", "10117"],
    ],
  ],
  [
    "towns",
    cities,
    [
      ["Brookton", "Ashbyton"],
      ["Leith", "Morningside"],
      ["東京", "大阪"],
      ["LA", "San Diego"],
    ],
  ],
])("F80: %s that differ are one", (_what, place, pairs) => {
  for (const [one, other] of pairs)
    expect(isConfident("Quillon & Marsh", place(one), place(other)), `${one} | ${other}`).toEqual([false, false]);
});

test.each([
  ["3-120 High Street", "50 High Street"],
  ["3-120 High Street", "3 High Street"],
  ["12A High Street", "12B High Street"],
])("F80: “%s” is not the address “%s”", (one, other) => {
  const listing: Listing = { ...at("Quillon & Marsh"), address: one };
  const [match] = matchListing(listing, [{ ...at("Quillon & Marsh"), address: other }]);
  expect(match?.evidence.filter(({ comparison }) => comparison === "address")).toEqual([]);
});

const MALL = { address: "1 Mall Way", city: "Ashbyton", zip: "04110" };
const spelled = (...addresses: string[]): Place[] => addresses.map((address) => ({ ...MALL, address }));
/** In every order. */
const haveMany = (places: Place[]): boolean[] => {
  const orders = places.flatMap((_, at) => [places.slice(at).concat(places.slice(0, at))]);
  return [...orders, ...orders.map((order) => order.toReversed())].map((order) =>
    haveManyAddresses(order.map((place) => prepare({ ...place, name: "Quillon & Marsh" }))),
  );
};

test.each<[string, Place[]]>([
  [
    "floors",
    spelled("Level 1, 1 Mall Way", "Level 2, 1 Mall Way", "1 Mall Way, 3rd Floor", "Ground Floor, 1 Mall Way"),
  ],
  ["units", spelled("Shop 5, 1 Mall Way", "1 Mall Way #02-11", "1 Mall Way Suite 3", "Unit 4/1 Mall Way")],
  ["letters of a house", spelled("12A High Street", "12B High Street", "12 C High Street", "12 High Street")],
  ["a range and its houses", spelled("12-16 High Street", "14 High Street", "16 High Street")],
  ["spellings of Street", spelled("12 High Street", "12 High St", "12 High St.", "12 HIGH STREET", "12, High Street")],
  ["spellings in German", spelled("Hauptstraße 5", "Hauptstr. 5", "Hauptstrasse 5", "HAUPTSTR 5")],
  ["spellings in Spanish", spelled("Avenida del Sol 4", "Avda. del Sol, 4", "Av. Sol 4")],
  ["typing errors", spelled("12 Wellington Road", "12 Welington Road", "12 Wellingtn Rd")],
  ["no town or postal code", [MALL, { ...MALL, city: "" }, { ...MALL, zip: "" }, { address: "1 Mall Way" }]],
  ["no address", [MALL, { city: "Ashbyton" }, { zip: "04110" }, {}]],
  ["no house number", spelled("1 Mall Way", "Mall Way", "Mall Level 2", "Food Court")],
  ["a district, a ZIP+4", [MALL, { ...MALL, city: "Centro, Ashbyton" }, { ...MALL, zip: "4110-1234" }]],
  ["parts that only others have", [{ address: "12 High Street" }, { city: "Brookton" }, { zip: "04111" }]],
  ["two addresses", [...spelled("12 High St", "12 High Street", "17 High St"), { address: "17 High Street" }]],
])("F80: of one name and point, %s are no branches elsewhere", (_what, places) => {
  expect(haveMany(places)).toEqual(haveMany(places).map(() => false));
});

test.each<[string, Place[]]>([
  ["house numbers of a street", spelled("12 High Street", "14 High Street", "17 High Street")],
  ["streets", spelled("12 High Street", "12 Mill Road", "12 Kerkweg")],
  ["towns", ["Ashbyton", "Brookton", "Calderford"].map((city) => ({ city }))],
  ["towns of one address", ["Ashbyton", "Brookton", "Calderford"].map((city) => ({ ...MALL, city }))],
  ["postal codes", ["04110", "04111", "04112"].map((zip) => ({ zip }))],
  [
    "house numbers beside the street, the town, and nothing",
    [...spelled("12 High Street", "14 High Street", "17 High Street", "High Street"), { city: "Ashbyton" }, {}],
  ],
])("F80: of one name and point, three %s are branches elsewhere", (_what, places) => {
  expect(haveMany(places)).toEqual(haveMany(places).map(() => true));
});
