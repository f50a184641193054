import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type BeginOptions, beginOrGoOn, type Talk } from "../../../src/cli/harmonize/begin.ts";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import { chosenColumns } from "../../../src/files/chosen-columns.ts";
import { readListings } from "../../../src/harmonize/file/read-listings.ts";
import { type Harmonization, loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
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

const said: string[] = [];
const begin = (more: Partial<BeginOptions> = {}, ask?: Talk["ask"]) => {
  const talk = { signal: AbortSignal.timeout(10_000), say: (message: string) => void said.push(message), ask };
  return beginOrGoOn(deps, { file: FILE, again: false, ...more }, talk);
};

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

test("F127: quotes are read as the option says, and a run that was read otherwise is another", async () => {
  write('id,name,lat,lng\n7,"C:\\\\new",41.8236,-71.4222\n');
  const guessed = await begin();
  expect(guessed.format).not.toHaveProperty("isEscaped");
  expect(await begin({ quotes: "doubled" })).toMatchObject({ id: guessed.id });
  await expect(begin({ quotes: "backslash" })).rejects.toThrow("Start a new run with --again.");
  const run = await begin({ quotes: "backslash", again: true });
  await readListings(deps, run, { signal: AbortSignal.timeout(10_000) });
  expect(await prisma.listing.findMany({ where: { harmonizationId: run.id } })).toMatchObject([
    { cells: ["7", "C:\\new", "41.8236", "-71.4222"] },
  ]);
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

describe("W87: a file that looks like a new edition of a finished one", () => {
  const shops = (ids: number[]) =>
    `id,name,lat,lng\n${ids.map((id) => `${id},Shop ${id},${(41 + id / 100).toFixed(2)},-71.42\n`).join("")}`;
  const count = (from: number, length: number) => Array.from({ length }, (_, index) => from + index);
  const finish = async (more: Partial<BeginOptions> = {}) => {
    const { id } = await begin(more);
    await readListings(deps, await load(id), { signal: AbortSignal.timeout(10_000) });
    await prisma.harmonization.update({ where: { id }, data: { state: "ready" } });
    return id;
  };
  const load = async (id: string) => (await loadHarmonization(deps, id)) as Harmonization;

  test.each([
    [20, true],
    [18, true],
    [17, false],
    [10, false],
    [9, undefined],
  ])("with %d of 20 rows of it is asked about in a terminal, with yes chosen: %s", async (rows, preselected) => {
    write(shops(count(1, 20)));
    const earlier = await finish();
    write(`${shops([...count(1, rows), ...count(101, 20 - rows)])}\n`);
    for (const answer of [true, false]) {
      const asked: [string, boolean][] = [];
      const run = await begin({ again: true }, async (...question) => {
        asked.push(question);
        return answer;
      });
      expect(asked.map(([, is]) => is)).toEqual(preselected === undefined ? [] : [preselected]);
      if (asked[0]) expect(asked[0][0]).toMatch(/^This looks like a new edition of shops.csv \(.*, 20 rows\)\. /);
      expect(run.previousId).toBe(preselected !== undefined && answer ? earlier : null);
    }
    said.length = 0;
    expect((await begin({ again: true })).previousId, "nothing is guessed without a terminal").toBeNull();
    expect(said).toEqual(preselected === undefined ? [] : [expect.stringContaining(`--again --previous ${earlier}.`)]);
    said.length = 0;
    const never = () => Promise.reject(new Error("It was said."));
    for (const previous of [null, earlier])
      expect((await begin({ again: true, previous }, never)).previousId).toBe(previous);
    for (const more of [{}, { columns: "id=none" }]) await begin({ again: true, previous: null, ...more });
    await begin({ again: true, columns: "id=none" }, never);
    expect(said).toEqual([]);
  });

  test("is asked about only if it is neither paused nor cancelled, and gives its town to the next", async () => {
    deps.directory.searchVenues = async () => ({ venues: [], confident: false, geocode: undefined });
    write("id,name,street\n1,Kiosk,Main Street\n2,Bar,High Street\n");
    const earlier = await finish({ town: "Orrin, ME" });
    const again = (answer: boolean, more: Partial<BeginOptions> = {}) =>
      begin({ again: true, ...more }, async () => answer);
    expect(await again(true)).toMatchObject({ previousId: earlier, format: { town: "Orrin, ME" } });
    const isNew = expect.objectContaining({
      previousId: null,
      format: expect.not.objectContaining({ town: "Orrin, ME" }),
    });
    expect(await again(false)).toEqual(isNew);
    await prisma.harmonization.deleteMany({ where: { id: { not: earlier } } });
    for (const data of [{ state: "cancelled" }, { state: "ready", pausedFor: "person" }] as const) {
      await prisma.harmonization.update({ where: { id: earlier }, data });
      expect(await again(true), "nobody is asked").toEqual(isNew);
    }
    expect(await again(true, { previous: earlier })).toMatchObject({ previousId: earlier });
    expect(await again(true, { previous: earlier, town: "Lowport" })).toMatchObject({ format: { town: "Lowport" } });
  });

  test("F120: may give lists of the edition once the answer is yes, and starts nothing otherwise", async () => {
    write(shops(count(1, 20)));
    const earlier = await finish();
    const lists = { changed: "changed.csv" };
    for (const ask of [undefined, async () => false])
      await expect(begin({ again: true, lists }, ask)).rejects.toThrow("--changed needs --previous");
    expect(await prisma.harmonization.count()).toBe(1);
    const { id, previousId } = await begin({ again: true, lists }, async () => true);
    expect(previousId).toBe(earlier);
    expect(await begin({ lists }), "the same command goes on").toMatchObject({ id });
  });
});

describe("W90: a town given with the command", () => {
  const KIOSKS = "name,street\nKiosk,Main Street\nBar,High Street\n";
  const asked: string[] = [];
  beforeEach(() => {
    asked.length = 0;
    deps.directory.searchVenues = async (_auth, { near = "" }) => {
      asked.push(near);
      if (near.startsWith("Nowhere")) throw new DirectoryError("rejected", "no", { errorType: "failed_geocode" });
      return { venues: [], confident: false, geocode: undefined };
    };
    write(KIOSKS);
  });

  test("is that of rows that name no place, and one that the directory does not know starts nothing", async () => {
    await expect(begin({ columns: "address=none" })).rejects.toThrow("name a town with --town");
    for (const [town, words] of [
      ["Nowhere at All", "--town: The directory does not know this place."],
      ["x".repeat(201), "--town: town may have at most 200"],
      [" ", "--town: "],
    ] as const)
      await expect(begin({ town })).rejects.toThrow(words);
    expect(await prisma.harmonization.count()).toBe(0);
    for (const more of [{}, { columns: "address=none" }, { separator: "," }, { encoding: "windows-1252" }] as const)
      expect((await begin({ town: " Orrin, ME", again: true, ...more })).format.town).toBe("Orrin, ME");
    expect(new Set(asked.slice(1))).toEqual(new Set(["Orrin, ME"]));
  });

  test("lets a finished run ask again about the rows that failed, and no other run", async () => {
    const { id } = await begin({ columns: "address=2" });
    await expect(begin({ town: "Orrin, ME" }), "it runs without it").rejects.toThrow("--again");
    const finish = () => prisma.harmonization.update({ where: { id }, data: { state: "ready" } });
    await finish();
    const { id: other } = await begin({ town: "Orrin, ME" });
    expect(other, "nothing has failed").not.toBe(id);
    await prisma.harmonization.delete({ where: { id: other } });
    const query = { name: "Kiosk", near: "Main Street" };
    const failed = { number: 1, line: 2, cells: ["Kiosk"], query, status: "failed" as const };
    await prisma.listing.create({ data: { harmonizationId: id, ...failed, problem: { code: "rejected" } } });
    expect((await begin({ town: "Orrin, ME", again: true })).id).not.toBe(id);
    await prisma.harmonization.deleteMany({ where: { id: { not: id } } });
    expect(await begin({ town: "Orrin, ME" })).toMatchObject({ id, state: "matching", format: { town: "Orrin, ME" } });
    expect(await begin({ town: "Orrin, ME" }), "the same command resumes it").toMatchObject({ id });
  });
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
