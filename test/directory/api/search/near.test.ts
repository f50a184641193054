import { describe, expect, test } from "vitest";
import { type Geocode, geocode as geocodeShape } from "../../../../src/contract/addresses.ts";
import type { LatLng } from "../../../../src/contract/parameters.ts";
import { distanceBetween } from "../../../../src/matching/distance.ts";
import { refresh, settle } from "../../venues/towns.ts";
import { type Answer, apiHost, DOWNTOWN, expectError, freshVenue, venueOf, venuesOf } from "../host.ts";

const host = await apiHost({ sample: true });
const search = (fields: Record<string, string | number>) => host.userless("/v2/venues/search", fields);
const add = (more: Record<string, string>) => host.asUser("/v2/venues/add", freshVenue(more));
const geocodeOf = (answer: Answer): Geocode => geocodeShape.parse(answer.body.response.geocode);
const pointsOf = (answer: Answer): LatLng[] =>
  venuesOf(answer).map(({ location: { lat = Number.NaN, lng = Number.NaN } = {} }) => ({ lat, lng }));

describe("the near parameter", () => {
  test("replaces ll, and returns the venues nearest to the middle of the place with its geocode and no distances", async () => {
    const answer = await search({ near: "Providence, RI" });
    const { what, feature } = geocodeOf(answer);
    expect(what).toBe("");
    expect(feature).toMatchObject({ cc: "US", name: "Providence", displayName: "Providence, RI, United States" });
    const { center } = feature.geometry;
    expect(distanceBetween(center, { lat: 41.824, lng: -71.4128 })).toBeLessThan(3000);
    const distances = pointsOf(answer).map((point) => distanceBetween(center, point));
    expect(distances).toHaveLength(30);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    expect(venuesOf(answer).filter(({ location }) => location && "distance" in location)).toEqual([]);
  });

  test("combines with a query, a category and a limit", async () => {
    const answer = await search({ near: "newport", query: "coffee", limit: 5 });
    expect(venuesOf(answer)).toHaveLength(5);
    for (const { location } of venuesOf(answer)) expect(location?.city).toMatch(/Newport|Middletown|Jamestown/);
  });

  test("with ll measures distances from ll, and selects the nearest of several places", async () => {
    const { pool } = host.deps;
    await settle(pool, { city: "Newport", state: "KY", cc: "US", at: [39.09, -84.49], venues: 3 });
    await refresh(pool);
    const answer = await search({ near: "Newport", ll: "39,-84" });
    expect(geocodeOf(answer).feature.displayName).toBe("Newport, KY, United States");
    const [first] = venuesOf(answer);
    expect(first?.location?.distance).toBeCloseTo(43_500, -3);
    expect(geocodeOf(await search({ near: "Newport" })).feature.displayName).toBe("Newport, RI, United States");
  });

  test("with intent=browse covers the whole place, or with a radius the area around its middle", async () => {
    const region = await search({ intent: "browse", near: "Westerly, RI", limit: 50 });
    const { bounds } = geocodeOf(region).feature.geometry;
    if (!bounds) throw new Error("no bounds");
    expect(venuesOf(region)).toHaveLength(50);
    for (const { lat, lng } of pointsOf(region)) {
      expect(lat).toBeGreaterThanOrEqual(bounds.sw.lat);
      expect(lat).toBeLessThanOrEqual(bounds.ne.lat);
      expect(lng).toBeGreaterThanOrEqual(bounds.sw.lng);
      expect(lng).toBeLessThanOrEqual(bounds.ne.lng);
    }
    const circle = await search({ intent: "browse", near: "Providence", radius: 300, limit: 50 });
    const { center } = geocodeOf(circle).feature.geometry;
    expect(venuesOf(circle).length).toBeGreaterThan(3);
    for (const point of pointsOf(circle)) expect(distanceBetween(center, point)).toBeLessThanOrEqual(300);
  });

  test("with intent=browse rejects a region above 10,000 square kilometres, but not a radius in it", async () => {
    const { pool } = host.deps;
    await settle(pool, { city: "Houston", state: "TX", cc: "US", at: [29.76, -95.37], venues: 5 });
    await settle(pool, { city: "El Paso", state: "TX", cc: "US", at: [31.76, -106.49], venues: 5 });
    await refresh(pool);
    expectError(await search({ intent: "browse", near: "Texas" }), 400, "geocode_too_big");
    expect((await search({ intent: "browse", near: "Texas", radius: 1000 })).status).toBe(200);
    expect((await search({ intent: "browse", near: "Rhode Island" })).status).toBe(200);
  });

  test("with intent=match replaces ll, which takes precedence where both are given", async () => {
    const [listing] = venuesOf(await search({ ll: DOWNTOWN, query: "starbucks", limit: 1 }));
    const name = String(listing?.name);
    const byName = await search({ intent: "match", name, near: "Providence, RI", minScore: 0 });
    expect(venuesOf(byName).length).toBeGreaterThan(0);
    expect(geocodeOf(byName).feature.name).toBe("Providence");
    const both = await search({ intent: "match", name, ll: DOWNTOWN, near: "Atlantis" });
    expect(venuesOf(both)[0]?.id).toBe(listing?.id);
    expect(both.body.response).not.toHaveProperty("geocode");
    expectError(await search({ intent: "match", name }), 400, "param_error");
  });

  test("with intent=match finds a name with a remark of several words, which alone finds nothing", async () => {
    await add({ name: "Vermilion Heron Citgo", ll: DOWNTOWN, city: "Providence", state: "RI" });
    const match = (name: string) => search({ intent: "match", name, near: "Providence, RI", minScore: 0 });
    for (const name of ["Vermilion Heron Citgo (closed Mondays)", "Vermilion Heron Citgo – Quahog Shoals Mall"])
      expect(venuesOf(await match(name))[0]?.name).toBe("Vermilion Heron Citgo");
    expect(venuesOf(await match("(closed Mondays)"))).toEqual([]);
    expect(venuesOf(await match("Vermilion Heron Citgo Quahog Shoals"))[0]?.name).toBe("Vermilion Heron Citgo");
    expect(venuesOf(await match("Cafe Quahog Shoals"))).toEqual([]);
  });

  test("with intent=match does not score by distance from the middle of the place", async () => {
    const ends = ["41.86,-71.36", "41.78,-71.46"];
    const added: string[] = [];
    for (const [at, ll] of ends.entries())
      added.push(venueOf(await add({ name: `Vermilion ${at ? "Otter" : "Walrus"} Tavern`, ll })).id);
    const near = "Providence, RI";
    const one = await search({ intent: "match", name: "Vermilion Walrus Tavern", near });
    const two = await search({ intent: "match", name: "Vermilion Otter Tavern", near });
    expect([one, two].map((answer) => venuesOf(answer)[0]?.id)).toEqual(added);
    expect(venuesOf(one)[0]?.score).toBeGreaterThan(0.8);
    expect(venuesOf(one)[0]?.score).toBeCloseTo(venuesOf(two)[0]?.score ?? 0, 2);
    expect(venuesOf(one)[0]?.evidence?.map(({ comparison }) => comparison)).toContain("noPosition");
    expect(venuesOf(one)[0]?.evidence?.map(({ comparison }) => comparison)).not.toContain("distance");
    expect([one, two].map(({ body }) => body.response.confident)).toEqual([false, false]);
  });

  test("with intent=match finds a venue by telephone number, and matches only with its name as well", async () => {
    const phone = "401-555-0163";
    const { id } = venueOf(await add({ name: "Cobalt Ferret Diner", ll: "41.81,-71.43", phone }));
    const match = async (name: string, minScore: number) => {
      const answer = await search({ intent: "match", name, near: "Providence, RI", phone, minScore });
      return { ids: venuesOf(answer).map((venue) => venue.id), confident: answer.body.response.confident };
    };
    expect(await match("Cobalt Ferret Diner", 0.5)).toEqual({ ids: [id], confident: true });
    expect((await match("Ferret Restaurant", 0.5)).ids).toEqual([id]);
    expect(await match("Umpteen Zithers", 0)).toMatchObject({ ids: expect.arrayContaining([id]), confident: false });
  });

  test("is ignored with intent=global, and rejected with a bounding box", async () => {
    expect((await search({ intent: "global", near: "Atlantis", query: "starbucks" })).status).toBe(200);
    const box = { intent: "browse", near: "Providence", sw: "41.8,-71.5", ne: "41.9,-71.4" };
    expectError(await search(box), 400, "param_error");
  });

  test("with an unknown place returns failed_geocode and the first hundred characters of the place", async () => {
    const answer = await search({ near: `Atlantis <b>${"😀".repeat(150)}` });
    expectError(answer, 400, "failed_geocode");
    expect(answer.body.meta.errorDetail).toBe(`Couldn't geocode param near: Atlantis <b>${"😀".repeat(88)}`);
  });

  test.each([{ near: "x".repeat(201) }, { near: "Provi\u0000dence" }])("rejects %j", async (fields) => {
    expectError(await search(fields), 400, "param_error");
  });

  test("C06: reads SQL as an ordinary place name", async () => {
    const places = await host.deps.prisma.place.count();
    for (const near of ["'); DROP TABLE directory.place; --", "%", "Providence' OR '1'='1", "{}", "\\"])
      expectError(await search({ near }), 400, "failed_geocode");
    expect(await host.deps.prisma.place.count()).toBe(places);
  });
});

