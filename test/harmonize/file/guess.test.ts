import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { refuseOtherFiles } from "../../../src/files/encoding/encoding.ts";
import { type Row, readRows } from "../../../src/files/formats/table.ts";
import { guessLayout } from "../../../src/files/guess/guess.ts";
import { columnsOf as columnsFor } from "../../../src/harmonize/export/columns.ts";
import { readCsv } from "../../../src/shared/csv/csv.ts";
import { readLines } from "../../../src/shared/csv/lines.ts";

const guess = (text: string, given = {}) =>
  guessLayout(Buffer.from(text), { isWhole: true, encoding: "utf-8", mostColumns: 500, ...given });
const columnsOf = async (...lines: string[]) => (await guess(`${lines.join("\n")}\n`)).columns;

async function rowsOf(text: string) {
  const { format, header } = await guess(text);
  const rows: Row[] = [];
  for await (const row of readRows(Readable.from([Buffer.from(text)]), format, header)) rows.push(row);
  return { format, header, rows };
}

describe("the guess of columns", () => {
  test.each([
    ["Store #|Name", ["101|Joe's Pizza", "102|Ann's Pub"], { id: 0, name: 1 }],
    ["Store|Store Name", ["101|Joe's Pizza", "102|Ann's Pub"], { id: 0, name: 1 }],
    ["Store|Store Name", ["Subway|Subway Mall", "Subway|Subway Main"], { name: 1 }],
    ["Filiale|Name", ["Nord|Joe's Pizza", "Ost|Ann's Pub"], { name: 1 }],
    ["Company|Name", ["Joe LLC|Joe's Pizza", "Ann LLC|Ann's Pub"], { name: 1 }],
    ["Name|Company", ["7|Joe's Pizza", "8|Ann's Pub"], { id: 0, name: 1 }],
    ["Filiale|City", ["Nord|Bern", "Ost|Basel"], { name: 0, city: 1 }],
    ["No|Name", ["1|Joe's Pizza", "2|Ann's Pub"], { id: 0, name: 1 }],
    ["Name|Type", ["Joe's Pizza|Customer", "Ann's Pub|Prospect", "Bo's|Partner"], { name: 0 }],
    ["Name|Type", ["Joe's Pizza|Restaurant", "Ann's Pub|Customer service", "Bo's|Bäckerei"], { name: 0, category: 1 }],
    ["No|Name|Store ID", ["1|Joe's Pizza|A1", "2|Ann's Pub|A2"], { name: 1, id: 2 }],
  ])("finds names, ids and kinds: %s %j", async (header, rows, columns) => {
    expect(await columnsOf(header, ...rows)).toEqual(columns);
  });

  test("finds streets under a name that says nothing, but not in notes that name some", async () => {
    const rows = ["Joe's|2677 W Shore Rd|Warwick", "Ann's|445 Hartford Ave|Providence", "Bo's|200 Post Rd|Warwick"];
    const notes = [
      "Joe's|near Post Rd, ring|Warwick",
      "Ann's|call Bob at 5|Providence",
      "Bo's|moved to the Ave|Warwick",
    ];
    expect(await columnsOf("Shop|Where|Town", ...rows)).toEqual({ name: 0, address: 1, city: 2 });
    expect(await columnsOf("Shop|Remarks|Town", ...notes)).toEqual({ name: 0, city: 2 });
  });

  test("takes remarks of some rows for neither town nor name, and no remark for a town beside a street that names its own", async () => {
    const rows = (town: string, remark: string) => [
      `Joe's Pizza|2677 W Shore Rd${town}|`,
      `Ann's Pub|445 Hartford Ave${town}|${remark}`,
      `Bo's Diner|200 Post Rd${town}|`,
    ];
    expect(await columnsOf("What|Where|Remarks", ...rows("", "ring first"))).toEqual({ name: 0, address: 1 });
    const whole = rows(", Lowport", "ring first").map((row) => row.replace(/[|]$/, "|not before ten"));
    expect(await columnsOf("What|Where|Remarks", ...whole)).toEqual({ name: 0, wholeAddress: 1 });
  });

  test.each(["Place", "Location", "Row", "City", "Ort", "Filiale", "Name", "Standort", "Lugar"])(
    "finds everything in one cell under “%s”",
    async (name) => {
      const whole = [
        "Mignonette, 301 Wickenden St, Providence, RI 02903",
        "Blue State, 300 Thayer St, Providence, RI 02906",
      ];
      const bare = ["301 Wickenden St, Providence RI", "300 Thayer St Providence RI"];
      for (const cells of [whole, bare]) {
        expect(await columnsOf(`Phone|${name}`, ...cells.map((cell, at) => `401 555 010${at}|${cell}`))).toEqual({
          ...{ phone: 0, wholeAddress: 1 },
        });
        expect(await columnsOf(name, ...cells.map((cell) => `"${cell}"`))).toEqual({ wholeAddress: 0 });
      }
    },
  );

  test("leaves out what an export added, also one of an export", async () => {
    const format = { encoding: "utf-8", separator: ",", hasHeader: true } as const;
    // With names that may say nothing, too.
    const columnsIn = async (...lines: string[]) => (await guess(`${lines.join("\n")}\n`, { hasHeader: true })).columns;
    for (const options of [
      { format: "csv", hasCandidates: true },
      { format: "geojson", hasCandidates: false },
      { format: "failed", hasCandidates: false },
    ] as const)
      for (const header of [
        ["Cust. No.", "Shop", "Where"],
        ["id", "name", "address", "score", "reason"],
        ["Alpha", "Beta", "Gamma"],
      ]) {
        const row = (at: number) => [`C${at}`, `Shop ${"abc"[at]}`, `${at + 1} Mill St, Lowport, ME 04098`, "9", "new"];
        const rows = [0, 1, 2].map((at) => row(at).slice(0, header.length));
        const own = await columnsIn(...[header, ...rows].map((cells) => cells.join("\t")));
        const named = (all: string[]) =>
          columnsFor({ header: all, columns: {}, name: "x.csv", format }, options).map(([name]) => name);
        const ours = ["v1", "0.9", "matched", "rule", "2026-01-02T03:04:05Z", "same name", "", "venue"];
        for (const all of [named(header), named(named(header))]) {
          const cells = rows.map((each) => all.map((_, at) => each[at] ?? ours[(at - header.length) % ours.length]));
          expect([all, await columnsIn(...[all, ...cells].map((each) => each.join("\t")))]).toEqual([all, own]);
        }
      }
  });

  test.each([
    ["Nom|N°|Rue", ["Joe|12|Rue de Rome", "Ann|14|Rue du Lac"], { name: 0, address: [1, 2] }],
    ["Shop|Via|N°", ["Joe|Via Roma|12", "Ann|Via Po|14"], { name: 0, address: [1, 2] }],
    ["Shop|House No|Street", ["Joe|12|High Street", "Ann|14|Low Street"], { name: 0, address: [1, 2] }],
    ["Shop|Elevation|City", ["Joe|120|Bern", "Ann|123|Basel"], { name: 0, city: 2 }],
    ["City|Elevation|Shop", ["Bern|120|Joe", "Basel|123|Ann"], { city: 0, name: 2 }],
  ])("does not take house numbers and heights for ids: %s", async (header, rows, columns) => {
    expect(await columnsOf(header, ...rows)).toEqual(columns);
  });

  test.each(["Notes", "Note", "Comments", "Bemerkung", "Observaciones", "Remarks"])(
    "does not take the owner's own words for a description, which everybody can read: %s",
    async (name) => {
      expect(await columnsOf(`Name|${name}|Description`, "Joe|Call Maria|A pub")).toEqual({ name: 0, description: 2 });
      expect(await columnsOf(`Name|${name}`, "Joe|Call Maria")).toEqual({ name: 0 });
    },
  );

  test("ignores accents and signs in column names", async () => {
    const header = "Название|Почтовый индекс|カテゴリ|X (Twitter)";
    expect(await columnsOf(header, "Кафе|101000|food|joe")).toEqual({ name: 0, zip: 1, category: 2, twitter: 3 });
  });
});

