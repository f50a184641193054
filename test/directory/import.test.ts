import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, inject, test } from "vitest";
import { randomId } from "../../src/crypto.ts";
import { openDatabase } from "../../src/db/database.ts";
import { readCsv } from "../../src/directory/import/csv.ts";
import { type ImportOptions, importVenues } from "../../src/directory/import/import-venues.ts";
import { readLines } from "../../src/directory/import/lines.ts";
import { KnownError } from "../../src/errors.ts";
import { testDatabase } from "../support/database.ts";
import { categoryId } from "./api-host.ts";

const { url } = await testDatabase();
const database = openDatabase(url, { patience: 60_000 });
afterAll(database.close);

const folder = path.join(inject("run").folder, `import-${randomId()}`);
mkdirSync(folder, { recursive: true });
beforeEach(() => database.pool.query("TRUNCATE directory.venue, directory.checkin, directory.link"));

function write(name: string, content: string | Buffer): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

const run = (file: string, more: Partial<ImportOptions> = {}) =>
  importVenues({ ...database, file, keepIds: false, replace: false, ...more });

const venues = async () =>
  (await database.pool.query("SELECT * FROM directory.venue ORDER BY name")).rows as Record<string, unknown>[];

const HEADER = "id,name,lat,lng,city,phone,category\n";
const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `${from + index},Cafe ${from + index},41.8,-71.4,Town,,\n`).join("");

