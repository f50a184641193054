import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { ALL_ALIKE } from "../../../src/files/format.ts";
import type { Question, Work } from "../../../src/files/formats/apart.ts";
import type { Asked } from "../../../src/files/formats/base/questions.ts";
import { sourceOfPieces } from "../../../src/files/formats/base/source.ts";
import { openZip } from "../../../src/files/formats/base/zip.ts";
import { readWorkbook } from "../../../src/files/formats/xlsx/workbook.ts";
import { beginAgain } from "../../../src/harmonize/file/begin-again.ts";
import { rereadFile } from "../../../src/harmonize/file/layout.ts";
import { previewFile } from "../../../src/harmonize/file/preview.ts";
import { readFormat } from "../../../src/web/harmonize/draft/form.ts";
import { readingView } from "../../../src/web/harmonize/draft/reading.ts";
import { useReadingProcess } from "../../support/reading-inside.ts";
import { dataFolder } from "../../support/samespot.ts";
import { startFiles } from "../file/reader.ts";
import { textRows, workbookOf, zipOf } from "./workbooks.ts";

const { database, fileRows, upload, uploadAndRead, listings, deps, load, read } = await startFiles();
const { signal } = new AbortController();

const CSV = "id,name,lat,lng\n1,Joe’s Pizza,41.8236,-71.4222\n2,Café Ann,41.8246,-71.4122\n";
const ROWS = CSV.trim()
  .split("\n")
  .map((line) => line.split(","));
const RECORDS = ROWS.slice(1).map(([id = "", name = "", lat, lng]) => ({
  id,
  name,
  lat: Number(lat),
  lng: Number(lng),
}));

const feature = ({ lat, lng, ...properties }: (typeof RECORDS)[number]) => ({
  type: "Feature",
  properties,
  geometry: { type: "Point", coordinates: [lng, lat] },
});
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const column = (name: "id" | "name" | "lat" | "lng", type: "STRING" | "DOUBLE") => ({
  name,
  type,
  data: RECORDS.map((record) => record[name]),
});
const parquet = Buffer.from(
  parquetWriteBuffer({
    columnData: [column("id", "STRING"), column("name", "STRING"), column("lat", "DOUBLE"), column("lng", "DOUBLE")],
  }),
);

/** One of each kind by a process of its own, as in production. */
const APART = ["zip of CSV, beside what macOS adds", "NDJSON", "XLSX", "Parquet"];

describe("a file is read by its content:", () => {
  test.each<[string, Buffer | Promise<Buffer>]>([
    ["CSV", Buffer.from(CSV)],
    ["gzip of CSV", gzipSync(CSV)],
    [
      "zip of CSV, beside what macOS adds",
      zipOf({ "list/places.csv": CSV, "__MACOSX/._places.csv": "x", "list/": "" }),
    ],
    ["JSON list", json(RECORDS)],
    [
      "JSON list within objects, after a list of other things",
      json({ n: [1], response: { venues: RECORDS, more: [{}] } }),
    ],
    ["NDJSON", Buffer.from(RECORDS.map((record) => JSON.stringify(record)).join("\n"))],
    [
      "JSON objects one after the other",
      Buffer.from(RECORDS.map((record) => JSON.stringify(record, null, 2)).join("\n")),
    ],
    ["JSON in UTF-16", Buffer.from(`\ufeff${JSON.stringify(RECORDS)}`, "utf16le")],
    ["XLSX", workbookOf({ sheets: [{ name: "Places", rows: textRows(ROWS) }] })],
    [
      "zip of XLSX",
      workbookOf({ sheets: [{ name: "P", rows: textRows(ROWS) }] }).then((book) => zipOf({ "a.xlsx": book })),
    ],
    ["Parquet", parquet],
    ["gzip of Parquet", gzipSync(parquet)],
    ["zip of JSON, of which only the JSON is kept", zipOf({ "places.json": JSON.stringify(RECORDS) })],
  ])("%s", async (what, file) => {
    if (APART.includes(what)) useReadingProcess();
    const draft = await upload(await file);
    expect(draft).toMatchObject({ header: ROWS[0], columns: { id: 0, name: 1, lat: 2, lng: 3 } });
    expect((await fileRows(draft.id)).map(({ cells }) => cells)).toEqual(ROWS.slice(1));
    const own = await database.prisma.filePart.count({ where: { harmonizationId: draft.id, part: { lt: 0 } } });
    expect(own).toBe(draft.format.kind === undefined || draft.format.kind === "xlsx" ? 0 : 1);
  });

  test.each([
    ["GeoJSON", json({ type: "FeatureCollection", features: RECORDS.map(feature) })],
    [
      "GeoJSON, a feature a line",
      Buffer.from(RECORDS.map((each) => `\x1e${JSON.stringify(feature(each))}\n`).join("")),
    ],
  ])("%s", async (_, file) => {
    const draft = await upload(file);
    expect(draft).toMatchObject({ header: ["id", "name", "geometry.latitude", "geometry.longitude"] });
    expect(draft).toMatchObject({ format: { kind: "geojson" }, columns: { id: 0, name: 1, lat: 2, lng: 3 } });
    expect((await fileRows(draft.id)).map(({ cells }) => cells)).toEqual(ROWS.slice(1));
  });
});