describe("the guess of columns without a header", () => {
  test("finds the columns of the example without its first line", async () => {
    const [names = "", ...rows] = readFileSync("examples/listings.csv", "utf8").split("\n");
    const { format, columns } = await guess(rows.join("\n"));
    expect(format.hasHeader).toBe(false);
    expect(columns).toEqual((await guess(`${names}\n${rows.join("\n")}`)).columns);
  });

  test.each([
    [
      [
        "Bäckerei Müller;Hauptstr. 5;01067;Dresden",
        "Filiale 7;Königsallee 60;40212;Düsseldorf",
        "Adler;Am Markt 3;79098;Köln",
      ],
      { name: 0, address: 1, zip: 2, city: 3 },
    ],
    [
      [
        "1001|Subway|12 Main St|Boston|MA|02110|US|42.3601, -71.0589",
        "1002|Subway|7 Elm St|Salem|MA|01970|US|42.5195, -70.8967",
      ],
      { id: 0, name: 1, address: 2, city: 3, state: 4, zip: 5, country: 6, ll: 7 },
    ],
    [
      [
        "Warwick,Joe's Pizza,12 Main St,RI,(401) 555-0101,www.joes.com",
        "Warwick,Ann's Pub,14 Main St,RI,(401) 555-0102,anns.com",
      ],
      { city: 0, name: 1, address: 2, state: 3, phone: 4, url: 5 },
    ],
    [
      ["西湖茶馆;0571–82360875，15355037795;41.8231;-71.4128", "灵隐面馆;（0571）82360876;41.8242;-71.4119"],
      { name: 0, phone: 1, lat: 2, lng: 3 },
    ],
    [
      ["Joe's Pizza,Restaurant,41.8231,-71.4128", "Deli 24,Deli,41.8242,-71.4119", "Ann's,Restaurant,41.8253,-71.4101"],
      { name: 0, lat: 2, lng: 3 },
    ],
    [
      ["A,B,C,D", "N-1,Joe's Pizza,12 Main St,Warwick", "N-2,Ann's Pub,14 Main St,Warwick"],
      { id: 0, name: 1, address: 2, city: 3 },
    ],
  ])("finds the columns of %j", async (lines, columns) => {
    expect(await columnsOf(...lines)).toEqual(columns);
  });
});

