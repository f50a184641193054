import { describe, expect, test } from "vitest";
import { tellingLines } from "../../../src/files/encoding/encoding.ts";
import { beginAgain } from "../../../src/harmonize/file/begin-again.ts";
import { rereadFile } from "../../../src/harmonize/file/layout.ts";
import { previewFile } from "../../../src/harmonize/file/preview.ts";
import { ENCODINGS, type Encoding, encodingCalled } from "../../../src/shared/csv/text.ts";
import { encode, guessed, lists } from "./encode.ts";
import { startFiles } from "./reader.ts";

const { deps, database, upload, uploadAndRead, load, listings } = await startFiles();
const { signal } = new AbortController();

const read = (bytes: Buffer, encoding: Encoding) => new TextDecoder(encoding).decode(bytes);

describe("the encoding of a file", () => {
  test.each(lists(5))("is guessed so that five rows read as they were written: %s", async (encoding, text) => {
    const bytes = encode(text, encoding);
    expect(read(bytes, await guessed(bytes))).toBe(read(bytes, encoding));
  });

  test.each(lists(60))("and sixty rows: %s", async (encoding, text) => {
    const bytes = encode(text, encoding);
    expect(read(bytes, await guessed(bytes, 700))).toBe(read(bytes, encoding));
  });

  test.each([
    "Caf\xe9",
    "S\xe3o Paulo",
    "1,Caf\xe9 Zo\xeb,41.8",
    "M\xfcller",
    "O\x92Brien\x92s",
    "Espa\xf1a",
    "\xc5ngstr\xf6m",
  ])("of a few Western letters is Windows-1252: %j", async (text) =>
    expect(await guessed(Buffer.from(`name\n${text}\n`, "latin1"))).toBe("windows-1252"),
  );

  test("is guessed though the first of its letters are megabytes in", async () => {
    const plain = Buffer.from("1,Joe's Pizza,12 Main Street,Warwick,41.8,-71.4\n".repeat(100_000));
    for (const encoding of ["windows-1251", "gb18030", "shift_jis"] as const) {
      const [, text = ""] = lists(20).find(([each]) => each === encoding) ?? [];
      expect(await guessed(Buffer.concat([plain, encode(text, encoding)]), 256 * 1024)).toBe(encoding);
    }
  });

  test("W12: is guessed of any bytes, from a few of them", async () => {
    const bytes = (length: number, byte: (at: number) => number) =>
      Buffer.from(Array.from({ length }, (_, at) => byte(at)));
    const files = [
      ...[0x80, 0x81, 0xa0, 0xff, 0x1b].map((byte) => Buffer.alloc(100_000, byte)),
      bytes(100_000, (at) => 128 + ((at * 7919) % 128)),
      bytes(100_000, (at) => (at % 3 ? 0xe9 : 0x20)),
      bytes(100_000, (at) => (at % 2 ? 0x0a : 0xe9)),
      Buffer.from("\x1b$B\x1b(B".repeat(15_000)),
      Buffer.from("\xe9\r".repeat(50_000), "latin1"),
    ];
    for (const file of files) {
      expect(ENCODINGS).toContain(await guessed(file, 9999));
      const lines = tellingLines();
      for (let at = 0; at < file.length; at += 9999) lines.see(file.subarray(at, at + 9999));
      expect(lines.lines().length).toBeLessThanOrEqual(36 * 1024);
    }
  });

  test("can be named in the ways that programs write it", () => {
    const labels = [
      "GBK",
      "gb2312",
      "cp1251",
      "latin1",
      "SJIS",
      "windows-31j",
      "ks_c_5601-1987",
      "KOI8-R",
      "iso-8859-9",
    ];
    const named = ["gb18030", "gb18030", "windows-1251", "windows-1252", "shift_jis", "shift_jis", "euc-kr", "koi8-r"];
    expect(labels.map(encodingCalled)).toEqual([...named, "windows-1254"]);
    expect(["", "ebcdic", "utf-7", "x-user-defined"].map(encodingCalled)).toEqual(Array(4).fill(undefined));
    for (const encoding of ENCODINGS) expect(encodingCalled(encoding)).toBe(encoding);
  });
});

describe("a file in another encoding than was guessed", () => {
  const [, text = ""] = lists(8).find(([encoding]) => encoding === "windows-1251") ?? [];
  const BYTES = encode(text, "windows-1251");
  const namesOf = async (id: string) => (await listings(id)).map(({ query }) => (query as { name: string }).name);

  test("is read again as its owner says, from the same bytes", async () => {
    const draft = await upload(BYTES);
    expect(draft.format.encoding).toBe("windows-1251");
    await rereadFile(deps, draft, { ...draft.format, encoding: "koi8-r" }, signal);
    const wrong = await load(draft.id);
    expect((await previewFile(deps, wrong)).columns[1]?.samples).not.toContain("Кафе Пушкин");
    await rereadFile(deps, wrong, { ...wrong.format, encoding: "windows-1251" }, signal);
    expect((await previewFile(deps, await load(draft.id))).columns[1]?.samples).toContain("Кафе Пушкин");
    const parts = await database.prisma.filePart.findMany({ where: { harmonizationId: draft.id } });
    expect(Buffer.concat(parts.map(({ bytes }) => bytes)).equals(BYTES)).toBe(true);
  });

  test("also when it is begun again after it was matched", async () => {
    const format = { ...(await upload(BYTES)).format, encoding: "big5" as const };
    const first = await uploadAndRead(BYTES, { format });
    expect(await namesOf(first.id)).not.toContain("Кафе Пушкин");
    const draft = await load(await beginAgain(deps, first));
    expect([draft.state, draft.format.encoding, draft.size]).toEqual(["draft", "big5", BigInt(BYTES.length)]);
    await rereadFile(deps, draft, { ...draft.format, encoding: "windows-1251" }, signal);
    const { columns } = await previewFile(deps, await load(draft.id));
    expect(columns[1]?.samples).toContain("Кафе Пушкин");
  });
});
