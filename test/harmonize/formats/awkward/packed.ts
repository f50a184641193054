import { gzipSync } from "node:zlib";
import { zipOf } from "../workbooks.ts";
import { type AwkwardFile, LIST } from "./file.ts";

const PACKED = gzipSync(LIST);

/** The flag of an entry that is encrypted, in its own header and in the directory (APPNOTE 4.4.4). */
async function encryptedZip(): Promise<Buffer> {
  const zip = await zipOf({ "places.csv": LIST });
  for (const [magic, at] of [
    ["504b0304", 6],
    ["504b0102", 8],
  ] as const) {
    const flags = zip.indexOf(Buffer.from(magic, "hex")) + at;
    zip.writeUInt16LE(zip.readUInt16LE(flags) | 1, flags);
  }
  return zip;
}

export const PACKED_FILES: AwkwardFile[] = [
  { what: "gzip cut off in the middle", bytes: PACKED.subarray(0, PACKED.length / 2) },
  { what: "gzip of gzip", bytes: gzipSync(PACKED) },
  { what: "zip of an encrypted file", bytes: encryptedZip() },
  {
    what: "zip of a folder with a list and what macOS adds",
    bytes: zipOf({ "list/": "", "list/places.csv": LIST, "__MACOSX/list/._places.csv": "x" }),
  },
  { what: "zip of three lists, named .csv", bytes: zipOf({ "a.csv": LIST, "b.csv": LIST, "c.csv": LIST }) },
  { what: "zip without a file", bytes: zipOf({ "list/": "" }) },
];