test("a first line of words is no header if one of them recurs in its column", async () => {
  const { format, columns } = await guess("Joe's Pizza,Warwick\nAnn's Pub,Salem\nBob's Grill,Warwick\n");
  expect([format.hasHeader, columns]).toEqual([false, { name: 0, city: 1 }]);
  expect((await guess("Joe's Pizza,Warwick\nAnn's Pub,Salem\n")).format.hasHeader).toBe(true);
});

describe("a file written by a spreadsheet", () => {
  test("W14: may have extra cells at line ends only if they are empty", async () => {
    const { format, rows } = await rowsOf(`id;name\n${"1;Joe, Ann;\n".repeat(20)}2;Bob; ;\n3;Cleo;;x\n`);
    expect(format.separator).toBe(";");
    const failed = rows.flatMap(({ line, problem }) => (problem ? [[line, problem.code]] : []));
    expect(failed).toEqual([[23, "too_many_cells"]]);
  });

  test("may name its separator in the first line, without changing line numbers", async () => {
    const { format, header, rows } = await rowsOf("sep=;\r\nname;city, state\r\nJoe;a, b\r\nAnn;c, d\r\n");
    expect([format, header]).toEqual([{ encoding: "utf-8", separator: ";", hasHeader: true }, ["name", "city, state"]]);
    expect(rows.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [3, "Joe"],
      [4, "Ann"],
    ]);
    expect((await guess("sep=|\nname|a,b\nJoe,1|x\n")).format.separator).toBe("|");
  });

  test("may have a title above its header, which is skipped", async () => {
    const title = 'Stores as of "May", 2026,,\n\n,,,\n';
    const { format, header, rows } = await rowsOf(`${title}id,name,city,zip\n1,Joe,Bern,3000\n2,Ann,Basel,4000\n`);
    expect([format.headerLine, header]).toEqual([4, ["id", "name", "city", "zip"]]);
    expect(rows.map(({ line }) => line)).toEqual([5, 6]);
  });

  test("keeps its first row if no header follows, and uses a given header line", async () => {
    const text = "Joe,,,\nAnn,Bern,3000,x\nBob,Basel,4000,y\n";
    expect((await guess(text)).format.headerLine).toBeUndefined();
    expect(await guess(text, { hasHeader: true, headerLine: 2, separator: "," })).toMatchObject({
      ...{ header: ["Ann", "Bern", "3000", "x"], format: { headerLine: 2 } },
    });
    await expect(guess(text, { hasHeader: true, headerLine: 9 })).rejects.toThrow("from line 9 on");
  });
});

test("W11: unclosed quotes in every line do not cost a hundred times the file size", async () => {
  const lines = 2000;
  const line = `x","${'a","'.repeat(50)}y`;
  const text = `"${line}\n${`${line}\n`.repeat(lines - 1)}`;
  let read = 0;
  const counted = String.prototype.slice;
  const records = readCsv(readLines(Readable.from([text])), { separator: "," });
  String.prototype.slice = function (...given) {
    read += 1;
    return counted.apply(this, given);
  };
  let count = 0;
  try {
    for await (const _ of records) count += 1;
  } finally {
    String.prototype.slice = counted;
  }
  expect(count).toBe(lines);
  expect(read).toBeLessThan(lines * 52 * 25);
});

test.each([
  ["PNG", Buffer.from("89504e470d0a1a0a", "hex"), /PNG/],
  ["HTML", Buffer.from("\uFEFF\n<!DOCTYPE html><title>List</title>"), /web page/],
  ["zeros", Buffer.alloc(5000), /NUL/],
])("W11: %s is rejected as no CSV with a message", (_, bytes, words) => {
  expect(() => refuseOtherFiles(bytes)).toThrow(words);
});

test("one NUL, UTF-16 and markup in a cell do not count as another file type", () => {
  const fine = ["name,city\nJoe\0,Bern\n", "<b>name</b>,city\n", "name,ort\n"].map((text) => Buffer.from(text));
  for (const bytes of [...fine, Buffer.from("name,city\nJoe,Bern\n", "utf16le")]) refuseOtherFiles(bytes);
});
