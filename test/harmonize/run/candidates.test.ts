import { expect, test } from "vitest";
import type { Venue } from "../../../src/contract/resources.ts";
import { whyUndecided } from "../../../src/harmonize/results/outcome-words.ts";
import { assess } from "../../../src/harmonize/run/candidates.ts";
import { decideMatches, WORTH_A_LOOK } from "../../../src/matching/decide.ts";
import { matchListing } from "../../../src/matching/match.ts";
import type { Listing } from "../../../src/matching/prepare.ts";
import { familiesOf } from "../../matching/families/families.ts";
import { at } from "../../matching/places.ts";
import { makeCandidate } from "../rows.ts";

/** What a file knows of a listing's only candidate. */
function assessed(listing: Listing, candidate: Listing) {
  const { matches, confident } = decideMatches(matchListing(listing, [candidate], WORTH_A_LOOK), WORTH_A_LOOK);
  const venues = matches.map(
    ({ venue: { name, lat, lng }, score, needsReview, evidence }): Venue =>
      ({ ...{ id: "v", name, location: { lat, lng }, score, needsReview, evidence } }) as unknown as Venue,
  );
  const { isClear, score, candidates } = assess({ venues, confident, geocode: undefined });
  return { isClear, score: score ?? 0, doubts: (candidates[0]?.evidence ?? []).filter(({ weight }) => weight < 0) };
}

const pairs = (kind: Parameters<typeof familiesOf>[0]) =>
  familiesOf(kind).flatMap(({ pairs }) => pairs.filter((_, index) => index % 3 === 0));
const CUTS = [0.5, 0.6, 0.77, 0.9];

test("F80: no cut accepts a part, a sibling or a neighbour, and each cut accepts what is the same", () => {
  const doubtful = (["parts", "siblings", "firms"] as const)
    .flatMap(pairs)
    .map(([one, other]) => assessed(at(one), at(other, 20)));
  const same = pairs("same").map(([one, other]) => assessed(at(one), at(other, 20)));
  for (const cut of CUTS) {
    expect(doubtful.filter(({ isClear, score }) => isClear && score >= cut)).toEqual([]);
    expect(same.filter(({ isClear, score }) => isClear && score >= cut).length).toBeGreaterThan(30);
  }
  expect(
    doubtful.filter(({ score }) => score >= 0.5 && score < 0.77).length,
    "there are some to accept",
  ).toBeGreaterThan(40);
});

test("F80: whatever is held back at a high score says why", () => {
  const scripts: [string, string][] = [
    ["Аптека Заря", "Apteka Zarya"],
    ["Ταβέρνα Ορφέας", "Taverna Orfeas"],
  ];
  const all = [...(["parts", "siblings", "firms", "same"] as const).flatMap(pairs), ...scripts];
  const held = all.filter(([one, other]) => {
    const { isClear, score, doubts } = assessed(at(one), at(other));
    return !isClear && score >= 0.5 && doubts.length === 0;
  });
  expect(held).toEqual([]);
});

test("F80: of a directory that says nothing but scores, only what it is confident of is clear", () => {
  const venue = (score: number) =>
    ({ id: "v", name: "Walrus", location: { lat: 41, lng: -71 }, score }) as unknown as Venue;
  const isClear = (score: number, confident: boolean) =>
    assess({ venues: [venue(score)], confident, geocode: undefined }).isClear;
  expect([0.55, 0.7, 0.8, 0.99].map((score) => isClear(score, false))).toEqual([false, false, false, false]);
  expect([0.8, 0.99].map((score) => isClear(score, true))).toEqual([true, true]);
});

test("F80: a reason names what else holds a match back if a lower limit would not accept it", () => {
  const chosen = makeCandidate("v", 0.6, { name: 3, zip: -0.04 });
  const listing = {
    outcome: "review",
    score: 0.6,
    problem: null,
    why: null,
    chosen,
    second: null,
    skipped_at: null,
    was: null,
    repaired: null,
  } as const;
  const why = (is_clear: boolean) => whyUndecided({ ...listing, is_clear }, { acceptFrom: 0.77, reviewFrom: 0.2 });
  expect(why(true)).toEqual(["best candidate “Venue v”, 60 % (your limit is 77 %)"]);
  expect(why(false)).toEqual([
    "best candidate “Venue v”, 60 % (your limit is 77 %), needs review: different postal code",
  ]);
  const certain = makeCandidate("v", 0.996, { name: 9, distance: 4 });
  const held = (repaired: string | null) =>
    whyUndecided(
      { ...listing, is_clear: false, score: 0.996, chosen: certain, repaired },
      { acceptFrom: 0.77, reviewFrom: 0.2 },
    );
  expect(held("shared"), "not the directory's doubt").toEqual([
    "best candidate “Venue v”, 99.6 %, needs review: other rows with this name have the same position but other addresses",
  ]);
  expect(held(null)).toEqual([
    "best candidate “Venue v”, 99.6 %, needs review: the directory asks for a person to decide this match",
  ]);
});

test("F118: of candidates that are almost as likely, the one of the listing's category comes first, and nothing else changes", () => {
  const venue = (id: string, score: number, category?: string) =>
    ({
      ...{ id, name: "Marlow House", location: { lat: 41, lng: -71 }, score, needsReview: false },
      ...(category && { categories: [{ id: "c", name: category }] }),
    }) as unknown as Venue;
  const firstOf = (venues: Venue[], category: string | null, confident = false) =>
    assess({ venues, confident, geocode: undefined }, undefined, { category });
  const equal = [venue("pub", 0.6, "Pub"), venue("bare", 0.6), venue("hotel", 0.59, "Hotel")];
  const ids = ({ candidates }: ReturnType<typeof assess>) => candidates.map(({ id }) => id).join(" ");
  for (const said of ["Pub", "pub", "Museum", "", "n/a", null])
    expect(ids(firstOf(equal, said))).toBe("pub bare hotel");
  for (const said of ["Hotel", "hotel", " HOTEL "]) {
    const found = firstOf(equal, said);
    expect([ids(found), found.bestId, found.score, found.isClear]).toEqual(["hotel pub bare", "hotel", 0.59, false]);
  }
  const ahead = [venue("pub", 0.97, "Pub"), venue("hotel", 0.3, "Hotel")];
  expect(firstOf(ahead, "Hotel")).toEqual(firstOf(ahead, null));
  const far = [venue("pub", 0.6, "Pub"), venue("bare", 0.6), venue("hotel", 0.1, "Hotel")];
  expect(firstOf(far, "Hotel")).toEqual(firstOf(far, null));
  expect(firstOf(equal, "Hotel", true)).toEqual(firstOf(equal, null, true));
  const unscored = equal.map(({ score: _, ...each }) => each as Venue);
  expect(ids(firstOf(unscored, "Hotel"))).toBe("pub bare hotel");
});
