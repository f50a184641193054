import { describe, expect, test } from "vitest";
import type { Prisma } from "../../src/db/generated/client.ts";
import { beginAgain } from "../../src/harmonize/file/begin-again.ts";
import { readParts } from "../../src/harmonize/file/parts.ts";
import { previewFile } from "../../src/harmonize/file/preview.ts";
import { startFiles } from "./file-reader.ts";

const { database, deps, load, upload, read, uploadAndRead, listings } = await startFiles();
const { prisma, pool } = database;

/** Begins again with other columns, and reads the rows. */
async function again(from: string, more: Prisma.HarmonizationUncheckedUpdateInput = {}) {
  const id = await beginAgain(deps, await load(from));
  await prisma.harmonization.update({ where: { id }, data: { state: "reading", ...more } });
  await read(await load(id));
  return load(id);
}

const rowsOf = async (id: string) => (await listings(id)).map(({ number, line, cells }) => ({ number, line, cells }));
const codesOf = async (id: string) =>
  (await listings(id)).map(({ problem }) => (problem as { code: string } | null)?.code);

describe("a file that is begun again", () => {
  const ODD = Buffer.concat([
    Buffer.from("Our stores;;;\n\nid;name;lat;lng;note\n"),
    Buffer.from(`1;Caf\xe9 Zo\xeb;41,8;-71,4;\n\n\n2;"Joe's ""Pizza""; etc";41,9;-71,5;"in two\nlines"\n`, "latin1"),
    Buffer.from('3;"Broken;42;-71;\n4;Too;42;-71;x;y;z\n5;"Broken" too;42;-71;\n6;Short\n'),
    Buffer.from('7;Nu\0l;42;-71;\n8;\'=SUM(1);42;-71; kept \n9;"a | b, c";42;-71;""\n'),
  ]);

  test("W14: has the same rows on the same lines, in whatever way they were written, and the broken ones fail again", async () => {
    const first = await uploadAndRead(ODD, { name: "shops / of May" });
    expect(first).toMatchObject({ format: { headerLine: 3, separator: ";", encoding: "windows-1252" } });
    const before = await rowsOf(first.id);
    const failed = ["unreadable_line", "too_many_cells", "unreadable_line", "no_place"];
    const codes = [undefined, undefined, ...failed, undefined, undefined, undefined];
    expect([before.map(({ line }) => line), await codesOf(first.id)]).toEqual([
      [4, 7, 9, 10, 11, 12, 13, 14, 15],
      codes,
    ]);
    const id = await beginAgain(deps, first);
    const { name, header, columns } = first;
    expect(await load(id)).toMatchObject({ state: "draft", name, header, columns, listingCount: 0, trial: null });
    expect((await previewFile(deps, await load(id))).columns[1]?.samples).toContain("Caf\xe9 Zo\xeb");
    let from = first.id;
    for (let times = 0; times < 2; times += 1) {
      from = (await again(from)).id;
      expect([await rowsOf(from), await codesOf(from)]).toEqual([
        before,
        codes.map((code) => code?.replace("unreadable_line", "too_many_cells")),
      ]);
    }
    expect([await rowsOf(first.id), await load(first.id)]).toEqual([before, first]);
  });

  test("is read by its new columns, and keeps what was decided where the edition before is named", async () => {
    const text = "id,name,lat,lng,phone\n1,Joe,41.8,-71.4,\n2,Ann,41.9,-71.5,401 555 0100\n3,Bob,42,-71.6,\n";
    const columns = { id: 0, name: 1, lat: 2, lng: 3 };
    const first = await uploadAndRead(text, { columns });
    const decided = { decision: "matched" as const, venueId: "v", venueName: "The Venue", decidedAt: new Date() };
    await prisma.listing.updateMany({ where: { harmonizationId: first.id, number: { in: [1, 2] } }, data: decided });
    const next = await again(first.id, { columns: { ...columns, phone: 4 }, previousId: first.id });
    expect((await listings(next.id)).map(({ decision, query }) => [decision, query])).toMatchObject([
      ["matched", { name: "Joe" }],
      [null, { name: "Ann", phone: "401 555 0100" }],
      [null, { name: "Bob" }],
    ]);
    expect((await load(first.id)).columns).toEqual(columns);
    expect(await load(await beginAgain(deps, next))).toMatchObject({ columns: next.columns, previousId: first.id });
  });

  test("has no names of columns where it had none, and the separator it had", async () => {
    const first = await uploadAndRead("1\tJoe\t41.8\t-71.4\n2\tAnn, Bob\t41.9\t-71.5\n");
    expect(first.format).toEqual({ encoding: "utf-8", separator: "\t", hasHeader: false });
    const next = await again(first.id);
    expect([next.format, next.header, await rowsOf(next.id)]).toEqual([
      first.format,
      first.header,
      await rowsOf(first.id),
    ]);
  });

  test("W14: stays on its lines, however many blank ones are above them", async () => {
    const first = await uploadAndRead(`id,name,lat,lng\n1,Joe,41.8,-71.4\n${"\n".repeat(100_000)}2,Ann,41.9,-71.5\n`);
    const next = await again(first.id);
    expect((await rowsOf(next.id)).map(({ line }) => line)).toEqual([2, 100_003]);
  });
});

const CSV = "id,name,lat,lng\n1,Joe,41.8,-71.4\n2,Ann,41.9,-71.5\n";

test("one that was cancelled while it was read begins again with its file as it came", async () => {
  const { id, format } = await upload(Buffer.from(CSV, "utf16le"), { state: "cancelled" });
  expect(format.encoding).toBe("utf-16le");
  const next = await load(await beginAgain(deps, await load(id)));
  expect(next.format).toEqual(format);
  const parts: Buffer[] = [];
  for await (const bytes of readParts(pool, next.id)) parts.push(bytes);
  expect(Buffer.concat(parts).toString("utf16le")).toBe(CSV);
});

test("one that is being read says so, and one that is deleted meanwhile leaves nothing", async () => {
  const reading = await upload(CSV, { state: "reading" });
  await expect(beginAgain(deps, reading)).rejects.toMatchObject({ status: 409, code: "being_read" });
  const found = await uploadAndRead(CSV);
  await prisma.listing.deleteMany({ where: { harmonizationId: found.id } });
  const before = [await prisma.harmonization.count(), await prisma.filePart.count()];
  await expect(beginAgain(deps, found)).rejects.toMatchObject({ status: 409, code: "deleted" });
  expect([await prisma.harmonization.count(), await prisma.filePart.count()]).toEqual(before);
});
