import { beforeAll, expect, test } from "vitest";
import { locateResponse } from "../../../../src/contract/addresses.ts";
import { revertChange } from "../../../../src/directory/corrections/revert.ts";
import { apiHost, freshVenue, venueOf, venuesOf } from "../host.ts";

const host = await apiHost({ sample: true });
const BESIDE = { ll: "41.8700,-71.3700", city: "Providence", state: "RI" };
const NAME = "Vermilion Walrus Tavern";
const byAddress = { ...BESIDE, name: NAME, address: "101 Zebulon Quay", positionByAddress: "true" };
const venue = (id: string) => host.userless(`/v2/venues/${id}`).then(venueOf);
const edit = (fields: Record<string, string>) => host.asUser("/v2/venues/edit", fields, { method: "POST" });
const best = async (listing: Record<string, string>) =>
  venuesOf(await host.userless("/v2/venues/search", { intent: "match", minScore: "0", ...listing }))[0];

let id = "";
beforeAll(async () => {
  id = venueOf(await host.asUser("/v2/venues/add", freshVenue(byAddress))).id;
});

test("C74: a venue added at the position of its address says so, in the API and on its page", async () => {
  expect(await venue(id)).toMatchObject({ name: NAME, positionByAddress: true });
  expect(await best({ ...BESIDE, name: NAME })).toMatchObject({ id, positionByAddress: true });
  const page = await host.send("GET", `/venues/${id}`);
  expect(page.text).toContain("41.87000, -71.37000 (estimated from the address)");
  const other = venueOf(await host.asUser("/v2/venues/add", freshVenue({ ...BESIDE, name: "Cobalt Ferret Bakery" })));
  expect(await venue(other.id)).not.toHaveProperty("positionByAddress");
  const { body } = await host.asUser("/v2/venues/add", freshVenue({ positionByAddress: "maybe" }));
  expect(body.meta).toMatchObject({ code: 400, errorDetail: "positionByAddress must be true or false." });
});

test("C74: such a position is no evidence of its own: scores are lower, and no other address is located by it", async () => {
  const listing = { ...BESIDE, name: NAME, address: "101 Zebulon Quay" };
  const found = await best(listing);
  expect(found?.evidence).toContainEqual({
    ...{ comparison: "positionByAddress", weight: -1, text: "position known by the address only" },
  });
  const locate = async (address: string) =>
    locateResponse.parse(
      (await host.userless("/v2/addresses/locate", { address, near: "Providence, RI" })).body.response,
    ).position;
  expect([await locate("101 Zebulon Quay"), await locate("103 Zebulon Quay")]).toEqual([undefined, undefined]);
  const moved = await edit({ venueId: id, ll: "41.8701,-71.3701" });
  expect(venueOf(moved)).not.toHaveProperty("positionByAddress");
  const placed = await best({ ...listing, ll: "41.8701,-71.3701" });
  expect(placed?.score).toBeGreaterThan(found?.score ?? 1);
  expect(placed?.evidence?.map(({ comparison }) => comparison)).not.toContain("positionByAddress");
  expect((await locate("101 Zebulon Quay"))?.lat).toBe(41.8701);
  const { change } = moved.body.response as { change: { id: string } };
  await revertChange(host.deps, change.id, { userId: host.user.userId });
  expect(await venue(id)).toMatchObject({ location: { lat: 41.87 }, positionByAddress: true });
});

test("an edit of anything but the position leaves the mark", async () => {
  const { positionByAddress } = venueOf(await edit({ venueId: id, phone: "+1 401 555 0123" }));
  expect(positionByAddress).toBe(true);
});
