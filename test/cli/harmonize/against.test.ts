import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { placeIdOf, storePlaces, venueIdOf } from "../../../src/cli/harmonize/against.ts";
import { readConfig } from "../../../src/config/config.ts";
import { directoryDeps } from "../../../src/directory/deps.ts";
import { importVenues } from "../../../src/directory/import/import-venues.ts";
import { VENUE_ID } from "../../../src/directory/venues/find.ts";
import { testDatabase } from "../../support/database/database.ts";
import { PRODUCTION } from "../../support/production.ts";
import { dataFolder } from "../../support/samespot.ts";

const LETTERS = [..."aZ09 _.:-%/\\?#&+'\"(),;*!~|\t\nÖßłş店舗ع🏪\u0000", "\ud800", "%3A", ":3A", "::"];
const LENGTHS = [1, 2, 3, 5];

test("F129: each id of a place becomes a venue id of its own, which leads back to it", () => {
  const ids = LETTERS.flatMap((first) => LETTERS.flatMap((last) => LENGTHS.map((times) => first.repeat(times) + last)));
  const short = ids.filter((id) => encodeURIComponent(id.toWellFormed()).length <= 40);
  const venueIds = short.map((id) => venueIdOf(id, "line 2"));
  expect(venueIds.filter((id) => !VENUE_ID.test(id))).toEqual([]);
  expect(venueIds.map(placeIdOf)).toEqual(short.map((id) => id.toWellFormed()));
  expect(new Set(venueIds).size).toBe(new Set(short.map((id) => id.toWellFormed())).size);
});

test("F129: places of which a former run stored some are all stored, and none is taken for one that comes twice", async () => {
  const { database } = await testDatabase();
  const folder = dataFolder();
  mkdirSync(folder, { recursive: true });
  const file = (name: string, rows: number) => {
    const lines = Array.from({ length: rows }, (_, index) => `${index},Shop ${index},${41 + index / 10_000},-71.5`);
    writeFileSync(path.join(folder, name), `id,name,lat,lng\n${lines.join("\n")}\n`);
    return path.join(folder, name);
  };
  const config = readConfig({ ...PRODUCTION, DATA_DIR: folder });
  const deps = directoryDeps({ config, database });
  await importVenues({ ...deps, file: file("some.csv", 30), keepIds: true, idOf: venueIdOf, replace: false });
  const said: string[] = [];
  const context = { config, database, deps, urls: {} as never, applied: [], signal: new AbortController().signal };
  const places = file("all.csv", 70);
  for (let times = 0; times < 2; times++) await storePlaces(context, { places }, (words) => said.push(words));
  expect(said).toEqual(["Reading the places of all.csv", expect.stringMatching(/^70 places \([\d.]+ s\)$/)]);
});
