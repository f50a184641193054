import { describe, expect, test } from "vitest";
import { venuesOf } from "../api/host.ts";
import { type Candidate, reconcileHost } from "./host.ts";

const host = await reconcileHost();
const query = (name: string | undefined, properties: Record<string, unknown> = {}, more = {}) =>
  host.candidates({
    ...(name !== undefined && { query: name }),
    properties: Object.entries(properties).map(([pid, v]) => ({ pid, v })),
    ...more,
  });
const feature = (candidate: Candidate | undefined, id: string) =>
  candidate?.features.find((each) => each.id === id)?.value;

describe("a reconciliation query with a position", () => {
  test("gets the scores of intent=match in percent, with its evidence as features", async () => {
    const listing = { ll: "60.1003,24.9", phone: "09 555 0142" };
    const [candidate] = await query("Quiet Lantern Tearoom", listing);
    const [venue] = venuesOf(
      await host.userless("/v2/venues/search", { intent: "match", name: "Quiet Lantern Tearoom", ...listing }),
    );
    expect(candidate).toMatchObject({ id: venue?.id, score: Math.round(1000 * (venue?.score ?? 0)) / 10, match: true });
    const evidence = venue?.evidence?.map(({ comparison, weight }) => ({ id: comparison, value: weight }));
    expect(candidate?.features).toEqual([...(evidence ?? []), { id: "metres", value: 33 }]);
  });

  test.each([
    ["text", { ll: "60.1,24.9" }],
    ["text with blanks", { ll: " 60.1 , 24.9 " }],
    ["a list, whose first usable value counts", { ll: ["n/a", null, "60.1,24.9", "60.5,24.9"] }],
    ["an object", { ll: { lat: 60.1, lng: 24.9 } }],
    ["an object with long names", { ll: { latitude: "60.1", longitude: "24.9" } }],
    ["an entity", { ll: { id: "60.1,24.9", name: "60.1,24.9" } }],
    ["two columns", { lat: 60.1, lng: "24.9" }],
  ])("accepts the position as %s", async (_what, properties) => {
    const [first] = await query("Quiet Lantern", properties);
    expect([first?.id, feature(first, "metres")]).toEqual([host.ids.tea, 0]);
  });

  test.each([
    { ll: "somewhere" },
    { ll: "95,24" },
    { ll: true },
    { ll: {} },
    { lat: 60.1 },
    { lat: "north", lng: "24.9" },
  ])("ignores an invalid position: %j", async (properties) => {
    const [first] = await query("Quiet Lantern Tea House", properties);
    expect([first?.id, first?.match, feature(first, "metres")]).toEqual([host.ids.tea, false, undefined]);
  });

  test("takes several phones for several numbers", async () => {
    const phones = ["n/a", "0571-82360875", "09 555 0142"];
    const [first] = await query("Quiet Lantern", { phone: phones });
    expect([first?.id, feature(first, "phone")]).toEqual([host.ids.tea, expect.toSatisfy((weight) => weight > 0)]);
  });

  test("ignores unusable and unknown properties", async () => {
    const clues = { phone: "none", zip: "???", twitter: "two words", colour: "red", address: { id: "x" } };
    const [first] = await query("Quiet Lantern Tea House", { ll: "60.1,24.9", ...clues });
    expect([first?.id, first?.match]).toEqual([host.ids.tea, true]);
  });

  test("but no name gets no match", async () => {
    const [first] = await query(undefined, { ll: "60.1,24.9" });
    expect([first?.id, first?.match, feature(first, "noName")]).toEqual([host.ids.tea, false, -3]);
  });
});

