import { describe, expect, test } from "vitest";
import { matchListing } from "../../../src/matching/match.ts";
import { matchIncomplete } from "../../../src/matching/match-incomplete.ts";
import { LABELS } from "../../../src/matching/normalize/address-segment.ts";
import { FORMS } from "../../../src/matching/normalize/street-words.ts";
import { matchCard } from "../../../src/web/venues/match-card.ts";
import { roundsOf } from "../../support/rounds.ts";

/** The fields of one side, by parameter. */
type Said = Partial<Record<"name" | "address" | "city" | "state" | "zip" | "phone" | "twitter" | "url", string>>;

const HERE = { lat: 41.82, lng: -71.41 };
/** Other venues nearby: they make words common, and names less telling. */
const NEIGHBOURS = ["Maple Cafe", "Maple Court Cafe", "Maple Bar", "Maple Street Pharmacy", "Maple Hall A"];

/** The words of reasons that call a row the same, or different. */
const SAYS: Record<string, [same: RegExp, other: RegExp]> = {
  Name: [
    /^same (name|words)/,
    /^(names (differ|suggest)|only one name has|a letter|one may be a sibling|each name has a word|one name has an extra)/,
  ],
  Address: [/^same address/, /^different (house number|unit|street)/],
  City: [/^same town/, /^(different town|town spelled)/],
  "Postal code": [/^same postal/, /^different postal/],
  Phone: [/^same phone/, /^different phone/],
  Twitter: [/^same Twitter/, /^different Twitter/],
  Website: [/^same website/, /^different (website|page)/],
};

/** Both sides on one card: judged by our directory with and without positions, and by one without reasons. */
function cardsOf(ours: Said, theirs: Said) {
  const { name = "Maple Cafe", address, city, state, zip, phone, twitter, url } = theirs;
  const own = { name: "Maple Cafe", ...ours };
  const record = { name, address, city, zip, phone, twitter, url };
  const others = NEIGHBOURS.map((each) => ({ name: each, ...HERE }));
  const placed = [[], others].map((rest) => {
    const candidate = { ...record, ...HERE };
    return matchListing({ ...own, ...HERE }, [candidate, ...rest]).find(({ venue }) => venue === candidate)?.evidence;
  });
  const unplaced = matchIncomplete(own, "town", [{ ...record, ...HERE }])[0]?.evidence;
  const location = { address, city, state, postalCode: zip, ...HERE };
  const venue = { id: "a1", name, url, location, contact: { phone, twitter } };
  return [...placed, unplaced, undefined].map((evidence, at) => {
    const where = at < 2 ? { ll: HERE } : { near: "Providence" };
    return matchCard({ ...own, ...where }, { ...venue, evidence: evidence?.map((each) => ({ ...each })) });
  });
}

/** Where the rows of a card contradict its reasons. */
function contradictions(ours: Said, theirs: Said): string[] {
  return cardsOf(ours, theirs).flatMap(({ rows, reasons }) =>
    rows.flatMap(({ label, result, listing, venue }) => {
      const [same, other] = SAYS[label] ?? [];
      const against = { differs: same, same: other }[result];
      const told = reasons.filter(({ text }) => against?.test(text)).map(({ text }) => text);
      const isMarked = [...listing, ...venue].some(({ differs }) => differs);
      return [
        ...told.map((text) => `${label} ${result}, but: ${text}`),
        ...(isMarked && result === "same" ? [`${label} is the same, and words of it are marked`] : []),
      ];
    }),
  );
}

const resultsOf = (label: string, ours: Said, theirs: Said) => [
  ...new Set(cardsOf(ours, theirs).map(({ rows }) => rows.find((row) => row.label === label)?.result)),
];

/** All pairs, in both orders. */
const pairsOf = (field: keyof Said, ...families: string[][]) =>
  families.flatMap((forms) =>
    forms.flatMap((one) => forms.map((other): [Said, Said] => [{ [field]: one }, { [field]: other }])),
  );

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

