import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { longestWait } from "../../../bench/support/longest-wait.ts";
import { startFiles } from "../file/reader.ts";
import { textRows, workbookOf, zipOf } from "./workbooks.ts";

const { database, upload } = await startFiles();
const MB = 1024 * 1024;

/** Gzip of so many MB of a text, in little time: the members follow each other. */
const gzipOf = (megabytes: number, text: string): Buffer =>
  Buffer.concat(Array(megabytes).fill(gzipSync(Buffer.alloc(MB, text))));

const ROWS = textRows([
  ["name", "city"],
  ["A", "B"],
]);
/** A workbook with so many MB of XML in a sheet or in the shared texts. */
async function book(part: "sheet" | "texts", piece: string, megabytes: number): Promise<Buffer> {
  const filler = piece.repeat(Math.ceil((megabytes * MB) / piece.length));
  if (part === "sheet") return workbookOf({ sheets: [{ name: "A", rows: ROWS + filler }] });
  const plain = await workbookOf({ sheets: [{ name: "A", rows: ROWS }] });
  const { fromBufferPromise } = await import("yauzl");
  const zip = await fromBufferPromise(plain, { lazyEntries: true });
  const files: Record<string, Buffer> = {};
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const each of await zip.openReadStreamPromise(entry)) pieces.push(each);
    files[entry.fileName] = Buffer.concat(pieces);
  }
  files["xl/sharedStrings.xml"] = Buffer.from(`<sst>${filler}</sst>`);
  return zipOf(files);
}

/** A zip file that says that its file has other sizes than it has. */
async function lyingZip(): Promise<Buffer> {
  const zip = await zipOf({ "a.csv": Buffer.alloc(5 * MB, "a,b\n") });
  const directory = zip.lastIndexOf(Buffer.from("504b0102", "hex"));
  zip.writeUInt32LE(10, directory + 24);
  return zip;
}

describe("F36: a small file that unpacks to a large one is refused with advice, in little memory and without blocking others:", () => {
  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ["gzip of 100 MB in 100 KB", () => gzipOf(100, "a,b\n"), /more than 200 times as large.*Split it/],
    [
      "gzip of gzip of gzip of gzip of gzip",
      () => [1, 2, 3, 4].reduce((inner) => gzipSync(inner), gzipSync("a,b\n1,2\n")),
      /packed several times/,
    ],
    [
      "zip of 3,000 files",
      () => zipOf(Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`${at}.csv`, "a"]))),
      /3,000 files or sheets; the limit is 2000/,
    ],
    ["zip that hides its size", lyingZip, /damaged/],
    [
      "workbook with 60 MB of different texts",
      () =>
        book(
          "texts",
          Array.from(
            { length: 3500 },
            () => `<si><t>${"x".repeat(15_000)}${randomBytes(150).toString("base64")}</t></si>`,
          ).join(""),
          60,
        ),
      /more than 48 MB.*Split it/,
    ],
    ["workbook with a text of 8 MB", () => book("texts", "x".repeat(MB), 8), /damaged/],
    ["workbook with entities", () => book("texts", '<!DOCTYPE a [<!ENTITY b "c">]>&b;', 1), /damaged/],
    ["JSON nested a million times", () => Buffer.from(`[{"a":${"[".repeat(MB)}`), /nested more than 200 levels/],
    [
      "GeoJSON without an end of its first feature",
      () => Buffer.from(`{"type":"FeatureCollection","features":[{"a":"${"x".repeat(3 * MB)}`),
      /no records/,
    ],
    ["half a Parquet file", () => Buffer.from("PAR1PAR1PAR1"), /damaged/],
  ])(
    "F36: %s",
    async (_, make, words) => {
      const file = await make();
      global.gc?.();
      const before = process.memoryUsage().rss;
      let most = before;
      const timer = setInterval(() => {
        most = Math.max(most, process.memoryUsage().rss);
      }, 20);
      const { wait } = await longestWait(async () => {
        await expect(upload(file)).rejects.toThrow(words);
      });
      clearInterval(timer);
      expect((most - before) / MB).toBeLessThan(200); // some 100 in a process of its own
      expect(wait).toBeLessThan(1000); // some 60 ms on a machine that does nothing else
      expect(await database.prisma.filePart.count()).toBe(0);
    },
    60_000,
  );
});

test("F36: thousands of fields of different names become columns as far as the limit goes", async () => {
  const records = Array.from({ length: 3000 }, (_, at) => `{"name":"A","key ${at}":1}`);
  const { header } = await upload(`[${records.join(",")}]`);
  expect([header.length, header[0], header.at(-1)]).toEqual([500, "name", "other fields"]);
});