describe("a reconciliation query without a position", () => {
  test("is never matched by name alone, however rare the name", async () => {
    const [first, second] = await query("Grand Juniper Hotel", { address: "1 Some Street" });
    expect([first?.id, first?.match, second]).toEqual([host.ids.hotel, false, undefined]);
    expect(first?.score).toBeLessThan(90);
    expect(feature(first, "noPosition")).toBe(-4);
  });

  test("splits the probability among the shops of a chain, and distinguishes them by address", async () => {
    const chain = await query("Zebra Burger");
    expect(chain).toHaveLength(3);
    for (const shop of chain) expect(shop.score).toBeLessThan(34);
    expect(feature(chain[0], "rivals")).toBeLessThan(-1);
    const [first, second] = await query("Zebra Burger", { address: "9 Oak Rd." });
    expect(first?.id).toBe(host.ids.chainTwo);
    expect(first?.score).toBeGreaterThan(1.5 * (second?.score ?? 100));
  });

  test("is matched when name and telephone number agree", async () => {
    const [first] = await query("Grand Juniper Hotel", { phone: "09-555 0199" });
    expect(first).toMatchObject({ id: host.ids.hotel, match: true });
  });

  test("is not matched by the telephone number of another venue", async () => {
    const candidates = await query("Quiet Lantern Tea House", { phone: "09-555 0199" });
    expect(candidates.map(({ match }) => match)).toEqual(candidates.map(() => false));
    expect(candidates.map(({ id }) => id)).toEqual([host.ids.tea]);
  });

  test("finds a venue by telephone number alone, without a match", async () => {
    const [first] = await query(undefined, { phone: "09-555 0199" });
    expect([first?.id, first?.match]).toEqual([host.ids.hotel, false]);
    expect(first?.score).toBeGreaterThan(50);
  });

  test("searches the town that it names, with a higher score there", async () => {
    const inTown = await query("Zebra Burger", { city: "northwick" });
    expect(inTown.map(({ id }) => id).toSorted()).toEqual([host.ids.chainOne, host.ids.chainTwo].toSorted());
    expect(feature(inTown[0], "noPosition")).toBe(-3);
    const [only] = await query("Zebra Burger", { city: "Southwick" });
    expect([only?.id, only?.match]).toEqual([host.ids.chainThree, false]);
    expect(only?.score).toBeGreaterThan(80);
    expect(await query("Grand Juniper Hotel", { city: "Southwick" })).toEqual([]);
  });

  test("searches around the postal code first, and in the town when the code is unknown", async () => {
    const [inDistrict] = await query("Quiet Lantern Tea House", { zip: "00150", city: "Southwick" });
    expect([inDistrict?.id, feature(inDistrict, "noPosition")]).toEqual([host.ids.tea, -2]);
    const [inTown] = await query("Quiet Lantern Tea House", { zip: "99999", city: "Northwick" });
    expect([inTown?.id, feature(inTown, "noPosition")]).toEqual([host.ids.tea, -3]);
  });

  test("searches everywhere when its place is unknown", async () => {
    const [first] = await query("Grand Juniper Hotel", { city: "Atlantis", state: "Nowhere", country: "Xx" });
    expect([first?.id, feature(first, "noPosition")]).toEqual([host.ids.hotel, -4]);
  });

  test("finds nothing for words of no venue", async () => {
    expect(await query(undefined, { city: "Northwick", colour: "red" })).toEqual([]);
  });
});

describe("a reconciliation query with an id as name", () => {
  test("gets its venue as a match", async () => {
    const [first, ...others] = await query(host.ids.tea);
    expect(first).toMatchObject({ id: host.ids.tea, score: 100, match: true });
    expect(others.map(({ match }) => match)).toEqual(others.map(() => false));
  });

  test("gets no match for an imported id that may also be a name", async () => {
    await host.deps.pool.query("UPDATE directory.venue SET id = '1984' WHERE id = $1", [host.ids.chainThree]);
    const [first] = await query("1984");
    expect(first).toMatchObject({ id: "1984", score: 100, match: false });
    await host.deps.pool.query("UPDATE directory.venue SET id = $1 WHERE id = '1984'", [host.ids.chainThree]);
  });
});

test.each([
  [undefined, 3],
  [1, 1],
  ["2", 2],
  [1000, 3],
])("a reconciliation limit of %s returns %i candidates", async (limit, count) => {
  expect(await query("Zebra Burger", {}, { limit })).toHaveLength(count);
});
