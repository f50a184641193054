import { beforeAll, describe, expect, test } from "vitest";
import { boundsOf, presentGeocode, resolvePlace } from "../../../src/directory/places/geocode.ts";
import { distanceBetween } from "../../../src/matching/distance.ts";
import { testDatabase } from "../../support/database/database.ts";
import { found, refresh, settle, settleProvidence } from "../venues/towns.ts";

const { pool } = (await testDatabase()).database;

beforeAll(async () => {
  await settleProvidence(pool);
  await settle(pool, { city: "Springfield", state: "IL", zip: "62701", cc: "US", at: [39.8, -89.65], venues: 9 });
  await settle(pool, { city: "Springfield", state: "MA", zip: "01103", cc: "US", at: [42.1, -72.59], venues: 5 });
  await settle(pool, { city: "New York", state: "NY", zip: "10001", cc: "US", at: [40.75, -73.99], venues: 9 });
  await settle(pool, { city: "Albany", state: "NY", zip: "12207", cc: "US", at: [42.65, -73.75], venues: 20 });
  await settle(pool, { city: "Paris", zip: "75001", cc: "FR", at: [48.86, 2.34], venues: 3 });
  await settle(pool, { city: "Zürich", state: "ZH", zip: "8001", cc: "CH", at: [47.37, 8.54], venues: 3 });
  await settle(pool, { city: "St. John's", state: "NL", zip: "A1C 5S7", cc: "CA", at: [47.56, -52.71], venues: 3 });
  await settle(pool, { city: "Fogland", cc: "US", at: [41.55, -71.22] });
  await settle(pool, { city: "Quonset", zip: "02852", at: [41.59, -71.42] });
  await settle(pool, { city: "Lowmere", state: "RI", zip: "02888", cc: "US", at: [41.7, -71.4] });
  await settle(pool, { city: "Lowmere", at: [41.9, -71.6], venues: 5 });
  await settle(pool, { city: `"&<img src=x onerror=alert(1)>`, cc: "US", at: [30, -100] });
  await refresh(pool);
});

describe("the near text", () => {
  test.each([
    ["Providence", "Providence RI"],
    ["providence, ri", "Providence RI"],
    ["PROVIDENCE RI", "Providence RI"],
    ["Prövidéncé, R.I.", "Providence RI"],
    ["Providence, Rhode Island", "Providence RI"],
    ["Providence, RI, USA", "Providence RI"],
    ["providence rhode island united states of america", "Providence RI"],
    ["02903", "02903 RI"],
    ["02906-9999", "02906 RI"],
    ["Providence RI 02903", "02903 RI"],
    ["02903 Providence", "02903 RI"],
    ["Providence, RI 99999", "Providence RI"],
    ["12 Main St, Providence, RI 02903", "02903 RI (12 main st)"],
    ["Federal Hill, Providence", "Providence RI (federal hill)"],
    ["Rhode Island", "Rhode Island US"],
    ["RI", "Rhode Island US"],
    ["U.S.A.", "United States US"],
    ["New York", "New York NY"],
    ["New York, New York", "New York NY"],
    ["Springfield", "Springfield IL"],
    ["Springfield, Massachusetts", "Springfield MA"],
    ["75001 Paris", "75001 FR"],
    ["Paris, Île-de-France, France", "Paris FR"],
    ["Zurich, Switzerland", "Zürich ZH"],
    ["Saint John's, Newfoundland and Labrador", "St. John's NL"],
    ["a1c5s7", "A1C 5S7 NL"],
    // Towns of which no venue names the state, or the state and country.
    ["Fogland, RI", "Fogland US"],
    ["Fogland, Rhode Island, USA", "Fogland US"],
    ["Quonset, RI", "Quonset "],
    ["Quonset, USA", "Quonset "],
    ["Quonset, Rhode Island 02852, United States", "02852 "],
    ["Quonste, RI", "Quonset "],
    // Beside a town of the same name whose state is known.
    ["Lowmere", "Lowmere "],
    ["Lowmere, RI", "Lowmere RI"],
    ["Lowmere, RI 02888", "02888 RI"],
  ])("%j names %s", async (near, expected) => {
    expect(await found(pool, near)).toBe(expected);
  });

  test.each([
    ["Providance", "Providence RI"],
    ["Porvidence, RI", "Providence RI"],
    ["Federal Hill, Providense RI", "Providence RI (federal hill)"],
    ["Springfeild, MA", "Springfield MA"],
    ["Nwe York", "New York NY"],
    ["Albeny", "Albany NY"],
  ])("may be misspelled: %j names %s", async (near, expected) => {
    expect(await found(pool, near)).toBe(expected);
  });

  test.each([
    "Atlantis",
    "Nowhereville, RI",
    "Providence, MA",
    "Providence, Narnia",
    "New Providence",
    "Providance, IL",
    "Pariss, RI",
    "Paris, TX",
    "Paris, Texas, USA",
    "Fogland, Ontario",
    "Fogland, France",
    "99999",
    "12 Springfield Ave Chicago",
    "!!!",
    "%",
    "'; DROP TABLE directory.place; --",
    "$1",
    "prov%",
    "x ".repeat(100),
    ",".repeat(200),
  ])("%j names no known place", async (near) => {
    expect(await found(pool, near)).toBe("failed_geocode");
  });

  test("selects the nearest of several places for a caller with a position", async () => {
    expect(await found(pool, "Springfield", { lat: 41.8, lng: -71.4 })).toBe("Springfield MA");
    expect(await found(pool, "Springfield", { lat: 41.8, lng: -87.6 })).toBe("Springfield IL");
    expect(await found(pool, "Springfield, IL", { lat: 41.8, lng: -71.4 })).toBe("Springfield IL");
  });
});

