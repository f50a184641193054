import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { type BeginOptions, beginOrGoOn } from "../../../src/cli/harmonize/begin.ts";
import { chosenColumns } from "../../../src/files/chosen-columns.ts";
import { textRows, workbookOf } from "../../harmonize/formats/workbooks.ts";
import { startHarmonizer } from "../../harmonize/harmonizer.ts";
import { makeAccount } from "../../harmonize/rows.ts";
import { dataFolder } from "../../support/samespot.ts";

const { deps, database } = await startHarmonizer();
const { prisma } = database;
const folder = dataFolder();
mkdirSync(folder, { recursive: true });
const FILE = path.join(folder, "shops.csv");
const write = (text: string) => writeFileSync(FILE, text);

const begin = (more: Partial<BeginOptions> = {}) =>
  beginOrGoOn(deps, { file: FILE, again: false, ...more }, AbortSignal.timeout(10_000));

beforeEach(async () => {
  await prisma.harmonization.deleteMany();
  write("id,name,lat,lng\n7,Corner Coffee,41.8236,-71.4222\n");
});

test("a new run starts with the columns, threshold and earlier edition given as options", async () => {
  const before = await begin();
  await prisma.harmonization.update({ where: { id: before.id }, data: { state: "ready" } });
  const run = await begin({ columns: "name=1,id=2", acceptFrom: 0.9, previous: before.id });
  expect(run).toMatchObject({ state: "reading", name: "shops.csv", accountId: null, previousId: before.id });
  expect(run.columns).toEqual({ name: 0, id: 1, lat: 2, lng: 3 });
  expect(run.acceptFrom).toBeCloseTo(0.9);
});

test("an unfinished run continues for the same bytes, but not for other bytes or another owner", async () => {
  const ada = await makeAccount(database, "Ada", deps.directoryUrl);
  await prisma.account.update({ where: { id: ada }, data: { handle: "ada" } });
  const first = await begin();
  await prisma.harmonization.update({ where: { id: first.id }, data: { pausedFor: "person" } });
  expect(await begin()).toMatchObject({ id: first.id, pausedFor: null });
  const others = [await begin({ again: true }), await begin({ user: "Ada" })];
  write("id,name,lat,lng\n7,Corner Coffee,41.8236,-71.4223\n");
  others.push(await begin());
  expect(new Set([first.id, ...others.map(({ id }) => id)]).size).toBe(4);
  expect(others[1]?.accountId).toBe(ada);
});

test("a run whose file has been read cannot be read with other options", async () => {
  await begin();
  for (const more of [{ separator: ";" }, { columns: "name=1" }, { encoding: "windows-1252" }] as const)
    await expect(begin(more)).rejects.toThrow("Start a new run with --again.");
});

test("the same command continues a run whose file has been read, whatever its file options", async () => {
  const options = { separator: ",", encoding: "utf-8", columns: "lat=4,lng=3,id=none" } as const;
  const { id, columns } = await begin(options);
  expect(await begin(options)).toMatchObject({ id, columns });
  expect(await begin({ columns: "lng=lat,lat=lng" })).toMatchObject({ id, columns });
  expect(columns).toEqual({ name: 1, lat: 3, lng: 2 });
});

test("the separator and encoding options are applied as given", async () => {
  write("name|lat;long|lng\nCafé|41.8236|-71.4222\n");
  const { header, format } = await begin({ separator: "|", encoding: "windows-1252", columns: "lat=2" });
  expect([header, format]).toMatchObject([["name", "lat;long", "lng"], { separator: "|", encoding: "windows-1252" }]);
});

test("an impossible start says what to do and leaves nothing behind", async () => {
  const cases: [Partial<BeginOptions>, string][] = [
    [{ columns: "name=9" }, "there is no column “9”. The columns are 1 id, 2 name, 3 lat, 4 lng."],
    [{ columns: "name=none" }, "No column is chosen for the name."],
    [{ columns: "lat=none,lng=none" }, "No column is chosen for the place."],
    [{ columns: "lat=none,city=1" }, "choose a column for the latitude as well"],
    [{ previous: "00000000-0000-7000-8000-000000000000" }, "cannot be a new edition of 0000"],
    [{ user: "nobody" }, "No user with the handle nobody has logged in"],
  ];
  for (const [more, message] of cases) await expect(begin(more)).rejects.toThrow(message);
  expect(await prisma.harmonization.count()).toBe(0);
});

test("a run needs only a name and a postal code; a run as a new edition also needs an id column", async () => {
  write("id,name,zip\n7,Corner Coffee,02903\n");
  const before = await begin();
  expect(before).toMatchObject({ state: "reading", columns: { id: 0, name: 1, zip: 2 } });
  const next = begin({ again: true, previous: before.id, columns: "id=none" });
  await expect(next).rejects.toThrow("choose the column of your own ids. Choose columns with --columns");
  expect(await prisma.harmonization.count()).toBe(1);
});

test("columns are chosen by number or name, and a reassigned column leaves its former field", () => {
  const header = ["id", "Shop, long", "lat", "lng"];
  expect(chosenColumns("name=Shop, long,id=none", header, { id: 0, name: 0 })).toEqual({ name: 1 });
  expect(chosenColumns("lat=4,lng=3", header, { name: 1, lat: 2, lng: 3 })).toEqual({ name: 1, lat: 3, lng: 2 });
  expect(() => chosenColumns("names=1", header, {})).toThrow("The fields are id, name");
});

test("F117: all sheets with the same columns are read by an option, whatever the file is", async () => {
  const sheets = ["A", "B"].map((name) => ({
    name,
    rows: textRows([
      ["name", "city"],
      [name, "Bern"],
    ]),
  }));
  writeFileSync(FILE, await workbookOf({ sheets }));
  const all = await begin({ sheet: "*" });
  expect(all.format).toMatchObject({ sheet: "*", alike: ["A", "B"] });
  expect(await begin({ sheet: "*" })).toMatchObject({ id: all.id });
  writeFileSync(FILE, await workbookOf({ sheets: sheets.slice(0, 1) }));
  expect((await begin({ sheet: "*" })).format).not.toHaveProperty("alike");
  await expect(begin({ sheet: "C", again: true })).rejects.toThrow("There is no sheet “C”");
});