describe("a match card: the rows that compare fields do not contradict the reasons:", () => {
  test.each<[string, Said, Said]>([
    ["Phone", { phone: "(404) 351-9533 / 351-9534" }, { phone: "404-351-9533" }],
    ["Phone", { phone: "+1 401 555 0100 ext. 12" }, { phone: "401-555-0100" }],
    ["Address", { address: "12 Maple Court" }, { address: "12 Maple Ct" }],
    ["Address", { address: "1 Lincoln Parkway" }, { address: "1 Lincoln Pkwy" }],
    ["Address", { address: "99 Post Highway" }, { address: "99 Post Hwy" }],
    ["Address", { address: "5 Fifth Ave" }, { address: "5 5th Avenue" }],
    ["Address", { address: "10 Main St Ste 200" }, { address: "10 Main Street #200" }],
    ["Postal code", { zip: "02906" }, { zip: "02906-1234" }],
  ])("%s of %j and %j is the same", (label, ours, theirs) => {
    expect(resultsOf(label, ours, theirs)).toEqual(["same"]);
    expect(contradictions(ours, theirs)).toEqual([]);
  });

  const STREETS = [...FORMS].map(([word, form]): [Said, Said] => [
    { address: `12 Maple ${capital(word)}` },
    { address: `12 Maple ${capital(form)}.` },
  ]);
  const BEFORE = [...FORMS].map(([word, form]): [Said, Said] => [
    { address: `12 ${capital(word)} Maple Street` },
    { address: `12 ${capital(form)}. Maple St` },
  ]);
  const UNITS = [...LABELS.keys()].flatMap((label) =>
    ["200", "B", "#200", "2A"].flatMap((value) =>
      ["200", "B", "300"].map((other): [Said, Said] => [
        { address: `10 Main St, ${capital(label)} ${value}` },
        { address: `10 Main Street #${other}` },
      ]),
    ),
  );
  const ADDRESSES = pairsOf("address", [
    ...[
      "12 Maple Ct",
      "12-14 Maple Court",
      "Maple Court 12",
      "14 Maple Court",
      "Maple Court",
      "12 Mapel Ct",
      "12 Oak Ct",
    ],
    ...[
      "12 N Maple Ct",
      "12 North Maple Court",
      "12 Maple Ct, Boston",
      "12 Maple Ct, Newport, RI 02840",
      "P.O. Box 12",
    ],
    ...["PO Box 12", "12", "Blk 12 Maple Ct #01-08", "12 Maple Ct Ste 200", "12 Maple Ct Ste 300", "?", "C/ Maple 12"],
    ...[
      "Hauptstr. 5a, 10115 Berlin",
      "Hauptstraße 5 A",
      "Tampines Avenue 8",
      "8 Tampines Ave",
      "1st Ave 1",
      "First Avenue 1",
    ],
  ]);
  const PHONES = pairsOf("phone", [
    ...["+1 401 555 0100", "401-555-0100", "(401) 555 0100", "4015550100 / 4015550199", "401/555-0100", "555-0100"],
    ...[
      "+1 401 555 0100 x12",
      "001 401 555 0100",
      "401-555-0199",
      "+44 401 555 0100",
      "800-555-0100",
      "1-800-555-0100",
    ],
    ...["+44 (0)20 7946 0000", "020 7946 0000", "+44 20 7946 0000", "112", "0000000", "none", "доб. 3"],
  ]);
  const ZIPS = pairsOf(
    "zip",
    ["02906", "02906-1234", "029061234", "2906", "2906.0", "02903", "-"],
    ["EC1A 1BB", "EC1A1BB", "EC1A", "ec1a", "SW11 2AA", "SW1"],
  );
  const NAMES = pairsOf("name", [
    ...[
      "Maple Cafe",
      "Café Maple",
      "maple cafe",
      "Maple Bar",
      "Maple",
      "The Maple Cafe",
      "Mapel Cafe",
      "Maple Cafe #12",
    ],
    ...["Maple Hall A", "Maple Hall B", "Maple North", "Maple South", "Pool @ Maple", "Pool at Maple", "@ Maple Cafe"],
    ...["Maple Pharmacy", "Maple ATM", "Gate 3", "Gate 4", "Kentucky Fried Chicken", "KFC", "星巴克 咖啡", "星巴克 茶"],
    ...["Maple Maple Cafe", "MapleCafe", "St. John’s", "Saint Johns", "Starbucks", "The", "A", "7-Eleven", "7 Eleven"],
  ]);
  const PLACES = [
    ...pairsOf("city", [
      "Providence",
      "Prov",
      "providence",
      "Providense",
      "St Louis",
      "Saint Louis",
      "NYC",
      "New York",
    ]),
    ...pairsOf("state", ["RI", "Rhode Island", "R.I.", "MA", "NSW", "New South Wales", "Québec", "quebec", "-"]),
  ];
  const SITES = [
    ...pairsOf("url", [
      ...[
        "https://example.org",
        "http://www.example.org/",
        "example.org/",
        "https://example.org/a",
        "https://example.org/b",
      ],
      ...["https://example.com", "https://facebook.com/a", "facebook.com/b", "https://example.org?utm=1", "not a site"],
    ]),
    ...pairsOf("twitter", ["samespot", "@samespot", "SameSpot", "samespots", "https://twitter.com/samespot", "@"]),
  ];

  test.each<[string, [Said, Said][]]>([
    ["every street word that the matching knows, at the end", STREETS],
    ["every street word that the matching knows, before the name", BEFORE],
    ["every word for a unit or floor", UNITS],
    ["addresses", ADDRESSES],
    ["phones", PHONES],
    ["postal codes", ZIPS],
    ["names", NAMES],
    ["cities and states", PLACES],
    ["websites and Twitter names", SITES],
  ])("%s", (_, pairs) => {
    expect(pairs.length).toBeGreaterThan(50);
    const some = pairs.filter((_, at) => at % roundsOf(1, 3) === 0);
    const told = some.flatMap(([ours, theirs]) =>
      contradictions(ours, theirs).map((each) => `${JSON.stringify([ours, theirs])}: ${each}`),
    );
    expect(told).toEqual([]);
  });

  test("all fields of an address book at once", () => {
    const all = [ADDRESSES, PHONES, ZIPS, NAMES, PLACES, SITES];
    const pairs = Array.from({ length: roundsOf(500, 150) }, (_, at): [Said, Said] => {
      const each = all.map((pairs, by) => pairs[(at * 97 + by * 31) % pairs.length] as [Said, Said]);
      return [Object.assign({}, ...each.map(([ours]) => ours)), Object.assign({}, ...each.map(([, theirs]) => theirs))];
    });
    expect(pairs.flatMap(([ours, theirs]) => contradictions(ours, theirs))).toEqual([]);
  });

  test("the Address row says same for every street word and its short form (Court, Ct)", () => {
    const odd = STREETS.filter(([ours, theirs]) => resultsOf("Address", ours, theirs).join() !== "same");
    expect(odd).toEqual([]);
  });

  test("the directory's evidence outranks our comparison", () => {
    const evidence = [{ comparison: "phone", weight: 3, text: "same phone" }];
    const venue = { id: "a1", name: "A", contact: { phone: "401 555 0100" }, evidence };
    const { rows } = matchCard({ name: "A", near: "here", phone: "617 555 0199" }, venue);
    expect(rows.find(({ label }) => label === "Phone")?.result).toBe("similar");
  });
});
