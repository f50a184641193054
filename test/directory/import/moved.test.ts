import { expect, test } from "vitest";
import { KEPT } from "../../../src/directory/import/move-venues.ts";
import { COLUMNS } from "../../../src/directory/import/venue-row.ts";
import { tileOf } from "../../../src/directory/venues/tiles.ts";
import { HEADER, importing } from "./importing.ts";

const { database, write, run, venues } = await importing();

test("an import gives a venue that has moved its new tile, and one without a tile its own, and counts what has changed", async () => {
  const at = (lat: number) => write("moving.csv", `${HEADER}1,Theatre,${lat},20.5,Town,,\n2,Cafe,10,20.5,Town,,\n`);
  await run(at(10));
  expect(await run(at(12))).toMatchObject({ imported: 0, updated: 1, unchanged: 1 });
  await database.pool.query("UPDATE directory.venue SET tile = NULL WHERE name = 'Cafe'"); // as the former release stores it
  expect(await run(at(12))).toMatchObject({ imported: 0, updated: 0, unchanged: 2 });
  const tiles = (await venues()).map(({ name, tile }) => [name, tile]);
  expect(tiles).toEqual([
    ["Cafe", tileOf({ lat: 10, lng: 20.5 })],
    ["Theatre", tileOf({ lat: 12, lng: 20.5 })],
  ]);
});

test("an import writes or keeps every column of a venue", async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'directory' AND table_name = 'venue'",
  );
  expect([...COLUMNS, ...KEPT].sort()).toEqual(rows.map(({ name }) => name).sort());
});
