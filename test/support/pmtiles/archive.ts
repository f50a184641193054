import { gzipSync } from "node:zlib";
import { zxyToTileId } from "pmtiles";
import { varint } from "./vector-tile.ts";

export interface Tile {
  z: number;
  x: number;
  y: number;
  content: Buffer;
}

interface Described {
  metadata: object;
  /** West, south, east, north. */
  bounds: [number, number, number, number];
}

/** Writes a PMTiles file, version 3, with gzip and a root directory only. */
export function encodeArchive(tiles: Tile[], { metadata, bounds }: Described): Buffer {
  const entries = tiles
    .map(({ z, x, y, content }) => ({ id: zxyToTileId(z, x, y), content: gzipSync(content) }))
    .sort((a, b) => a.id - b.id);
  const root = gzipSync(directoryOf(entries));
  const described = gzipSync(JSON.stringify(metadata));
  const data = Buffer.concat(entries.map(({ content }) => content));
  const header = Buffer.alloc(127);
  header.write("PMTiles", "latin1");
  header[7] = 3;
  const sections = [root.length, described.length, 0, data.length];
  let offset = header.length;
  for (const [index, length] of sections.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + index * 16);
    header.writeBigUInt64LE(BigInt(length), 16 + index * 16);
    offset += length;
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(entries.length), at);
  header.set([1, 2, 2, 1, Math.min(...tiles.map(({ z }) => z)), Math.max(...tiles.map(({ z }) => z))], 96);
  for (const [index, degrees] of bounds.entries()) header.writeInt32LE(Math.round(degrees * 1e7), 102 + index * 4);
  return Buffer.concat([header, root, described, data]);
}

function directoryOf(entries: { id: number; content: Buffer }[]): Buffer {
  const ids = entries.map(({ id }, index) => id - (entries[index - 1]?.id ?? 0));
  // The offset 0 says that a tile follows the one before.
  const offsets = entries.map((_entry, index) => (index === 0 ? 1 : 0));
  const lengths = entries.map(({ content }) => content.length);
  return Buffer.concat([entries.length, ...ids, ...entries.map(() => 1), ...lengths, ...offsets].map(varint));
}