const places = fc.array(
  fc.record({
    name: fc.string({ unit: fc.constantFrom("&", "<", "]]>", "é", "a", "\u3042"), minLength: 1, maxLength: 8 }),
    street: fc.constantFrom("", "12 Main St", "Hauptstr. 5"),
    lat: fc.integer({ min: -8e6, max: 8e6 }).map((number) => number / 1e5),
    lng: fc.integer({ min: -17e6, max: 17e6 }).map((number) => number / 1e5),
  }),
  { minLength: 1, maxLength: 6 },
);
type Place = { name: string; street: string; lat: number; lng: number };
const xml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const cdata = (text: string) => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
const placemark = ({ name, street, lat, lng }: Place) =>
  `<Placemark><name>${cdata(name)}</name><styleUrl>#pin</styleUrl><ExtendedData><Data name="Street"><value>${xml(street)}</value></Data>
   </ExtendedData><Point><coordinates> ${lng},${lat},0 </coordinates></Point></Placemark>`;
const kml = (all: Place[]) =>
  `<?xml version="1.0"?>\n<!-- A map --><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Map</name><Folder><name>Shops</name>${all
    .map(placemark)
    .join("\n")}</Folder></Document></kml>`;
const gpx = (all: Place[]) =>
  `<gpx version="1.1"><metadata><name>Map</name></metadata>${all
    .map(
      ({ name, street, lat, lng }) =>
        `<wpt lat="${lat}" lon="${lng}"><name>${xml(name)}</name><extensions><x:Address><x:Street>${xml(street)}</x:Street></x:Address></extensions></wpt>`,
    )
    .join("")}<trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>`;

test.each<[string, (all: Place[]) => Buffer | Promise<Buffer>, folder: string]>([
  ["KML", (all) => Buffer.from(kml(all)), "Shops"],
  ["KMZ with a picture", (all) => zipOf({ "doc.kml": kml(all), "images/a.png": "x" }), "Shops"],
  ["GPX", (all) => Buffer.from(gpx(all)), ""],
])("the places of a map file are read with what it says of them: %s", async (_, write, folder) => {
  const holds = fc.asyncProperty(places, async (all) => {
    const { id, header, format } = await upload(await write(all));
    expect(format.kind).toBe("map");
    const rows = (await fileRows(id)).map(({ cells }) =>
      Object.fromEntries(header.map((name, at) => [name.toLowerCase(), cells[at] ?? ""])),
    );
    expect(rows.map((row) => ({ ...row, street: row.street ?? "" }))).toEqual(
      all.map(({ name, street, lat, lng }) => ({
        ...{ name: name.trim(), street, "geometry.latitude": String(lat), "geometry.longitude": String(lng) },
        ...(folder && { folder }),
      })),
    );
  });
  await fc.assert(holds, { numRuns: 5 });
});

test("fields within fields become columns by their path, and lists texts", async () => {
  const { id, header } = await upload(
    json([
      {
        name: "Joe",
        address: { city: "Bern", geo: { lat: 46.9 } },
        tags: ["bar", "pub"],
        id: 12345678901234567890n.toString(),
      },
      { name: "Ann", address: null, phones: [{ of: "desk", number: "1" }], "a  b": 3 },
    ]),
  );
  expect(header).toEqual([
    "name",
    "address.city",
    "address.geo.lat",
    "tags",
    "id",
    "address",
    "phones.0.of",
    "phones.0.number",
    "other fields",
  ]);
  expect((await fileRows(id)).map(({ cells }) => cells)).toEqual([
    ["Joe", "Bern", "46.9", "bar; pub", "12345678901234567890", "", "", "", ""],
    ["Ann", "", "", "", "", "", "desk", "1", '{"a  b":"3"}'],
  ]);
});

test("long numbers of JSON keep their digits", async () => {
  const { id } = await upload('[{"name":"A","id":12345678901234567890},{"name":"B","id":7}]');
  expect((await fileRows(id)).map(({ cells }) => cells)).toEqual([
    ["A", "12345678901234567890"],
    ["B", "7"],
  ]);
});

