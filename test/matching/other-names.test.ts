import { describe, expect, test } from "vitest";
import { BETTER_THAN_NONE, decideMatches } from "../../src/matching/decide.ts";
import { matchListing } from "../../src/matching/match.ts";
import { normalizeName } from "../../src/matching/normalize/normalize.ts";
import type { Listing, OtherName } from "../../src/matching/prepare.ts";

const HERE = { lat: 37.97, lng: 23.73 };
const metres = (count: number) => count / 111_195;
const north = (count: number) => ({ lat: HERE.lat + metres(count), lng: HERE.lng });
const named = (name: string, otherNames: OtherName[] = [], away = 0, rest: Partial<Listing> = {}): Listing => ({
  ...{ name, otherNames, ...north(away) },
  ...rest,
});
const decide = (listing: Listing, candidates: Listing[]) => {
  const { matches, confident } = decideMatches(matchListing(listing, candidates, 0), 0);
  return { first: matches[0], matches, confident };
};

const SURE = ["common:en", "common:zh-Hant", "alternate", "official"];
const UNSURE = ["old", "short", "brand"];

test.each([...SURE, ...UNSURE])("a name of the kind %s finds its venue, and the reason quotes it", (kind) => {
  const venue = named("Μουσείο Ακρόπολης", [{ kind, name: "Acropolis Museum" }]);
  const { first, confident } = decide({ name: "Acropolis Museum", ...north(10) }, [venue]);
  expect(first?.venue).toBe(venue);
  expect(first?.score).toBeGreaterThan(0.8);
  expect(first?.evidence.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^matches its other name “Acropolis Museum”/),
  );
  expect(confident).toBe(SURE.includes(kind));
});

test.each([
  ["common:en", " (English)"],
  ["common:zh-Hant", " (Traditional Chinese)"],
  ["common:x!", " (x!)"],
  ["alternate", ""],
  ["official", " (official)"],
  ["short", " (short)"],
  ["old", " (former)"],
  ["brand", " (brand)"],
])("the reason says of a name of the kind %s: “…”%s", (kind, words) => {
  const { first } = decide({ name: "Blue Heron", ...HERE }, [named("Γλάρος", [{ kind, name: "Blue Heron" }])]);
  expect(first?.evidence.map(({ text }) => text)).toContain(`matches its other name “Blue Heron”${words}`);
});

test("a name that is only similar is quoted as similar, and the venue's own goes before one that is as good", () => {
  const { first } = decide({ name: "Blue Herons Inn", ...HERE }, [
    named("Γλάρος", [{ kind: "alternate", name: "Blue Heron Inn" }]),
  ]);
  expect(first?.evidence.map(({ text }) => text)).toContain("is similar to its other name “Blue Heron Inn”");
  const own = decide({ name: "Blue Heron", ...HERE }, [named("Blue Heron", [{ kind: "old", name: "Blue Heron!" }])]);
  expect(own.first?.evidence.map(({ text }) => text)).toContain("same name");
  expect(own.confident).toBe(true);
});

const BRANDS = ["Chase", "Starbucks", "Shell", "Banco do Brasil", "セブン", "Сбербанк"];
const PARTS = ["Airport ATM", "Main Street", "Terminal 2 Kiosk", "Drive Through", "Γωνία", "Filiale"];

