import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { KnownError } from "../../shared/errors.ts";
import { atMost, checkRatio, MOST_UNPACKED } from "./base/limits.ts";
import { unusableFile } from "./base/refusal.ts";
import type { Zip } from "./base/zip.ts";

/** Unpacks gzip. Throws KnownError 400 if it is damaged, 413 for more than `most` bytes. */
export async function* gunzip(bytes: AsyncIterable<Uint8Array>, most = MOST_UNPACKED): AsyncGenerator<Buffer> {
  const unpacked = createGunzip();
  let problem: unknown;
  let packed = 0;
  let size = 0;
  async function* counted() {
    for await (const piece of bytes) {
      packed += piece.length;
      yield piece;
    }
  }
  const done = pipeline(Readable.from(counted(), { objectMode: false }), unpacked).catch((error) => {
    problem = error;
  });
  try {
    for await (const piece of atMost(unpacked, most)) {
      size += piece.length;
      checkRatio(size, packed);
      yield piece;
    }
  } catch (error) {
    await done;
    if (error instanceof KnownError) throw error;
    throw isZlib(error) || isZlib(problem) ? damaged() : (problem ?? error);
  } finally {
    unpacked.destroy();
    await done;
  }
}

const isZlib = (error: unknown): boolean => /^Z_/.test(String((error as { code?: unknown } | undefined)?.code));

const damaged = () =>
  unusableFile(
    "This file is damaged or incomplete: it cannot be unpacked (gzip). Pack it again, then upload it once more.",
  );

/** Folders and what macOS adds are not counted. */
const isOwn = (name: string): boolean => !/\/$|^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(name);

/** Returns `workbook`, or the name of the only file inside. Throws KnownError 400 for anything else. */
export function insideOf({ entries }: Zip): "workbook" | { name: string } {
  if (entries.has("xl/workbook.xml")) return "workbook";
  for (const [name, message] of OTHERS) if (entries.has(name)) throw unusableFile(message);
  const [name, ...others] = [...entries.keys()].filter(isOwn);
  const map = [name, ...others].find((each) => each?.toLowerCase().endsWith(".kml"));
  if (map) return { name: map }; // beside its pictures (KMZ, OGC 12-007r2, annex C)
  if ([name, ...others].some((each) => each?.toLowerCase().endsWith(".shp"))) throw unusableFile(SHAPEFILE);
  if (name === undefined) throw unusableFile("This zip file is empty. Choose a file with at least one row.");
  if (others.length > 0) {
    const names = [name, ...others].slice(0, 3).map((each) => `“${each.slice(0, 60)}”`);
    throw unusableFile(
      `This zip file holds ${others.length + 1} files (${names.join(", ")}${others.length > 2 ? " …" : ""}). Upload the one with the list.`,
    );
  }
  return { name };
}

const OTHERS: [name: string, message: string][] = [
  ["xl/workbook.bin", "This is a binary workbook (.xlsb). Save it as an Excel workbook (.xlsx) or as CSV."],
  ["word/document.xml", "This is a text document (.docx). Put the list into a sheet, and save it as .xlsx or CSV."],
  ["content.xml", "This is an OpenDocument file (.ods). Save the sheet as an Excel workbook (.xlsx) or as CSV."],
  ["Index/Document.iwa", "This is a Numbers workbook. Export it as an Excel workbook (.xlsx) or as CSV."],
];

const SHAPEFILE = "This is a shapefile. Open it in a map program such as QGIS, and export it as GeoJSON or CSV.";