test("a broken line of NDJSON costs only its row, which is named in the results", async () => {
  const { id } = await uploadAndRead('{"name":"A","lat":1.25,"lng":2}\n{"name":"B",\n{"name":"C","lat":1.5,"lng":2}\n');
  expect((await listings(id)).map(({ line, status, problem }) => [line, status, problem])).toEqual([
    [1, "pending", null],
    [2, "failed", { code: "unreadable_line", line: 2, why: "json" }],
    [3, "pending", null],
  ]);
});

const SHEET = [
  '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="inlineStr"><is><r><t>opened</t></r><rPh><t>x</t></rPh></is></c><c r="D3" t="str"><v>phone</v></c></row>',
  '<row r="5"><c r="A5" t="s"><v>2</v></c><c r="B5" s="1"><v>2857</v></c><c r="C5" s="4"><v>45351</v></c><c r="D5"><v>14015550123</v></c></row>',
  '<row r="6"><c r="B6" s="1"><v>2860</v></c><c r="C6" s="2"><v>45351.75</v></c><c r="D6" s="3"><v>4015550123</v></c></row>',
  '<row r="7"/><row r="9"><c r="A9" t="inlineStr"><is><t>a_x000D_\nb</t></is></c><c r="C9"><f>1+1</f></c><c r="D9"><v>1.2345678901234568E+17</v></c></row>',
].join("");
const FORMATS = ["00000", "dd\\.mm\\.yyyy hh:mm", "[<=9999999]###\\-####;\\(###\\)\\ ###\\-####"];

test("a workbook gives what its cells show: dates, zeros, merged cells, rows and values of formulas", async () => {
  const book = await workbookOf({
    sheets: [
      { name: "Cover", rows: textRows([["Our places"]]) },
      {
        name: "Secret",
        rows: textRows([
          ["a", "b"],
          ["c", "d"],
        ]),
        state: "hidden",
      },
      { name: "Places & more", rows: SHEET, more: '<mergeCells count="1"><mergeCell ref="A5:A6"/></mergeCells>' },
    ],
    texts: ["name", "zip", "Joe’s <Pizza>"],
    formats: FORMATS,
  });
  // Style 4 is the built-in date; 3 the telephone number.
  const draft = await upload(Buffer.from(book));
  expect(draft.format).toMatchObject({
    kind: "xlsx",
    sheet: "Places & more",
    sheets: ["Cover", "Secret", "Places & more"],
  });
  expect(draft.format.emptyFormulas).toBe(1);
  expect(draft.header).toEqual(["name", "zip", "opened", "phone"]);
  expect(await fileRows(draft.id)).toEqual([
    { line: 5, cells: ["Joe’s <Pizza>", "02857", "2024-02-29", "14015550123"] },
    { line: 6, cells: ["Joe’s <Pizza>", "02860", "2024-02-29T18:00:00", "(401) 555-0123"] },
    { line: 9, cells: ["a\r\nb", "", "", "1.2345678901234568E+17"] },
  ]);
});

test("another sheet can be chosen, before the start and after beginning again", async () => {
  const place = (name: string) =>
    textRows([
      ["name", "city"],
      [name, "Bern"],
      [`${name} 2`, "Bern"],
    ]);
  const sheets = ["A", "B", "C"].map((name) => ({ name, rows: place(name) }));
  const draft = await upload(await workbookOf({ sheets }));
  const names = async (id: string) => (await fileRows(id)).map(({ cells: [name] }) => name);
  expect(await names(draft.id)).toEqual(["A", "A 2"]);
  await rereadFile(deps, draft, { ...draft.format, sheet: "B" }, signal);
  expect([await names(draft.id), (await load(draft.id)).format.sheet]).toEqual([["B", "B 2"], "B"]);
  await database.prisma.harmonization.update({ where: { id: draft.id }, data: { state: "reading" } });
  await read(await load(draft.id));
  const again = await beginAgain(deps, await load(draft.id));
  expect(await names(again)).toEqual(["B", "B 2"]);
  await rereadFile(deps, await load(again), { ...(await load(again)).format, sheet: "C" }, signal);
  expect(await names(again)).toEqual(["C", "C 2"]);
});