describe("a CSV", () => {
  test("may be quoted, begin with a byte order mark and have CRLF ends", async () => {
    const text = `\uFEFF${HEADER}1,"Joe ""The Man"", Inc",41.8,-71.4,"New\nTown",+1 401 555 0100,Coffee Shop\n`;
    const result = await run(write("windows.csv", text.replaceAll("\n", "\r\n")));
    expect(result).toMatchObject({ imported: 1, refused: 0, leftOut: {}, problems: [] });
    expect(await venues()).toMatchObject([
      {
        name: 'Joe "The Man", Inc',
        name_norm: "joe the man inc",
        city: "New Town",
        lat: 41.8,
        lng: -71.4,
        phone: "+1 401 555 0100",
        category_id: categoryId("Coffee Shop"),
      },
    ]);
  });

  test("may have the columns of Foursquare OS Places, of which closed places stay out", async () => {
    const header = "fsq_place_id\tname\tlatitude\tlongitude\tlocality\tregion\tpostcode\tcountry\ttel\twebsite";
    const label = "[Dining and Drinking > Cafe, Coffee, and Tea House > Coffee Shop]";
    const open = `4b5\tBlue Room\t41.8\t-71.4\tProvidence\tRI\t02903\tus\t(401) 555-0100\tblueroom.example\t${label}\t`;
    const closed = "4b6\tRed Room\t41.8\t-71.4\t\t\t\t\t\t\t\t2019-05-01";
    const file = write("places.tsv", `${header}\tfsq_category_labels\tdate_closed\n${open}\n${closed}\n`);
    const result = await run(file, { keepIds: true });
    expect(result.problems).toEqual([{ line: 3, problem: "is closed since 2019-05-01" }]);
    expect(await venues()).toMatchObject([
      {
        id: "4b5",
        city: "Providence",
        state: "RI",
        zip: "02903",
        cc: "US",
        phone: "(401) 555-0100",
        url: "http://blueroom.example",
        category_id: categoryId("Coffee Shop"),
      },
    ]);
  });

  test("loses only the lines that are wrong, each named with its number and reason", async () => {
    const wrong = [
      "a,,41.8,-71.4",
      "b,No point,,-71.4",
      "c,North of all,91,0x10",
      'd,"Open quote,41.8,-71.4',
      'e,"Joe" Pub,41.8,-71.4',
      "f,Too long,1,2,Town,,,,more",
      `g,${"x".repeat(201)},1,2`,
    ];
    const seen: unknown[] = [];
    const file = write("wrong.csv", `${HEADER}${rows(1)}${wrong.join("\n")}\n${rows(2, 10)}h,Cut`);
    const result = await run(file, { onProblem: ({ line }) => seen.push(line) });
    expect(result).toMatchObject({ imported: 3, refused: 8 });
    expect(seen).toEqual([3, 4, 5, 6, 7, 8, 9, 12]);
    expect(result.problems).toEqual([
      { line: 3, problem: "name is missing" },
      { line: 4, problem: "lat is missing" },
      { line: 5, problem: expect.stringMatching(/lat is not between -90 and 90; lng is not a number/) },
      { line: 6, problem: "a quote is opened and not closed" },
      { line: 7, problem: expect.stringContaining("closing quote") },
      { line: 8, problem: "has 9 cells, but the header 7" },
      { line: 9, problem: "name may have at most 200 characters" },
      { line: 12, problem: "the file ends in the middle of it" },
    ]);
  });

  test("keeps a venue whose phone or category cannot be stored, without it", async () => {
    const result = await run(write("odd.csv", `${HEADER}1,Cafe,41.8,-71.4,Town,0,Nothing we know\n`));
    expect(result).toMatchObject({ imported: 1, refused: 0, leftOut: { phone: 1, category: 1 } });
    expect(await venues()).toMatchObject([{ city: "Town", phone: null, phone_norm: null, category_id: null }]);
  });

  test("refuses the names that venues/add refuses, and keeps the lines of a description", async () => {
    const header = "name,lat,lng,description\n";
    const result = await run(write("names.csv", `${header}\u3164,41.8,-71.4,\nCafe,41.8,-71.4,"Two\r\nlines"\n`));
    expect(result.problems).toEqual([{ line: 2, problem: "name must hold a letter or a digit" }]);
    expect(await venues()).toMatchObject([{ name: "Cafe", description: "Two\nlines" }]);
  });

  test.each([
    ["no such file", "missing.csv", undefined, /no file .*missing\.csv/],
    ["another kind", "venues.xlsx", "x", /must end in \.csv/],
    ["no lat and lng", "short.csv", "id;name;lat;lng\n", /lacks name, lat, lng/],
    ["UTF-16", "utf16.csv", Buffer.from(`\uFEFF${HEADER}`, "utf16le"), /UTF-8/],
    ["a line without end", "endless.ndjson", "x".repeat(3_000_000), /longer than a million/],
    ["no collection", "object.geojson", "{}", /no GeoJSON FeatureCollection/],
    ["no JSON", "broken.json", "{", /no GeoJSON FeatureCollection/],
  ])("or any file with %s is refused, and --replace has emptied nothing", async (_, name, content, message) => {
    await run(write("before.csv", HEADER + rows(1)));
    const file = content === undefined ? path.join(folder, name) : write(name, content);
    const error = await run(file, { replace: true }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KnownError);
    expect((error as Error).message).toMatch(message);
    expect(await venues()).toHaveLength(1);
  });

  test("is read as csv-parse reads it, if it is well-formed", async () => {
    const cell = fc.string({ unit: fc.constantFrom("a", " ", '"', ",", "\n", "é"), maxLength: 6 });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(table, async (cells) => {
        const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
        const text = cells.map((row) => `${row.map(quoted).join(",")}\n`).join("");
        const found: unknown[] = [];
        for await (const record of readCsv(readLines(Readable.from([Buffer.from(text)])), ","))
          found.push(record.cells);
        expect(found).toEqual(parse(text));
      }),
    );
  });
});

test("NDJSON may hold objects and GeoJSON features, and a broken line costs only itself", async () => {
  const feature = {
    type: "Feature",
    geometry: { type: "Point", coordinates: [-71.4, 41.8] },
    properties: { id: 7, name: "Kiosk", fsq_category_labels: ["Retail > Coffee Shop"] },
  };
  const lines = [
    JSON.stringify({ id: 1, name: "Cafe", lat: 41.8, lng: -71.4 }),
    "{",
    "",
    "[]",
    JSON.stringify(feature),
  ];
  const result = await run(write("mixed.ndjson", `\uFEFF${lines.join("\r\n")}`));
  expect(result).toMatchObject({ imported: 2, refused: 2 });
  expect(result.problems).toEqual([
    { line: 2, problem: "is not valid JSON" },
    { line: 4, problem: "is not an object" },
  ]);
  expect(await venues()).toMatchObject([{ name: "Cafe" }, { name: "Kiosk", category_id: categoryId("Coffee Shop") }]);
});

