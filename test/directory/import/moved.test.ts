import { expect, test } from "vitest";
import { editVenue } from "../../../src/directory/corrections/edit.ts";
import { mergeVenue } from "../../../src/directory/corrections/merge.ts";
import { revertChange } from "../../../src/directory/corrections/revert.ts";
import { KEPT } from "../../../src/directory/import/move-venues.ts";
import { COLUMNS } from "../../../src/directory/import/venue-row.ts";
import { tileOf } from "../../../src/directory/venues/tiles.ts";
import { HEADER, importing } from "./importing.ts";

const { database, write, run, venues } = await importing();

const moving = (lat: number) => write("moving.csv", `${HEADER}1,Theatre,${lat},20.5,Town,,\n2,Cafe,10,20.5,Town,,\n`);

test("an import gives a venue that has moved its new tile, and counts what has changed", async () => {
  await run(moving(10));
  expect(await run(moving(12))).toMatchObject({ imported: 0, updated: 1, unchanged: 1 });
  const tiles = (await venues()).map(({ name, tile }) => [name, tile]);
  expect(tiles).toContainEqual(["Theatre", tileOf({ lat: 12, lng: 20.5 })]);
});

test("a venue that an operator merged into another stays merged when it is imported again, until the merge is reverted", async () => {
  const file = write("merged.csv", `${HEADER}1,Theatre,10,20.5,Town,,\n2,Cafe,10,20.5,Town,,\n`);
  await run(file, { keepIds: true });
  const change = await mergeVenue(database, { id: "1", into: "2" }, { userId: "olga" });
  expect(await run(file, { keepIds: true })).toMatchObject({ imported: 0, updated: 0, unchanged: 2 });
  expect((await venues()).map(({ name }) => name)).toEqual(["Cafe"]);
  await revertChange(database, change, { userId: "olga" });
  expect(await run(file, { keepIds: true })).toMatchObject({ imported: 0, updated: 0, unchanged: 2 });
  expect((await venues()).map(({ name }) => name)).toEqual(["Cafe", "Theatre"]);
});

test("C40: an import keeps what was edited until that is reverted, and updates the other values", async () => {
  const by = { userId: "olga", clientId: null, isOperator: true };
  const at = (city: string) => `${HEADER}1,Theatre,10,20.5,${city},,\n2,Cafe,10,20.5,Town,,\n`;
  await run(write("edited.csv", at("Town")), { keepIds: true });
  const wanted = { name: "Playhouse", ll: "12,20.5" };
  const renamed = await editVenue(database, { id: "1", wanted, was: undefined }, by);
  const closed = await editVenue(database, { id: "2", wanted: { closed: "true" }, was: undefined }, by);
  const again = write("edited.csv", at("City"));
  expect(await run(again, { keepIds: true })).toMatchObject({ imported: 0, updated: 1, unchanged: 1 });
  expect(await venues()).toMatchObject([
    { name: "Cafe", closed_at: expect.any(Date) },
    { name: "Playhouse", name_norm: "playhouse", lat: 12, city: "City", tile: tileOf({ lat: 12, lng: 20.5 }) },
  ]);
  for (const change of [renamed, closed]) await revertChange(database, change, by);
  await run(again, { keepIds: true });
  expect(await venues()).toMatchObject([
    { name: "Cafe", closed_at: null },
    { name: "Theatre", name_norm: "theatre", lat: 10, city: "City", tile: tileOf({ lat: 10, lng: 20.5 }) },
  ]);
});

test("an import writes or keeps every column of a venue", async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'directory' AND table_name = 'venue'",
  );
  const opened = "closed_at"; // what is imported again is open
  const estimated = "position_by_address"; // of venues that users added, which no import changes
  expect([...COLUMNS, ...KEPT, opened, estimated].sort()).toEqual(rows.map(({ name }) => name).sort());
});