describe("F117: sheets with the same columns", () => {
  const NAMES = ["id", "name", "city"];
  const sheet = (name: string, rows: string[][], from = 1) => ({ name, rows: textRows(rows, from) });

  test("in another order are offered, and each cell is read into its column", async () => {
    const names = ["id", "name", "note", "city", "note", "", "opened"];
    const values = ["7", "Joe", "first", "Bern", "second", "unnamed", "x"];
    const orders = fc.shuffledSubarray([...names.keys()], { minLength: names.length });
    await fc.assert(
      fc.asyncProperty(orders, fc.boolean(), async (order, isTitled) => {
        fc.pre(order.indexOf(2) < order.indexOf(4)); // of two columns of one name the first is the first
        const moved = (row: readonly string[]) => order.map((at) => row[at] ?? "");
        const title = isTitled ? [["Outlets in the south"]] : [];
        const sheets = [
          sheet("North", [names, values.map((value) => `N ${value}`)]),
          sheet("South", [...title, moved(names), moved(values), moved(["8"])]),
          sheet("Other", [moved(names.with(3, "town")), values]),
        ];
        const bytes = await workbookOf({ sheets });
        const zip = await openZip(sourceOfPieces(bytes.length, async (start, end) => bytes.subarray(start, end)));
        const { format, rows } = await readWorkbook(zip, { sheet: ALL_ALIKE, mostRows: 10 });
        const read: string[][] = [];
        for await (const { cells } of rows) read.push(names.map((_, at) => cells[at] ?? ""));
        expect(format.alike).toEqual(["North", "South"]);
        expect(read).toEqual([names, values.map((value) => `N ${value}`), values, ["8", ...Array(6).fill("")]]);
      }),
      { numRuns: 15 },
    );
  });

  const rowsOf = async (id: string) => (await fileRows(id)).map(({ line, cells }) => [line, cells[1]]);

  test("are offered, and read one below the other if they are chosen", async () => {
    const draft = await upload(
      await workbookOf({
        sheets: [
          sheet("Cover", [["Our outlets"]]),
          sheet("North", [NAMES, ["1", "Joe", "Bern"], ["2", "Ann", "Bern"]]),
          sheet("South", [["Outlets in the south"], NAMES, ["3", "Bea", "Rome"]], 4),
          sheet("Staff", [
            ["id", "name", "born"],
            ["9", "Sue", "Rome"],
          ]),
          sheet("Empty", [NAMES]),
          { ...sheet("Old", [NAMES, ["7", "Old", "Rome"]]), state: "hidden" },
        ],
      }),
    );
    expect(draft.format).toMatchObject({ sheet: "North", alike: ["North", "South", "Empty"] });
    expect(await rowsOf(draft.id)).toEqual([
      [2, "Joe"],
      [3, "Ann"],
    ]);
    const { warnings } = await previewFile(deps, draft);
    expect(warnings.filter((text) => text.includes("“South”, “Empty”"))).toHaveLength(1);
    const chosen = readFormat({ sheet: ALL_ALIKE }, draft.format);
    await rereadFile(deps, draft, chosen, signal);
    const all = await load(draft.id);
    expect(all.format).toMatchObject({ sheet: ALL_ALIKE, alike: draft.format.alike });
    expect(await rowsOf(all.id)).toEqual([
      [2, "Joe"],
      [3, "Ann"],
      [9, "Bea"],
    ]);
    expect((await previewFile(deps, all)).warnings.join()).not.toContain("South");
    expect(readingView(all.format).words).toContain("“North”, “South”, “Empty”");
    await rereadFile(deps, all, readFormat({ sheet: "Staff" }, all.format), signal);
    expect((await load(draft.id)).format).not.toHaveProperty("alike");
  });

  test.each<[string, string[][]]>([
    [
      "other names",
      [
        ["id", "name", "town"],
        ["3", "Bea", "Rome"],
      ],
    ],
    [
      "a listing in common",
      [
        ["x", "y", "z"],
        ["1", "Joe", "Bern"],
        ["a", "Ann", "Rome"],
      ],
    ],
    ["a title in common", [["id"], ["3"]]],
  ])("are not those with %s", async (_, rows) => {
    const sheets = [sheet("A", [NAMES, ["1", "Joe", "Bern"], ["a", "Ann", "Rome"]]), sheet("B", rows)];
    expect((await upload(await workbookOf({ sheets }))).format).not.toHaveProperty("alike");
  });
});

test("the process that reads a file leaves its compiled modules to the next one, although it is killed", async () => {
  const folder = dataFolder();
  const reader = fork("src/files/formats/reader.ts", {
    env: { NODE_COMPILE_CACHE: folder },
    ...{ execArgv: [], serialization: "advanced", stdio: ["ignore", "ignore", "ignore", "ipc"] },
  });
  const [{ number }] = (await once(reader, "message")) as [Asked<Question>];
  const work: Work = { kind: "json", size: 2, encoding: "utf-8", sheet: undefined, mostColumns: 9, mostRows: 9 };
  reader.send({ number, answer: work });
  const [next] = await once(reader, "message");
  expect(next).toMatchObject({ is: "read" });
  reader.kill("SIGKILL");
  expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(100);
});
