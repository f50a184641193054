import { describe, expect, test } from "vitest";
import { decideMatches } from "../../src/matching/decide.ts";
import { matchListing } from "../../src/matching/match.ts";
import type { Listing } from "../../src/matching/prepare.ts";
import { familiesOf } from "./families/families.ts";
import { at } from "./places.ts";

type Both = Partial<Listing>;

const HOUSE: Both = { address: "12 High Street", city: "Ashbyton", phone: "207 555 0101" };

/** With nothing else known, and with the same house and phone. */
const isSure = (listing: string, venue: string, more: Both = {}, around: Listing[] = []) =>
  [{}, HOUSE].map((both) => {
    const candidates = [at(venue, 20, { ...both, ...more }), ...around];
    const found = matchListing(at(listing, 0, both), candidates).find(
      ({ venue }) => venue.name === candidates[0]?.name,
    );
    return found?.needsReview === false;
  });

const [BOTH, NEITHER] = [
  [true, true],
  [false, false],
];

/** A trade as names say it (`*`: the name), and a category that says the same. */
const TRADES: Record<string, [string, string][]> = {
  English: [
    ["* Pizza", "Pizza Place"],
    ["* Cafe", "Café"],
    ["* Bakery", "Bakery"],
    ["* Hotel", "Hotel"],
    ["* Pharmacy", "Pharmacy"],
    ["* Bar", "Sports Bar"],
    ["* Hair Salon", "Hair Salon"],
  ],
  German: [
    ["* Apotheke", "Pharmacy"],
    ["* Bäckerei", "Bakery"],
    ["* Friseur", "Hair Salon"],
  ],
  French: [
    ["Boulangerie *", "Bakery"],
    ["Pharmacie *", "Pharmacy"],
    ["* Coiffure", "Hair Salon"],
  ],
  Spanish: [
    ["Cafetería *", "Diner"],
    ["Farmacia *", "Pharmacy"],
    ["Panadería *", "Bakery"],
  ],
  Russian: [
    ["Кафе *", "Café"],
    ["Аптека *", "Pharmacy"],
    ["Ресторан *", "Restaurant"],
  ],
  Chinese: [
    ["*咖啡馆", "Café"],
    ["*餐厅", "Chinese Restaurant"],
  ],
  Japanese: [
    ["*カフェ", "Coffee Shop"],
    ["*レストラン", "Restaurant"],
  ],
  Korean: [
    ["* 카페", "Café"],
    ["* 식당", "Korean Restaurant"],
  ],
  Arabic: [
    ["مقهى *", "Café"],
    ["مطعم *", "Restaurant"],
    ["صيدلية *", "Pharmacy"],
  ],
  Thai: [
    ["ร้านกาแฟ*", "Café"],
    ["ร้านอาหาร*", "Thai Restaurant"],
  ],
};

const NAMES: Record<string, string[]> = {
  Russian: ["Восток", "Заря"],
  Chinese: ["金山", "东方"],
  Japanese: ["さくら", "富士見"],
  Korean: ["한빛", "서울숲"],
  Arabic: ["النور", "السلام"],
  Thai: ["สยาม", "รุ่งเรือง"],
};
const LATIN = ["Zephyr", "Montclair", "Altamira", "Domino's"];

/** What has other trades inside, under its name. */
const WHOLES = [
  ...["Department Store", "Supermarket", "Shopping Mall", "Bookstore", "Food & Grocery", "University", "Hospital"],
  ...["Furniture & Home Store", "Discount & Variety Store", "Stadium", "Church", "Garden Center", "Museum", "Airport"],
];

describe.each(Object.entries(TRADES))("a trade that only the listing's name says, in %s", (language, trades) => {
  const cases = trades.flatMap(([trade, category]) =>
    (NAMES[language] ?? LATIN).map((name) => ({ name, traded: trade.replace("*", name), category })),
  );

  test("F150: is no doubt if the venue's category says it too, and the same trade in the venue's name is one", () => {
    for (const { name, traded, category } of cases) {
      expect(isSure(traded, name, { category }), `${traded} | ${name} (${category})`).toEqual(BOTH);
      if (!traded.startsWith("Domino"))
        expect(isSure(name, traded, { category }), `${name} | ${traded} (${category})`).toEqual(NEITHER);
    }
  });

  test("F150: is one inside a venue of a category that has other trades inside, whatever else agrees", () => {
    for (const { name, traded } of cases)
      for (const category of WHOLES)
        expect(isSure(traded, name, { category }), `${traded} | ${name} (${category})`).toEqual(NEITHER);
  });

  test("F150: is one if the category says another trade", () => {
    for (const { name, traded } of cases.filter(({ name }) => name !== "Domino's"))
      for (const category of ["Office", "Hardware Store", "Laundromat", "Gas Station"])
        expect(isSure(traded, name, { category }), `${traded} | ${name} (${category})`).toEqual(NEITHER);
  });
});

