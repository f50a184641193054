import path from "node:path";
import { expect, test } from "vitest";
import { readReviews, reviewedListings, reviewedPairs } from "../../bench/support/reviewed.ts";
import { readPairSets, readRetrievalSets } from "../../bench/support/sets.ts";

const DATA = path.resolve(import.meta.dirname, "../../bench/data");
const REVIEWS = readReviews();

const RELATIONS = ["part", "sibling", "other business", "other place"];
const KINDS: Record<string, string[]> = {
  "same 0": ["missing label"],
  "same 1": ["same place"],
  "other 0": RELATIONS,
  "other 1": RELATIONS,
  "unsure 0": RELATIONS,
  "unsure 1": RELATIONS,
};

test("the reviewed labels are sorted, judge each pair once, and have known verdicts and kinds", () => {
  const keys = REVIEWS.map(({ set, left, right }) => [set, left, right].join());
  expect(keys).toEqual(keys.toSorted());
  expect(new Set(REVIEWS.map(({ left, right }) => `${left} ${right}`)).size).toBe(REVIEWS.length);
  expect(REVIEWS.filter(({ label, verdict, kind }) => !KINDS[`${verdict} ${label}`]?.includes(kind))).toEqual([]);
});

test("the reviewed pairs of the shipped sets exist, with the label they had", () => {
  const sets = readPairSets(DATA);
  const published = sets.flatMap(({ name, pairs }) =>
    pairs.map(({ left, right, isSame }) => [`pairs/${name}`, left.id, right.id, Number(isSame)].join()),
  );
  const reviewed = REVIEWS.filter(({ set }) => sets.some(({ name }) => set === `pairs/${name}`));
  expect(reviewed.length).toBeGreaterThan(50);
  const known = new Set(published);
  expect(reviewed.filter(({ set, left, right, label }) => !known.has([set, left, right, label].join()))).toEqual([]);
});

test("verdicts replace published labels, and what is unsure is left out", () => {
  const chosen = ["same 0", "other 1", "unsure 1"].flatMap(
    (wanted) => REVIEWS.find(({ verdict, label }) => wanted === `${verdict} ${label}`) ?? [],
  );
  const spots = chosen.map(({ left, right, label }) => ({
    left: { id: left, name: "" },
    right: { id: right, name: "" },
    isSame: label === "1",
  }));
  const [same, other] = chosen.map(({ left, right }) => ({ left, right }));

  const pairs = reviewedPairs({ name: "any", pairs: spots.map((pair) => ({ ...pair, split: "" })) })?.pairs;
  expect(pairs?.map(({ left, isSame }) => [left.id, isSame])).toEqual([
    [same?.left, true],
    [other?.left, false],
  ]);

  const truth = new Map(spots.map(({ left, right, isSame }) => [left.id, new Set(isSame ? [right.id] : [])]));
  const [listings, directory] = [spots.map(({ left }) => left), spots.map(({ right }) => right)];
  const set = reviewedListings({ name: "any", listings, directory, truth });
  expect(set?.listings.map(({ id }) => [id, ...(set.truth.get(id) ?? [])])).toEqual([
    [same?.left, same?.right],
    [other?.left],
  ]);
});

test("a set without verdicts has no reviewed labels", () => {
  const noisy = readRetrievalSets(DATA).filter(({ name }) => name === "sample_noisy");
  expect(noisy.map(reviewedListings)).toEqual([undefined]);
});
