import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guessLayout } from "../../../src/harmonize/file/guess.ts";
import { previewFile } from "../../../src/harmonize/file/preview.ts";
import { toQuery } from "../../../src/harmonize/query/to-query.ts";
import { startFiles } from "./reader.ts";

const { deps, upload, uploadAndRead, listings } = await startFiles();
const warningsOf = async (text: string) => (await previewFile(deps, await upload(text))).warnings;
const columnsOf = async (text: string) =>
  (await guessLayout(Buffer.from(text), { isWhole: true, encoding: "utf-8" })).columns;
const stores = (ids: string[], name = "Store ID") =>
  `${name},Name,lat,lng\n${ids.map((id, index) => `${id},Shop ${index},41.8,-71.4\n`).join("")}`;

describe("a column of ids with duplicates", () => {
  test("is still taken for the ids if its name says so, and the page lists the duplicates and what follows", async () => {
    const text = stores(["A1", "A2", "A2", "A3", "A4", "A4", "A5"]);
    expect(await columnsOf(text)).toMatchObject({ id: 0, name: 1 });
    const [warning] = await warningsOf(text);
    expect(warning).toContain("“Store ID”: 2 of its values occur in more than one of the first 7 rows: “A2”, “A4”.");
    expect(warning).toContain("All rows are matched in any case.");
  });

  test("comes after a column whose values all differ", async () => {
    const text = "Store ID,UUID,Name,lat,lng\n1,a1,Joe,41.8,-71.4\n1,a2,Ann,41.8,-71.4\n2,a3,Bob,41.8,-71.4\n";
    expect(await columnsOf(text)).toMatchObject({ id: 1, name: 2 });
  });

  test("is mentioned by the page where it was not taken, so that the owner can choose it", async () => {
    const text = stores(["7", "7", "7", "8", "8", "9"]);
    expect(await columnsOf(text)).not.toHaveProperty("id");
    const [warning] = await warningsOf(text);
    expect(warning).toContain("“Store ID”: 2 of its values occur in more than one of the first 6 rows: “7”, “8”.");
    expect(warning).toContain("choose it if it holds them");
  });

  test("leads to no warning without duplicates, or where it hardly holds ids", async () => {
    expect(await warningsOf(stores(["1", "2", "3"]))).toEqual([]);
    expect(await warningsOf(stores(["US", "US", "US", "US", "FR"], "Code"))).toEqual([]);
  });
});

describe("numbers whose digits a spreadsheet has dropped", () => {
  const TEXT =
    'id,name,lat,lng,phone\n1,Joe,41.8,-71.4,4.01E+09\n2,Ann,41.8,-71.4,401 555 0100\n3,Bob,41.8,-71.4,"4,02E+09"\n';

  test("are counted on the page, with what to do", async () => {
    const [warning] = await warningsOf(TEXT);
    expect(warning).toContain("“phone”: 2 of the first 3 rows read 4.01E+09 or similar.");
    expect(warning).toContain("Format the column as text in the spreadsheet");
  });

  test("are not asked about, and their rows are matched by the rest", async () => {
    const { id } = await uploadAndRead(TEXT);
    const asked = (await listings(id)).map(({ status, query }) => [status, (query as { phone?: string }).phone]);
    expect(asked).toEqual([
      ["pending", undefined],
      ["pending", "401 555 0100"],
      ["pending", undefined],
    ]);
  });
});

describe("invisible characters", () => {
  const HEADER = ["id", "name", "lat", "lng", "phone", "city"];
  const COLUMNS = { id: 0, name: 1, lat: 2, lng: 3, phone: 4, city: 5 };
  const PLAIN = ["A1", "Joe’s Pizza", "41.8", "-71.4", "401 555 0100", "Bern"];
  const invisible = fc.constantFrom(
    ...["\0", "\u0001", "\u0008", "\u001b", "\u007f", "\u0081", "\u009f", "␀"],
    ...["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"],
    ...["\ud800", "\udfff"],
  );

  test("W12: fail no row and are ignored, wherever they stand", () => {
    const places = fc.array(fc.tuple(invisible, fc.nat(), fc.nat()), { minLength: 1, maxLength: 5 });
    const expected = toQuery(PLAIN, HEADER, COLUMNS);
    fc.assert(
      fc.property(places, (put) => {
        const cells = [...PLAIN];
        for (const [char, cell, place] of put) {
          const text = cells[cell % cells.length] ?? "";
          const at = place % (text.length + 1);
          cells[cell % cells.length] = text.slice(0, at) + char + text.slice(at);
        }
        expect(toQuery(cells, HEADER, COLUMNS)).toEqual(expected);
      }),
    );
  });

  test("W12: of any other kind fail no row either", () => {
    for (const char of [
      "\u200b",
      "\u200d",
      "\u200e",
      "\ufeff",
      "\u00ad",
      "\u2060",
      "\ue000",
      "\ufdd0",
      "\uffff",
      "\u{1f9ff}",
    ])
      expect(toQuery([...PLAIN.slice(0, 1), `Joe${char}`, ...PLAIN.slice(2)], HEADER, COLUMNS).problem).toBeUndefined();
  });

  test("W12: are not shown among the values of a column, which read as they are matched", async () => {
    const { columns } = await previewFile(
      deps,
      await upload("name,lat,lng\n\u202eJoe\u202c 1,41.8,-71.4\n\u202e\u202c,41.8,-71.4\n"),
    );
    expect(columns[0]).toMatchObject({ samples: ["Joe 1"], filled: 0.5 });
  });

  test("W12: stay in the cells of the file; a NUL, which cannot be stored, as its picture", async () => {
    const { id } = await uploadAndRead("id,name,lat,lng\n1,\u202eJoe\u202c,41.8,-71.4\n2,A\0nn,41.8,-71.4\n");
    expect((await listings(id)).map(({ cells, status, query }) => [cells[1], status, query])).toMatchObject([
      ["\u202eJoe\u202c", "pending", { name: "Joe" }],
      ["A␀nn", "pending", { name: "Ann" }],
    ]);
  });
});
