import { expect, it } from "vitest";
import { type MapTile, mapTileResponse } from "../../../src/contract/map.ts";
import { decodeLine } from "../../../src/directory/map/lines.ts";
import { refreshPlaces } from "../../../src/directory/places/refresh.ts";
import { apiHost } from "../api/host.ts";

const host = await apiHost({ sample: true });

async function tileAt(z: number, x: number, y: number): Promise<MapTile> {
  const { status, body } = await host.userless("/v2/map/tile", { z, x, y });
  expect(status).toBe(200);
  return mapTileResponse.parse(body.response).tile;
}

const DOWNTOWN = [12, 1235, 1523] as const;

it("the tile of downtown has the sample's streets with their names, their town, and the land with its attribution", async () => {
  const { streets, towns, areas, credit } = await tileAt(...DOWNTOWN);
  const names = streets.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["Westminster St", "Thayer St", "Dorrance St", "Broad St"]));
  expect(towns[0]?.name).toBe("Providence");
  expect(areas.map(({ name }) => name)).toContain("02903");
  expect(credit).toBe("Boundaries: U.S. Census Bureau");
});

it("a coarser tile has only long streets, and the tile of the world only towns", async () => {
  const [fine, coarse, world] = [await tileAt(...DOWNTOWN), await tileAt(9, 154, 190), await tileAt(0, 0, 0)];
  expect(coarse.streets.length).toBeGreaterThan(50);
  expect(coarse.streets.map(({ name }) => name)).not.toContain("Dorrance St");
  expect(coarse.streets[0]?.line.length).toBeLessThan(200);
  expect(fine.streets.length).toBeGreaterThan(100);
  expect([world.streets, world.areas, world.towns.length]).toEqual([[], [], 60]);
});

it("streets follow the venues: a new one appears and an old one goes with the next refresh", async () => {
  const { pool } = host.deps;
  await pool.query("DELETE FROM directory.venue WHERE address ILIKE '%dorrance%'");
  await pool.query(
    "UPDATE directory.venue SET address = replace(address, 'Thayer St', 'New Name Rd') WHERE address LIKE '%Thayer St%'",
  );
  const before = await pool.query("SELECT xmin, id FROM directory.street WHERE name = 'Westminster St'");
  const client = await pool.connect();
  await refreshPlaces(client).finally(() => client.release());
  const names = (await tileAt(...DOWNTOWN)).streets.map(({ name }) => name);
  expect(names).toContain("New Name Rd");
  expect(names.filter((name) => name === "Dorrance St" || name === "Thayer St")).toEqual([]);
  // What has not changed is not written again.
  const after = await pool.query("SELECT xmin, id FROM directory.street WHERE name = 'Westminster St'");
  expect(after.rows).toEqual(before.rows);
});

it.each([
  [{ z: 13, x: 0, y: 0 }, "z must be a whole number from 0 to 12"],
  [{ z: 11, x: 0, y: 0 }, "z must be one of 0, 3, 6, 9, 12."],
  [{ z: 3, x: 8, y: 0 }, "At z=3, x and y must be less than 8."],
])("the tile %o is refused with what is possible", async (fields, message) => {
  const { status, body } = await host.userless("/v2/map/tile", fields);
  expect([status, body.meta.errorDetail]).toEqual([400, expect.stringContaining(message)]);
});

it("a venue at no known street is a spot with its name", async () => {
  const { names = [], line = "" } = (await tileAt(12, 1232, 1523)).spots ?? {};
  expect(names.length).toBeGreaterThan(0);
  expect(decodeLine(line)).toHaveLength(names.length);
  expect((await tileAt(9, 154, 190)).spots).toEqual({ names: [], line: "" });
});
