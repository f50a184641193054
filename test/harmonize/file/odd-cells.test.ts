import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guessLayout } from "../../../src/files/guess/guess.ts";
import { cellNotes } from "../../../src/harmonize/file/odd-cells.ts";
import { previewFile } from "../../../src/harmonize/file/preview.ts";
import { toQuery } from "../../../src/harmonize/query/to-query.ts";
import { startFiles } from "./reader.ts";

const { deps, upload, uploadAndRead, listings } = await startFiles();
const warningsOf = async (text: string) => (await previewFile(deps, await upload(text))).warnings;
const columnsOf = async (text: string) =>
  (await guessLayout(Buffer.from(text), { isWhole: true, encoding: "utf-8", mostColumns: 500 })).columns;
const stores = (ids: string[], name = "Store ID") =>
  `${name},Name,lat,lng\n${ids.map((id, index) => `${id},Shop ${index},41.8,-71.4\n`).join("")}`;

describe("a column of ids with duplicates", () => {
  test("is still used for ids if its name says so, and the warning lists the duplicates and their effect", async () => {
    const text = stores(["A1", "A2", "A2", "A3", "A4", "A4", "A5"]);
    expect(await columnsOf(text)).toMatchObject({ id: 0, name: 1 });
    const [warning] = await warningsOf(text);
    expect(warning).toContain("“Store ID”: 2 of its values occur in more than one of the first 7 rows: “A2”, “A4”.");
    expect(warning).toContain("All of these rows are matched");
  });

  test("ranks below a column of unique values", async () => {
    const text = "Store ID,UUID,Name,lat,lng\n1,a1,Joe,41.8,-71.4\n1,a2,Ann,41.8,-71.4\n2,a3,Bob,41.8,-71.4\n";
    expect(await columnsOf(text)).toMatchObject({ id: 1, name: 2 });
  });

  test("gets a warning that Samespot did not take it for the ids, so that the owner can choose it", async () => {
    const text = stores(["7", "7", "7", "8", "8", "9"]);
    expect(await columnsOf(text)).not.toHaveProperty("id");
    const [warning] = await warningsOf(text);
    expect(warning).toContain("“Store ID”: 2 of its values occur in more than one of the first 6 rows: “7”, “8”.");
    expect(warning).toContain("Choose it if it holds your ids.");
  });

  test("gets no warning without duplicates, or if it hardly contains ids", async () => {
    expect(await warningsOf(stores(["1", "2", "3"]))).toEqual([]);
    expect(await warningsOf(stores(["US", "US", "US", "US", "FR"], "Code"))).toEqual([]);
  });
});

describe("numbers whose digits a spreadsheet has dropped", () => {
  const TEXT =
    'id,name,lat,lng,phone\n1,Joe,41.8,-71.4,4.01E+09\n2,Ann,41.8,-71.4,401 555 0100\n3,Bob,41.8,-71.4,"4,02E+09"\n';

  test("are counted in a warning that says what to do", async () => {
    const [warning] = await warningsOf(TEXT);
    expect(warning).toContain("“phone”: 2 of the first 3 rows read 4.01E+09 or similar.");
    expect(warning).toContain("Format the column as text in the spreadsheet");
  });

  test("are not sent, and their rows are matched by the other fields", async () => {
    const { id } = await uploadAndRead(TEXT);
    const asked = (await listings(id)).map(({ status, query }) => [status, (query as { phone?: string }).phone]);
    expect(asked).toEqual([
      ["pending", undefined],
      ["pending", "401 555 0100"],
      ["pending", undefined],
    ]);
  });
});

describe("the phones of a row", () => {
  const HEADER = ["name", "lat", "lng", "phone"];
  const COLUMNS = { name: 0, lat: 1, lng: 2, phone: 3 };
  const asked = (phone: string) => toQuery(["Joe", "41.8", "-71.4", phone], HEADER, COLUMNS).query;
  const noted = (phone: string) => cellNotes(["Joe", "41.8", "-71.4", phone], HEADER, COLUMNS);

  test.each(["0571-82360875;15355037795", "（0571）82360875", "0571–82360875", "٠٢١-١٢٣٤٥٦٧٨", "401 555 0123 / 0124"])(
    "are asked about as they are written: %s",
    (phone) => expect([asked(phone)?.phone, noted(phone)]).toEqual([phone, []]),
  );

  test.each(["95588", "9".repeat(20), `401 555 0100 ${"x".repeat(200)}`])("are noted if unreadable: %s", (phone) => {
    const [note, ...others] = noted(phone);
    expect(asked(phone)).toEqual({ name: "Joe", ll: { lat: 41.8, lng: -71.4 } });
    expect(note).toMatch(/^“phone” reads .*: no telephone number can be read from it, so it is not compared$/);
    expect(others).toEqual([]);
  });

  test.each(["", "-", "n/a", "none"])("are not noted if there are none: %j", (phone) => {
    expect([asked(phone), noted(phone)]).toEqual([{ name: "Joe", ll: { lat: 41.8, lng: -71.4 } }, []]);
  });
});