describe("words that add nothing to a name", () => {
  const EXTRA = [
    "* UK",
    "* Company",
    "* & Son",
    "* & Partners",
    "* Services",
    ...[
      "* & Söhne",
      "* et Fils",
      "* e Hijos",
      "* & Figli",
      "* e Filhos",
      "* & Zonen",
      "* & Daughters",
      "* Bros",
      "* KG",
    ],
    ...["* ApS", "* s.r.o.", "* Sp. z o.o.", "Le Nouveau *", "El Nuevo *", "La Nuova *", "Das neue *"],
    "The New *",
    "* Tattoo",
    "* Thai",
    "* Pub",
  ];

  test.each([
    ["Costa", "Costa Coffee"],
    ["Hertz", "Hertz Rent A Car"],
    ["Sixt", "Sixt Autovermietung"],
    ["Europcar", "Europcar Location de voitures"],
    ["Popeyes", "Popeyes Louisiana Kitchen"],
    ["Marks & Spencer", "M&S"],
    ["Public School 118", "P.S. 118"],
    ["Rte 9 Diner", "Route 9 Diner"],
    ["Brantwood Elementary", "Brantwood Elementary School"],
    ["5 Guys", "Five Guys Burgers and Fries"],
    ["KFC", "Kentucky Fried Chicken"],
    ["Brantwood Chinese Rest.", "Brantwood Chinese Restaurant"],
    ["Brantwood Pizzeria", "Brantwood Pizza"],
    ["Sainsbury's", "Sainsbury's Local"],
    ["Broughton Deli", "Broughton Deli & Cafe"],
    ["Cassia Coffee", "Cassia Coffee Shop"],
    ...EXTRA.map((extra) => ["Brantwood", extra.replace("*", "Brantwood")]),
  ])("F151: %s and %s are a certain match", (one, other) => {
    expect([isSure(one, other), isSure(other, one)]).toEqual([BOTH, BOTH]);
  });

  test.each([
    ["Costa", "Costa Pharmacy"],
    ["Brantwood", "Brantwood Coffee"],
    ["Tesco", "Tesco Cafe"],
    ["Brantwood", "New Brantwood"],
    ["Brantwood Hotel", "Brantwood Hotel Thai"],
    ["Brantwood Store", "Brantwood Store Cafe"],
    ["Brantwood", "Brantwood Rent A Car"],
    ["Whole Foods", "Whole Foods Bistro"],
    ["Brantwood Rest Home", "Brantwood Restaurant Home"],
  ])("F151: %s and %s are not", (one, other) => {
    expect([isSure(one, other), isSure(other, one)]).toEqual([NEITHER, NEITHER]);
  });

  test("F151: a town that other names nearby end with is such a word, unless they are names of parts or branches", () => {
    const named = (...names: string[]) => names.map((name, index) => at(name, 150 + index * 20));
    const others = named("Quillon Books Ashbyton", "Harbor Deli Ashbyton", "Old Mill");
    expect(isSure("Brantwood", "Brantwood Ashbyton", {}, others)).toEqual(BOTH);
    expect(isSure("Brantwood Ashbyton", "Brantwood", {}, others)).toEqual(BOTH);
    expect(isSure("Brantwood", "Brantwood Ashbyton")[0]).toBe(false);
    const parts = named("Brantwood East Annexe", "Brantwood Lower Annexe", "Old Mill");
    expect(isSure("Brantwood", "Brantwood Annexe", {}, parts)).toEqual(NEITHER);
    const halls = named("Brantwood East Rotunda", "Brantwood Lower Rotunda", "Old Mill");
    expect(isSure("Brantwood", "Brantwood Rotunda", {}, halls)).toEqual(NEITHER);
  });
});