test("GeoJSON gives the point from its geometry and refuses what is no point", async () => {
  const properties = { name: "Kiosk" };
  const point = { type: "Feature", id: "k1", properties, geometry: { type: "Point", coordinates: [-71.4, 41.8] } };
  const line = { type: "Feature", properties, geometry: { type: "LineString", coordinates: [] } };
  const text = JSON.stringify({ type: "FeatureCollection", features: [point, line] });
  const result = await run(write("map.geojson.gz", gzipSync(text)), { keepIds: true });
  expect(result).toMatchObject({ imported: 1, problems: [{ line: 2, problem: "is no GeoJSON feature with a point" }] });
  expect(await venues()).toMatchObject([{ id: "k1", lat: 41.8, lng: -71.4 }]);
});

describe("an import", () => {
  test("run again changes what has changed and keeps the ids, zipped or not", async () => {
    await run(write("again.csv", `${HEADER}${rows(2)}`));
    const before = await venues();
    const zipped = gzipSync(`${HEADER}${rows(1)}1,Cafe 1,41.8,-71.4,Village,,\n${rows(1, 2)}`);
    const result = await run(write("again.csv.gz", zipped));
    expect(result).toMatchObject({ imported: 1, updated: 1, unchanged: 1, refused: 0 });
    const after = await venues();
    expect(after.slice(0, 2).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.map(({ city }) => city)).toEqual(["Town", "Village", "Town"]);
  });

  test("takes the last of two lines with one id", async () => {
    const text = `${HEADER}1,First,41.8,-71.4,,,\n1,Second,41.8,-71.4,,,\n`;
    expect(await run(write("twice.csv", text), { keepIds: true })).toMatchObject({ imported: 1 });
    expect(await venues()).toMatchObject([{ id: "1", name: "Second" }]);
  });

  test("of a gzip cut in the middle says so, keeps what was stored, and goes on with the whole file", async () => {
    const whole = gzipSync(HEADER + rows(30_000));
    const cut = write("cut.csv.gz", whole.subarray(0, whole.length * 0.8));
    await expect(run(cut)).rejects.toThrow(
      /damaged or cut off after line \d+.* venues of the file are stored\. Run it/,
    );
    const stored = (await venues()).length;
    expect(stored).toBeGreaterThan(0);
    write("cut.csv.gz", whole);
    expect(await run(cut)).toMatchObject({ imported: 30_000 - stored, unchanged: stored });
  });

  test("that is interrupted ends between two batches and goes on when it is run again", async () => {
    const file = write("long.csv", HEADER + rows(20_000));
    const controller = new AbortController();
    const stop = () => controller.abort(new KnownError(499, "interrupted", "Interrupted."));
    await expect(run(file, { signal: controller.signal, onProgress: stop })).rejects.toThrow(
      /Interrupted\. \d+ venues/,
    );
    const stored = (await venues()).length;
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(20_000);
    expect(await run(file)).toMatchObject({ imported: 20_000 - stored, unchanged: stored });
  });

  test("with replace leaves the file's venues and no check-in", async () => {
    await run(write("old.csv", HEADER + rows(3)));
    const [{ id } = { id: "" }] = await venues();
    await database.pool.query(`INSERT INTO directory."user" (id, handle, password_hash) VALUES ('u', 'visitor', '')`);
    await database.pool.query(
      `INSERT INTO directory.checkin (id, user_id, venue_id, time_zone_offset) VALUES ('c', 'u', $1, 0)`,
      [id],
    );
    expect(await run(write("new.csv", HEADER + rows(1, 50)), { replace: true })).toMatchObject({ imported: 1 });
    expect(await venues()).toMatchObject([{ name: "Cafe 50" }]);
    expect(await database.prisma.checkin.count()).toBe(0);
  });

  test("waits for another import, and does not block who reads or checks in meanwhile", async () => {
    const first = run(write("one.csv", HEADER + rows(10_000)));
    const second = run(write("two.csv", HEADER + rows(10)));
    const slowest = await slowestRead(first);
    expect(await first).toMatchObject({ imported: 10_000 });
    expect(await second).toMatchObject({ imported: 10 });
    expect(slowest).toBeLessThan(1000);
  });
});

/** Milliseconds of the slowest of the reads that were made until `work` was done. */
async function slowestRead(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let slowest = 0;
  while (!isDone) {
    const begun = performance.now();
    await database.pool.query("SELECT count(*) FROM directory.venue WHERE point <@ box '(0,0),(-90,90)'");
    slowest = Math.max(slowest, performance.now() - begun);
  }
  await done;
  return slowest;
}