describe("bytes that are no text in the encoding", () => {
  const LINES = ["id,name,lat,lng,city", "1,Caf\xc3\xa9,41.8,-71.4,Bern", "2,M\xff\xffnchen,41.9,-71.5,Z\xfcrich"];
  const TEXT = Buffer.from(`${LINES.join("\n")}\n3,Joe\xc3\xab,41.8,-71.4,B\xc3\xa4\xc3\xa4\xc3\xa4r\n`, "latin1");

  test("W12: are shown on the page with an example, and their rows are asked about", async () => {
    const { warnings, unreadable } = await previewFile(deps, await upload(TEXT));
    expect(warnings).toEqual([
      expect.stringContaining("1 of the first 3 rows contains characters that cannot be read"),
    ]);
    expect(warnings[0]).toContain("for example “M\uFFFD\uFFFDnchen” (“name”, line 3)");
    expect(unreadable).toBe(0);
    const rows = await listings((await uploadAndRead(TEXT)).id);
    expect(rows.map(({ status }) => status)).toEqual(["pending", "pending", "pending"]);
    expect(rows[1]?.query).toMatchObject({ name: "M\uFFFD\uFFFDnchen", city: "Z\uFFFDrich" });
  });

  test("are noted on the row's page", () => {
    const notes = cellNotes(["2", "M\uFFFDnchen", "Bern"], ["id", "name", "city"], { id: 0, name: 1 });
    expect(notes).toEqual([expect.stringMatching(/^“name” .* are shown as \uFFFD\.$/)]);
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
        fc.pre(!cells.some((text) => /[\ud800-\udbff][\udc00-\udfff]/.test(text))); // two halves make a visible character
        expect(toQuery(cells, HEADER, COLUMNS)).toEqual(expected);
      }),
    );
  });

  test("W12: of every kind fail no row", () => {
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

  test("W12: are removed from the shown values of a column", async () => {
    const { columns } = await previewFile(
      deps,
      await upload("name,lat,lng\n\u202eJoe\u202c 1,41.8,-71.4\n\u202e\u202c,41.8,-71.4\n"),
    );
    expect(columns[0]).toMatchObject({ samples: ["Joe 1"], filled: 0.5 });
  });

  test("W30: words for a missing value, such as n/a, are not among the sample values of a column", async () => {
    const rows = ["#N/A", "n/a", "-", "NULL", "#REF!", "555-0100"].map((phone) => `Joe,41.8,-71.4,${phone}\n`);
    const { columns } = await previewFile(deps, await upload(`name,lat,lng,phone\n${rows.join("")}`));
    expect(columns[3]).toMatchObject({ samples: ["555-0100"] });
  });

  test("W12: stay in the cells of the file, a NUL as ␀", async () => {
    const { id } = await uploadAndRead("id,name,lat,lng\n1,\u202eJoe\u202c,41.8,-71.4\n2,A\0nn,41.8,-71.4\n");
    expect((await listings(id)).map(({ cells, status, query }) => [cells[1], status, query])).toMatchObject([
      ["\u202eJoe\u202c", "pending", { name: "Joe" }],
      ["A␀nn", "pending", { name: "Ann" }],
    ]);
  });
});

test("a preview knows whether it has seen the whole file: neither beyond 2,000 rows nor beyond five parts", async () => {
  const isWhole = async (rows: number, cell = "Joe") =>
    (await previewFile(deps, await upload(`name,lat,lng\n${`${cell},41.8,-71.4\n`.repeat(rows)}`))).isWhole;
  expect([await isWhole(1999), await isWhole(2000), await isWhole(40, "J".repeat(40_000))]).toEqual([
    true,
    false,
    false,
  ]);
});