describe("C89: a brand", () => {
  test.each(BRANDS)("%s never makes a part or a branch certain by name alone", (brand) => {
    for (const [at, part] of PARTS.entries())
      for (const away of [0, 15, 80, 300]) {
        const venues = [named(part, [{ kind: "brand", name: brand }], away)];
        if (at % 2) venues.push(named(`${part} West`, [{ kind: "brand", name: brand }], away + 40));
        for (const phone of [undefined, "+30 210 5550101"]) {
          const { confident } = decide(
            { name: brand, ...HERE, phone },
            venues.map((venue) => ({ ...venue, phone })),
          );
          expect({ part, away, phone, confident }).toEqual({ part, away, phone, confident: false });
        }
      }
  });

  test.each(BRANDS)("%s at others near changes nothing of what is decided about a venue of that name", (brand) => {
    for (const away of [0, 20, 60, 200])
      for (const other of [0, 5, 30, 120]) {
        const branch = { name: brand, ...north(away) };
        const atms = PARTS.map((name, at) => ({ name, ...north(other + at) }));
        const without = decide({ name: brand, ...HERE }, [branch, ...atms]);
        const withIt = decide({ name: brand, ...HERE }, [
          branch,
          ...atms.map((venue) => ({ ...venue, otherNames: [{ kind: "brand", name: brand }] })),
        ]);
        expect(withIt.first?.venue.name).toBe(without.first?.venue.name);
        expect(withIt).toMatchObject({ confident: without.confident, first: { score: without.first?.score } });
      }
  });
});

test.each(SURE)("C89: a name of the kind %s that another venue near has makes none of the two certain", (kind) => {
  for (const [a, b] of [
    [0, 30],
    [5, 300],
    [0, 900],
  ] as const)
    for (const other of [named("Park Office", [{ kind, name: "Blue Heron" }], b), named("Blue Heron", [], b)]) {
      const { first, confident } = decide({ name: "Blue Heron", ...HERE }, [
        named("Γλάρος", [{ kind, name: "Blue Heron" }], a),
        other,
      ]);
      if (first?.venue.name === "Γλάρος")
        expect({ a, b, other: other.name, confident }).toMatchObject({ confident: false });
    }
});

test("a former name is certain with the same phone", () => {
  const phone = "+30 210 5550101";
  const venue = named("Γλάρος", [{ kind: "old", name: "Blue Heron" }], 10, { phone });
  expect(decide({ name: "Blue Heron", ...HERE, phone }, [venue]).confident).toBe(true);
});

const WORDS =
  "Saint St Bldg Building Ctr Center Blue Heron Mill KFC Kentucky Fried Chicken Acropolis Μουσείο Кафе 咖啡 The of &".split(
    " ",
  );
const wordAt = (n: number) => WORDS[n % WORDS.length];

test("C90: a name that is left unread, because its trigrams are others, would not have been the best of its venue", () => {
  let changed = 0;
  for (let n = 0; n < 2_000; n++) {
    const name = (seed: number) =>
      [wordAt(seed), wordAt(seed * 7 + n), wordAt(seed * 3 + 5)].slice(0, 1 + (seed % 3)).join(" ");
    const venue = named(
      name(n),
      [1, 2, 3].map((k) => ({ kind: "alternate", name: name(n * 5 + k * 11) })),
      n % 300,
    );
    const norm = venue.otherNames?.map((each) => normalizeName(each.name)).join("|");
    const listing = { name: name(n * 13 + 4), ...HERE };
    const [read, left] = [decide(listing, [venue]), decide(listing, [{ ...venue, otherNamesNorm: norm }])];
    if (Math.max(left.first?.score ?? 0, read.first?.score ?? 0) < BETTER_THAN_NONE) continue;
    expect([listing.name, left.first?.score]).toEqual([listing.name, read.first?.score]);
    expect(left.first?.evidence).toEqual(read.first?.evidence);
    changed += Number(read.first?.evidence.some(({ text }) => text.includes("other name")));
  }
  expect(changed).toBeGreaterThan(100);
});

test("a venue that is closed for a time is matched like others, and a reason says so", () => {
  const listing = { name: "Blue Heron", ...HERE };
  const [open, away] = [false, true].map((isTemporarilyClosed) =>
    decide(listing, [named("Blue Heron", [], 10, { isTemporarilyClosed })]),
  );
  expect(away?.first?.score).toBe(open?.first?.score);
  expect(away?.confident).toBe(open?.confident);
  expect(away?.first?.evidence.at(-1)?.text).toBe("closed for a time");
  expect(open?.first?.evidence.map(({ text }) => text)).not.toContain("closed for a time");
});
