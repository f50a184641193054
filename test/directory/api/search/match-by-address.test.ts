import { beforeAll, describe, expect, test } from "vitest";
import { distanceBetween } from "../../../../src/matching/distance.ts";
import { apiHost, freshVenue, venueOf, venuesOf } from "../host.ts";

const host = await apiHost({ sample: true });
const NEAR = "Providence, RI";

const matched = async (fields: Record<string, string | number>) => {
  const { body } = await host.userless("/v2/venues/search", { intent: "match", near: NEAR, ...fields });
  return { venues: venuesOf({ body } as never), ...(body.response as Partial<Answer>) };
};
interface Answer {
  position: { lat: number; lng: number; estimated: boolean };
  confident: boolean;
}
const add = async (name: string, address: string, ll: string) =>
  venueOf(await host.asUser("/v2/venues/add", freshVenue({ name, address, city: "Providence", state: "RI", ll }))).id;

const HOUSES = [
  ["Vermilion Walrus Tavern", "101 Zebulon Quay", "41.8100,-71.4000"],
  ["Cobalt Ferret Bakery", "141 Zebulon Quay", "41.8120,-71.4000"],
  ["Umber Newt Records", "9 Quillon Mews", "41.8500,-71.3900"],
] as const;
let [walrus, newt] = ["", ""];
beforeAll(async () => {
  const added: string[] = [];
  for (const [name, address, ll] of HOUSES) added.push(await add(name, address, ll));
  [walrus = "", , newt = ""] = added;
});

describe("a listing with an address and no position", () => {
  test("C72: is matched at the venues with its house number, surely but less than with a position", async () => {
    const [name, address, ll] = HOUSES[0];
    const byAddress = await matched({ name, address });
    const placed = await matched({ name, address, ll });
    expect(byAddress.venues[0]?.id).toBe(walrus);
    expect(byAddress.confident).toBe(true);
    expect(byAddress.position).toEqual({ lat: 41.81, lng: -71.4, estimated: false });
    expect(byAddress.venues[0]?.score).toBeLessThan(placed.venues[0]?.score ?? 0);
    expect(byAddress.venues[0]?.evidence).toContainEqual({
      ...{ comparison: "positionByAddress", weight: -1, text: "position known by the address only" },
    });
    expect(placed).not.toHaveProperty("position");
  });

  test("is matched at a point between the house numbers of the street if no venue has its own", async () => {
    const { position, venues } = await matched({ name: "Walrus Tavern", address: "121 Zebulon Quay", minScore: 0.05 });
    expect(position?.estimated).toBe(true);
    expect(distanceBetween(position as Answer["position"], { lat: 41.811, lng: -71.4 })).toBeLessThan(5);
    expect(venues[0]?.id).toBe(walrus);
  });

  test("is found elsewhere in the town if nothing at its address is like it", async () => {
    const { position, venues, confident } = await matched({ name: "Umber Newt Records", address: "101 Zebulon Quay" });
    expect([position?.estimated, venues[0]?.id, confident]).toEqual([false, newt, false]);
  });

  test("is matched by the town alone if the directory does not know its street", async () => {
    const { position, venues } = await matched({ name: "Umber Newt Records", address: "5 Unheard-of Parade" });
    expect([position, venues[0]?.id]).toEqual([undefined, newt]);
    expect(venues[0]?.evidence?.map(({ comparison }) => comparison)).not.toContain("positionByAddress");
  });
});
