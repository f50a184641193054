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

/** An archive of one file (POSIX ustar): a block with its name and size, then its bytes. */
function tarOf(name: string, text: string): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write(Buffer.byteLength(text).toString(8).padStart(11, "0"), 124);
  block.write("ustar", 257);
  const content = Buffer.from(text);
  return Buffer.concat([block, content, Buffer.alloc(1024 + 512 - (content.length % 512))]);
}

const COLLECTION = JSON.stringify({
  type: "FeatureCollection",
  features: [
    { type: "Feature", properties: { name: "Joe" }, geometry: { type: "Point", coordinates: [-71.4222, 41.8236] } },
  ],
});

export const PACKED_FILES: AwkwardFile[] = [
  { what: "GeoJSON in gzip", bytes: gzipSync(COLLECTION) },
  { what: "tar in gzip", bytes: gzipSync(tarOf("places.csv", LIST)) },
  {
    what: "zip of a shapefile",
    bytes: zipOf({ "places.shp": "x", "places.shx": "x", "places.dbf": "x", "places.prj": "x" }),
  },
  { what: "shapefile's .shp alone", bytes: Buffer.from([0, 0, 0x27, 0x0a, ...Buffer.alloc(96)]) },
  {
    what: "KMZ with a picture",
    bytes: zipOf({
      "doc.kml":
        "<kml><Placemark><name>Joe</name><Point><coordinates>-71.4222,41.8236,0</coordinates></Point></Placemark></kml>",
      "images/icon.png": "x",
    }),
  },
  { what: "7-Zip archive", bytes: Buffer.from("377abcaf271c0004aabbccdd00112233", "hex") },
  { what: "RAR archive", bytes: Buffer.from("526172211a0701003392b5e50a010506", "hex") },
  { what: "Zstandard, named .csv", bytes: Buffer.from("28b52ffd0458090000312c4a6f650a99", "hex") },
  { what: "bzip2, named .csv", bytes: Buffer.from("425a683931415926535999aabbccddee", "hex") },
  { what: "xz, named .csv", bytes: Buffer.from("fd377a585a000004e6d6b44602002101", "hex") },
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
