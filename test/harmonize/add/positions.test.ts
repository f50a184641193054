import { expect, test } from "vitest";
import { addListings, startAdding } from "../../../src/harmonize/add/add-listings.ts";
import { answerPositions } from "../../../src/harmonize/positions/answer.ts";
import { type Harmonization, loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { makeHarmonization } from "../rows.ts";
import { CAFE, startAdder } from "./directory.ts";

const adder = await startAdder();
const { deps, person, directory, database, row } = adder;
const { signal } = new AbortController();
const COLUMNS = { id: 0, name: 1, lat: 2, lng: 3, city: 4 };

/** Creates a run of listings at these positions, each naming its town, without a judgement. */
async function begin(places: [town: string, lat: number, lng: number][]): Promise<Harmonization> {
  await adder.begin([]);
  const listings = places.map(([town, lat, lng], index) => ({
    name: `Shop ${index}`,
    more: {
      cells: ["", `Shop ${index}`, String(lat), String(lng), town, ""],
      query: { name: `Shop ${index}`, ll: { lat, lng } },
    },
  }));
  const { id } = await makeHarmonization(database, adder.accountId, listings, {
    ...{ directory: deps.directoryUrl, columns: COLUMNS, createdAt: new Date("2026-01-01") },
  });
  return load(id);
}

async function load(id: string): Promise<Harmonization> {
  const found = await loadHarmonization(deps, id);
  if (!found) throw new Error("It is not there.");
  return found;
}

async function add(h: Harmonization): Promise<void> {
  expect(await startAdding(deps, h, person, { categoryId: CAFE })).toBe(true);
  await addListings(deps, await load(h.id), { signal });
}

const TOWNS = { Providence: { lat: 41.82, lng: -71.41 }, Newport: { lat: 41.49, lng: -71.31 } };
deps.directory.searchVenues = async (_auth, { near }) => {
  const center = TOWNS[near as keyof typeof TOWNS];
  const geocode = center && { feature: { cc: "US", geometry: { center } } };
  return { venues: [], confident: false, geocode: geocode as never };
};

const swapped = (): Promise<Harmonization> =>
  begin([
    ["Providence", -71.41, 41.82],
    ["Providence", -71.42, 41.83],
    ["Newport", -71.31, 41.49],
  ]);

test("F30: an older run has its positions judged before adding, and adds nothing while they are in question", async () => {
  const h = await swapped();
  await add(h);
  expect(directory.adds).toEqual([]);
  expect(await row(h)).toMatchObject({
    state: "ready",
    positions: { verdict: "wrong", slip: "swapped", wrong: 3 },
    task: { problem: { code: "positions_unanswered" } },
  });
  await expect(startAdding(deps, await load(h.id), person, { categoryId: CAFE })).rejects.toThrow("look wrong");
  expect((await row(h)).state).toBe("ready");
});

test("F30: a run adds its listings after the owner confirms the positions", async () => {
  const h = await swapped();
  await add(h);
  expect(await answerPositions(deps, await load(h.id), "right")).toBe(true);
  await add(await load(h.id));
  expect(directory.adds).toHaveLength(3);
});

test("F30: a row far from the town it names is not added in bulk, and the others are", async () => {
  const places = Array.from(
    { length: 12 },
    (_, index) => ["Providence", 41.8 + index / 500, -71.4] as [string, number, number],
  );
  const h = await begin([...places, ["Newport", -41.49, -71.31], ["Nowhere", 12, 34], ["Newport", 30, -60]]);
  await add(h);
  expect(directory.adds).toHaveLength(13);
  const listings = await adder.listings(h);
  expect(listings[12]).toMatchObject({
    decision: null,
    problem: {
      code: "implausible_position",
      ...{ ll: { lat: -41.49, lng: -71.31 }, km: expect.any(Number), place: "Newport" },
    },
  });
  expect(listings[14]?.problem, "without a slip that would explain it").not.toHaveProperty("wouldBe");
  await add(await load(h.id));
  expect(directory.adds).toHaveLength(13);
});