/** Names of chains, and how one of their branches is called behind it. */
const BRANCHES: Record<string, { chains: string[]; where: string[] }> = {
  English: { chains: ["Starbucks", "McDonald's"], where: [" Lake Shore", " Waverley Station", " Garfield Mall"] },
  German: { chains: ["Rossmann", "Nordsee"], where: [" Lindenau", " Marktplatz", " Bahnhof Lindenau"] },
  French: { chains: ["Picard", "Fnac"], where: [" Part-Dieu", " République"] },
  Spanish: { chains: ["Zara", "Telepizza"], where: [" Altamira", " Estación de Atocha"] },
  Russian: { chains: ["Шоколадница", "Теремок"], where: [" Арбат", " Курский вокзал"] },
  Chinese: { chains: ["星巴克", "肯德基"], where: ["南京路店", "人民广场"] },
  Japanese: { chains: ["スターバックス", "吉野家"], where: [" 新宿駅前店", "銀座中央店"] },
  Korean: { chains: ["스타벅스", "롯데리아"], where: [" 강남점", " 서울역점"] },
  Arabic: { chains: ["ستاربكس", "البيك"], where: [" مول النور", " العليا"] },
  Thai: { chains: ["สตาร์บัคส์", "เชสเตอร์"], where: [" สาขาสยาม"] },
};

describe.each(Object.entries(BRANCHES))("a branch of a chain, in %s", (_language, { chains, where }) => {
  const pairs = chains.flatMap((chain) => where.map((place) => [chain, chain + place] as const));

  test("W190: is the one venue of the chain that is there by address, phone or position", () => {
    for (const [chain, branch] of pairs) {
      expect(isSure(branch, chain), `${branch} | ${chain}`).toEqual(BOTH);
      expect(isSure(chain, branch), `${chain} | ${branch}`).toEqual(BOTH);
      for (const both of [{ phone: HOUSE.phone }, { address: HOUSE.address }]) {
        const [far] = matchListing(at(branch, 0, both), [at(chain, 80, both)]);
        expect(far?.needsReview, `${branch} | ${chain}`).toBe(false);
      }
    }
  });

  test("W190: is none of two venues of the chain that are as near", () => {
    for (const [chain, branch] of pairs)
      expect(decideMatches(matchListing(at(branch), [at(chain, 20), at(chain, -20)])).confident, branch).toBe(false);
  });

  test("W190: is doubted farther away with nothing else known, and if the words name another branch, a part or no place", () => {
    for (const [chain, branch] of pairs)
      expect(matchListing(at(branch), [at(chain, 400)])[0]?.score).toBeLessThan(0.77);
    for (const chain of chains)
      for (const [one, other] of where.flatMap((a) => where.flatMap((b) => (a === b ? [] : [[a, b] as const]))))
        expect(isSure(chain + one, chain + other), `${chain + one} | ${chain + other}`).toEqual(NEITHER);
  });
});

describe("words for where a place is", () => {
  test.each([" Kiosk", " Parking", " Car Wash", " Lake Opticians", " Annex", " University", " Bus Stop"])(
    "W190: Starbucks%s is not certainly Starbucks",
    (ending) => {
      expect(isSure(`Starbucks${ending}`, "Starbucks")).toEqual(NEITHER);
      expect(isSure("Starbucks", `Starbucks${ending}`)).toEqual(NEITHER);
    },
  );

  test("W195: another branch is doubted, though its street is in the address and other names end in 店", () => {
    const around = ["金山渔具店", "东方灯笼店"].map((name) => at(name, 40));
    const there = { address: "中山路12号", phone: "021 5555 0101" };
    const [listing, venue] = [at("欢喜冒菜（大学城店）", 0, there), at("欢喜冒菜中山路店", 0, there)];
    expect(matchListing(listing, [venue, ...around])[0]?.needsReview).toBe(true);
  });

  test("W191: are those that are the name of a place nearby, not of a shop, and behind the name", () => {
    const near = (...names: string[]) => names.map((name, index) => at(name, 150 + index * 20));
    expect(isSure("Brantwood Quillon Museum", "Brantwood", {}, near("Quillon Museum"))).toEqual(BOTH);
    expect(isSure("Brantwood Quillon Museum", "Brantwood", {}, near("Quillon Cafe"))).toEqual(NEITHER);
    expect(isSure("Brantwood Quillon Cafe", "Brantwood", {}, near("Quillon Cafe"))).toEqual(NEITHER);
    expect(isSure("Quillon Museum Brantwood", "Brantwood", {}, near("Quillon Museum"))).toEqual(NEITHER);
    expect(isSure("Subway Quillon Mall", "Subway")).toEqual(BOTH);
    expect(isSure("Subway Quillon Station", "Subway")).toEqual(NEITHER);
    expect(isSure("Boots Waverley Station", "Boots")).toEqual(BOTH);
    expect(isSure("Boots Waverley Opticians", "Boots")).toEqual(NEITHER);
    expect(isSure("Tesco Petrol Station", "Tesco")).toEqual(NEITHER);
    expect(isSure("Tesco Quillon Hampers", "Tesco")).toEqual(NEITHER);
  });

  test("W192: a town that other names nearby end in is no part of a hotel, and a rotunda of it is one", () => {
    const others = [at("Quillon Books Ashbyton", 150), at("Harbor Deli Ashbyton", 170)];
    expect(isSure("Brantwood Hotel", "Brantwood Hotel Ashbyton", {}, others)).toEqual(BOTH);
    expect(isSure("Brantwood Hotel", "Brantwood Hotel Rotunda", {}, others)).toEqual(NEITHER);
  });
});