describe("a geocode", () => {
  test("lists the matched parts of the text", async () => {
    const geocode = presentGeocode(await resolvePlace(pool, "federal hill, Providence, RI"));
    expect(geocode).toMatchObject({
      what: "federal hill",
      where: "providence ri",
      feature: {
        cc: "US",
        name: "Providence",
        displayName: "Providence, RI, United States",
        matchedName: "Providence, RI, United States",
        highlightedName: "<b>Providence</b>, <b>RI</b>, United States",
        woeType: 7,
        slug: "providence-rhode-island",
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        longId: expect.stringMatching(/^\d{10,19}$/),
      },
      parents: [],
    });
    const types = await Promise.all(["02903", "RI", "US"].map((near) => resolvePlace(pool, near).then(presentGeocode)));
    expect(types.map(({ feature }) => feature.woeType)).toEqual([11, 8, 12]);
    expect(types.map(({ feature }) => feature.slug)).toEqual(["02903-rhode-island", "rhode-island", "united-states"]);
  });

  test("C07: contains no HTML for any name of a town", async () => {
    const { feature } = presentGeocode(await resolvePlace(pool, "and img src x onerror alert 1"));
    expect(feature.name).toContain("<img");
    expect(feature.highlightedName.replace(/<\/?b>/g, "")).not.toMatch(/[<>&"]/);
  });

  test("extends at least a kilometre to each side, even across the 180th meridian and at a pole", () => {
    const dot = (lat: number, lng: number) => ({ lat, lng, south: lat, west: lng, north: lat, east: lng });
    const row = { kind: "city" as const, nameNorm: "x", state: "", cc: "", name: "x", venues: 1 };
    const { ne, sw } = boundsOf({ ...row, ...dot(41.8, -71.4) });
    expect(distanceBetween(ne, { lat: 41.8, lng: -71.4 })).toBeGreaterThan(1400);
    expect(distanceBetween(ne, sw)).toBeLessThan(3000);
    const turned = boundsOf({ ...row, ...dot(0, 179.999) });
    expect(turned.ne.lng).toBeLessThan(-179.9);
    expect(turned.sw.lng).toBeGreaterThan(179.9);
    expect(boundsOf({ ...row, ...dot(90, 0) }).ne.lat).toBe(90);
  });
});
