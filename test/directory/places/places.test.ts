import { beforeAll, describe, expect, test } from "vitest";
import { refreshStalePlaces } from "../../../src/directory/places/refresh.ts";
import { distanceBetween } from "../../../src/matching/distance.ts";
import { testDatabase } from "../../support/database/database.ts";
import { found, refresh, settle, settleProvidence } from "../venues/towns.ts";

const { pool, prisma } = (await testDatabase()).database;
const place = (kind: string, nameNorm: string, state = "RI") =>
  prisma.place.findFirst({ where: { kind, nameNorm, state } });

beforeAll(async () => {
  await settleProvidence(pool);
  await settle(pool, { city: "Providence", state: "R.I.", zip: "02903", cc: "US", at: [0, 0] });
  await settle(pool, { city: "Albany", state: "NY", zip: "12207", cc: "US", at: [42.65, -73.75], venues: 20 });
  await settle(pool, { city: "Taveuni", cc: "FJ", at: [-16.85, 179.98], venues: 40 });
  await settle(pool, { city: "Taveuni", cc: "FJ", at: [-16.85, -179.98], venues: 10 });
  await settle(pool, { at: [10, 10] });
  await refresh(pool);
});

describe("the gathered places", () => {
  test("lie in the middle of their venues and enclose nearly all of them, despite outliers", async () => {
    const providence = await place("city", "providence");
    expect(providence?.venues).toBe(103);
    expect(distanceBetween(providence ?? { lat: 0, lng: 0 }, { lat: 41.824, lng: -71.402 })).toBeLessThan(2000);
    expect(providence?.south).toBeGreaterThan(41.8);
    expect(providence?.east).toBeLessThan(-71.37);
  });

  test("merge different spellings, and show the most frequent one", async () => {
    const cities = await prisma.place.findMany({ where: { kind: "city", nameNorm: "providence" } });
    expect(cities.map(({ name, state }) => [name, state])).toEqual([["Providence", "RI"]]);
    const states = await prisma.place.findMany({
      where: { kind: "state", nameNorm: { in: ["ri", "rhode island", "r i"] } },
    });
    expect(states.map(({ name, venues }) => [name, venues])).toEqual([["Rhode Island", 103]]);
    expect((await place("zip", "02906"))?.venues).toBe(42);
  });

  test("that cross the 180th meridian have their middle near it", async () => {
    const taveuni = await place("city", "taveuni", "");
    if (!taveuni) throw new Error("no Taveuni");
    expect(Math.abs(taveuni.lng)).toBeGreaterThan(179.9);
    expect(taveuni.west).toBeGreaterThan(179);
    expect(taveuni.east).toBeLessThan(-179);
  });

  test("disappear with their last venue, and are not rewritten when unchanged", async () => {
    await settle(pool, { city: "Ghost Town", state: "NV", at: [38, -117] });
    await refresh(pool);
    const versions = () =>
      pool.query("SELECT name_norm, xmin::text FROM directory.place WHERE name_norm <> 'ghost town'");
    const before = (await versions()).rows.filter(({ name_norm }) => name_norm !== "nv");
    await pool.query("DELETE FROM directory.venue WHERE city = 'Ghost Town'");
    expect(await place("city", "ghost town", "NV")).not.toBeNull();
    await refresh(pool);
    expect(await place("city", "ghost town", "NV")).toBeNull();
    expect((await versions()).rows).toEqual(before);
  });
});

describe("a refresh of the places", () => {
  test("blocks no reader, and keeps places added meanwhile", async () => {
    await settle(pool, { city: "Newtown", state: "CT", at: [41.41, -73.3] });
    const spread = { lat: 1, lng: 1, south: 1, west: 1, north: 1, east: 1, venues: 1 };
    const data = { kind: "city", nameNorm: "newtown", state: "CT", cc: "", name: "Newtown", ...spread };
    let refreshing: Promise<void> | undefined;
    await prisma.$transaction(async (tx) => {
      await tx.place.create({ data }); // the refresh waits for this row when it comes to write
      refreshing = refresh(pool);
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query ~ '^\\s*INSERT INTO directory.place'`;
      while ((await pool.query(waiting)).rowCount === 0);
      expect(await found(pool, "Albany, NY")).toBe("Albany NY");
      await prisma.place.create({ data: { ...data, nameNorm: "meanwhile", name: "Meanwhile" } });
      expect(await found(pool, "Meanwhile")).toBe("Meanwhile CT");
    });
    await refreshing;
    expect(await found(pool, "Meanwhile")).toBe("Meanwhile CT");
    expect((await place("city", "newtown", "CT"))?.lat).toBeCloseTo(41.4, 1);
  });

  test("in housekeeping waits until PostgreSQL has analyzed the venues again", async () => {
    await refresh(pool);
    await prisma.place.deleteMany({ where: { nameNorm: "albany" } });
    await refreshStalePlaces(pool);
    expect(await found(pool, "Albany")).toBe("failed_geocode");
    await pool.query("ANALYZE directory.venue");
    await refreshStalePlaces(pool);
    expect(await found(pool, "Albany")).toBe("Albany NY");
  });

  test("in housekeeping fills a database that predates the places at once", async () => {
    await pool.query("DELETE FROM directory.setup_step WHERE name = 'places and streets'");
    await prisma.place.deleteMany({});
    await refreshStalePlaces(pool);
    expect(await found(pool, "Albany")).toBe("Albany NY");
  });
});