describe("an added venue", () => {
  test("is found at once by a new town and postal code, and within their bounds", async () => {
    const added = venueOf(await add({ city: "Nuevo Puerto", state: "Rhode Island", zip: "09999-1234" }));
    for (const near of ["nuevo puerto", "Nuevo Puerto, RI", "09999", "Neuvo Puerto"]) {
      expect(venuesOf(await search({ near }))[0]?.id).toBe(added.id);
      expect(venuesOf(await search({ near, intent: "browse" })).map(({ id }) => id)).toEqual([added.id]);
    }
    const again = venueOf(await add({ city: "Nuevo Puerto", state: "RI" }));
    expect(again.id).not.toBe(added.id);
    expect(await host.deps.prisma.place.count({ where: { nameNorm: "nuevo puerto" } })).toBe(1);
  });

  test("is in the country of the nearest venue within 50 km, and otherwise in none", async () => {
    const near = venueOf(await add({ ll: "41.99,-71.99", state: "MA" }));
    expect(near.location).toMatchObject({ cc: "US", country: "United States", state: "MA" });
    const far = venueOf(await add({ ll: "41.8,-74" }));
    expect(far.location).not.toHaveProperty("cc");
    const stateless = venueOf(await add({ ll: "41.83,-71.42" }));
    expect(stateless.location).toMatchObject({ cc: "US" });
    expect(stateless.location).not.toHaveProperty("state");
  });

  test("is in the country of its neighbour across the 180th meridian", async () => {
    await settle(host.deps.pool, { cc: "FJ", at: [-16.8, 179.98] });
    expect(venueOf(await add({ ll: "-16.8,-179.99" })).location?.cc).toBe("FJ");
  });

  test("C07: cannot put HTML into the geocode of another call", async () => {
    await add({ city: '<img src=x onerror="x">ville' });
    const { feature } = geocodeOf(await search({ near: '<img src=x onerror="x">ville' }));
    expect(feature.highlightedName).toBe("<b>img src=x onerror=xville</b>");
  });
});
