import { describe, expect, it } from "vitest";
import { type LocatedAddress, locateResponse } from "../../../../src/contract/addresses.ts";
import { resolvePlace } from "../../../../src/directory/places/geocode.ts";
import { locateAddresses } from "../../../../src/directory/venues/search/locate-addresses.ts";
import { distanceBetween } from "../../../../src/matching/distance.ts";
import { apiHost, freshVenue } from "../host.ts";

const host = await apiHost({ sample: true });

async function locate(address: string, near = "Providence, RI"): Promise<LocatedAddress | undefined> {
  const { status, body } = await host.userless("/v2/addresses/locate", { address, near });
  expect(status).toBe(200);
  return locateResponse.parse(body.response).position;
}

const THAYER_300 = { lat: 41.8289, lng: -71.4007 };

/** A number between those of venues that none of them has. */
async function gapOnThayer(): Promise<number> {
  const { rows } = await host.deps.pool.query<{ number: number }>(
    "SELECT DISTINCT substring(address from '^[0-9]+')::int AS number FROM directory.venue WHERE address ~ '^[0-9]+ Thayer St'",
  );
  const known = new Set(rows.map(({ number }) => number));
  return Array.from({ length: 60 }, (_, at) => 250 + at).find((number) => !known.has(number)) as number;
}

describe("the position of an address", () => {
  it.each(["300 Thayer St", "300 thayer street", "300 Thayer Street, Suite 2"])(
    "is that of the venues with the house number: %s",
    async (address) => {
      const found = await locate(address);
      expect(found?.estimated).toBe(false);
      expect(distanceBetween(found ?? { lat: 0, lng: 0 }, THAYER_300)).toBeLessThan(150);
    },
  );

  it("is estimated between the neighbours if no venue has the number", async () => {
    const gap = await gapOnThayer();
    const found = await locate(`${gap} Thayer St`);
    expect(found?.estimated).toBe(true);
    expect(distanceBetween(found as LocatedAddress, THAYER_300)).toBeLessThan(400);
  });

  it.each([
    ["300 Nowhere Blvd", "Providence, RI"],
    ["9999 Thayer St", "Providence, RI"],
    ["300 Thayer St", "Newport, RI"],
    ["Thayer St", "Providence, RI"],
    ["PO Box 300", "Providence, RI"],
    ["300 Thayer St", "Atlantis"],
  ])("is missing where the directory knows too little: %s, %s", async (address, near) => {
    expect(await locate(address, near)).toBeUndefined();
  });

  it("C75: is looked for in the town that is named, although its neighbours have streets of the same name", async () => {
    const towns = ["Newport, RI", "Westerly, RI", "Bristol, RI", "Warren, RI"];
    const { rows } = await host.deps.pool.query<{ address: string; city: string; lat: number; lng: number }>(
      "SELECT address, city, lat, lng FROM directory.venue WHERE address ~ '^[0-9]+ Main St$' AND city || ', RI' = ANY ($1)",
      [towns],
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const { address, city, ...at } of rows)
      expect(distanceBetween((await locate(address, `${city}, RI`)) as LocatedAddress, at), address).toBeLessThan(
        3_000,
      );
  });

  it("C75: is not that of a venue which is within the bounds of the town, but in another by its address", async () => {
    const { place } = await resolvePlace(host.deps.pool, "Warren, RI");
    const add = (name: string, more: Record<string, string>) =>
      host.asUser("/v2/venues/add", freshVenue({ name, ll: `${place.lat},${place.lng}`, state: "RI", ...more }));
    await add("Quibblethorn Inn", { address: "12 Quibblethorn St", city: "Bristol" });
    expect(await locate("12 Quibblethorn St", "Warren, RI")).toBeUndefined();
    await add("Marzipan Depot", { address: "12 Quibblethorn St", city: "Warren" });
    expect(await locate("12 Quibblethorn St", "Warren, RI")).toBeDefined();
  });

  it("is the same for many addresses at once as for each", async () => {
    const { place } = await resolvePlace(host.deps.pool, "Providence, RI");
    const addresses = [
      "300 Thayer St",
      `${await gapOnThayer()} Thayer St`,
      "nonsense",
      "11 Dorrance St",
      "66 Fountain Street",
    ];
    const together = await locateAddresses(
      host.deps.pool,
      addresses.map((address) => ({ address, place })),
    );
    expect(together).toEqual(await Promise.all(addresses.map((address) => locate(address))));
    expect(together.map((each) => each?.estimated)).toEqual([false, true, undefined, false, false]);
  });
});