describe("a word of no known kind", () => {
  test("F152: is no doubt where name and place are very much alike, and is one where they are less", () => {
    const [one, other] = ["Quillon and Harcastle", "Quillon and Harcastle Knitwear"];
    expect([isSure(one, other), isSure(other, one)]).toEqual([BOTH, BOTH]);
    const [match] = matchListing(at(one), [at(other, 180)]);
    expect(match?.needsReview).toBe(true);
    expect(matchListing(at(one, 0, HOUSE), [at(other, 180, { phone: HOUSE.phone })])[0]?.needsReview).toBe(true);
  });

  test.each(familiesOf("parts"))("F152: is one if it names a part, of whatever place, in $language", ({ pairs }) => {
    for (const [whole, part] of pairs) {
      expect(isSure(whole, part), `${whole} | ${part}`).toEqual(NEITHER);
      expect(isSure(part, whole), `${part} | ${whole}`).toEqual(NEITHER);
    }
  });

  const PARTS = [
    "Annexe",
    "Wing",
    "Basement",
    "Rooftop",
    "Pavilion",
    "Keller",
    "Festsaal",
    "Salle",
    "Azotea",
    "Terrazza",
  ];
  const FIELDS = ["Nephrology", "Oncology", "Pediatrics", "Orthopedics", "Optometry", "Radiographie", "Neurologie"];
  const SHOPS = [
    ...["Harrods", "Marks & Spencer", "Barnes & Noble", "El Corte Inglés", "Galeries Lafayette", "Fortnum & Mason"],
    ...["Costco", "Nobu", "Whole Foods", "Hilton", "Bellagio", "Tesco", "Bass Pro", "Hudson's Bay"],
  ];
  const INSIDE = [
    ...[
      "Hampers",
      "Vinyl",
      "Registry",
      "Pizza",
      "Sushi Bar",
      "Deli",
      "Butcher",
      "Barber",
      "Tire Center",
      "Optical",
      "Gas",
    ],
    ...[
      "Food Court",
      "Bank",
      "Liquor",
      "Flowers",
      "Jewelry",
      "Spa",
      "Kitchen",
      "Grill",
      "Steakhouse",
      "Pub",
      "Creamery",
    ],
    ...["Casino", "Beach", "Curbside", "Customer Service", "Residences", "Tailors", "Car Rental", "Thai Restaurant"],
  ];

  test("F152: is one if it names a part or a field of medicine, or stands behind the name of a shop that sells everything", () => {
    const parts = ["Quillon and Harcastle", "Mercy of Ashbyton"].flatMap((name) =>
      [...PARTS, ...FIELDS].map((part) => [name, `${name} ${part}`] as const),
    );
    const inside = SHOPS.flatMap((name) => INSIDE.map((word) => [name, `${name} ${word}`] as const));
    for (const [name, other] of [...parts, ...inside]) {
      expect(isSure(name, other), other).toEqual(NEITHER);
      expect(isSure(other, name), other).toEqual(NEITHER);
    }
    for (const category of WHOLES)
      expect(isSure("Quillon and Harcastle Hampers", "Quillon and Harcastle", { category }), category).toEqual(NEITHER);
  });
});
