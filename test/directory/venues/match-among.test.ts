import { expect, test } from "vitest";
import { allCategories } from "../../../src/directory/categories/tree.ts";
import type { VenueRow } from "../../../src/directory/venues/rows.ts";
import { decideIncomplete } from "../../../src/directory/venues/search/match.ts";
import { matchAmong } from "../../../src/directory/venues/search/search.ts";
import { BETTER_THAN_NONE, WORTH_A_LOOK } from "../../../src/matching/decide.ts";

/** @param north hundred-thousandths of a degree: about a metre each */
const venue = (name: string, north: number) =>
  ({
    id: name,
    name,
    lat: 41.8 + north / 100_000,
    lng: -71.4,
    address: null,
    city: null,
    zip: null,
    phone: null,
  }) as VenueRow;

const found = (name: string, venues: VenueRow[], minScore?: number) =>
  matchAmong({ minScore, limit: 5 }, { name, lat: 41.8, lng: -71.4 }, venues);

const namesOf = ({ venues }: ReturnType<typeof found>) => venues.map(({ name }) => name);

test.each([
  ["Fitness", "Apollo Fitness", 160],
  ["Yoga", "River Yoga", 150],
  ["Vision oWrld", "Vision World", 150],
])("for %s, the most likely venue is found where none is worth a look, and needs review", (listing, name, north) => {
  const venues = [venue("Golden Dragon", 5), venue(name, north), venue(`${name} Annex Warehouse`, 240)];
  const { confident, ...result } = found(listing, venues, WORTH_A_LOOK);
  const scores = result.venues.map(({ score = 0 }) => score);
  expect({ names: namesOf({ confident, ...result }), confident }).toEqual({ names: [name], confident: false });
  expect(scores[0]).toBeGreaterThanOrEqual(BETTER_THAN_NONE);
  expect(scores[0]).toBeLessThan(WORTH_A_LOOK);
});

test("nothing below the lowest score is found for callers that ask for likely venues, or for another place", () => {
  expect(namesOf(found("Yoga", [venue("River Yoga", 150)]))).toEqual([]);
  expect(namesOf(found("Yoga", [venue("River Yoga", 150)], 0.06))).toEqual([]);
  expect(namesOf(found("Blue State Coffee", [venue("Golden Dragon", 5)], WORTH_A_LOOK))).toEqual([]);
});

test("beside a venue worth a look, none with a lower score is found", () => {
  const venues = [venue("River Yoga", 20), venue("Yoga", 30)];
  expect(namesOf(found("Yoga", venues, WORTH_A_LOOK))[0]).toBe("Yoga");
  for (const { score = 0 } of found("Yoga", venues, WORTH_A_LOOK).venues)
    expect(score).toBeGreaterThanOrEqual(WORTH_A_LOOK);
});

test("F150: the venue's category decides whether a trade more in the name needs review, with and without a position", () => {
  const needsReview = (category: string | undefined) => {
    const categoryId = allCategories.find(({ name }) => name === category)?.id ?? null;
    const [name, phone] = ["Quillon Hill Bakery", "401 555 0110"];
    const venues = [{ ...venue("Quillon Hill", 5), phone, categoryId }];
    const [placed] = found(name, venues, 0).venues;
    const [unplaced] = decideIncomplete({ name, phone }, "town", venues, { minScore: 0 }).matches;
    return [placed?.needsReview, unplaced?.needsReview];
  };
  expect(needsReview("Bakery")).toEqual([false, false]);
  for (const category of ["Department Store", "Supermarket", "Hospital", "Hardware Store", undefined])
    expect([category, needsReview(category)]).toEqual([category, [true, true]]);
});
