import * as zlib from "node:zlib";
import { damaged, ParquetFault } from "./fault.ts";
import type { Codec } from "./footer.ts";

/** Unpacks a page of exactly `size` bytes. No codec makes more than that, whatever its bytes say. */
export function unpack(codec: Codec, packed: Buffer, size: number): Buffer {
  const unpacked = unpackAs(codec, packed, size);
  if (unpacked.length !== size) throw damaged("a page has another size than it says");
  return unpacked;
}

function unpackAs(codec: Codec, packed: Buffer, size: number): Buffer {
  // In one piece, so that a page is not in memory twice when its pieces are joined; a byte more shows that it ends.
  const most = { maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size + 1, LEAST_CHUNK) };
  if (codec === "UNCOMPRESSED") return packed;
  if (codec === "SNAPPY") return unpackSnappy(packed, size);
  if (codec === "ZSTD") return zlib.zstdDecompressSync(packed, most);
  if (codec === "GZIP") return zlib.gunzipSync(packed, most);
  if (codec === "BROTLI") return zlib.brotliDecompressSync(packed, most);
  if (codec === "LZ4_RAW") return unpackLz4(packed, size);
  if (codec === "LZ4") return unpackFramedLz4(packed, size);
  throw new ParquetFault("codec", codec);
}

/** https://github.com/google/snappy/blob/main/format_description.txt */
function unpackSnappy(packed: Buffer, size: number): Buffer {
  const unpacked = Buffer.allocUnsafe(size);
  let from = 0;
  let to = 0;
  while ((packed[from++] as number) >= 0x80); // the size again
  while (from < packed.length) {
    const tag = packed[from++] as number;
    if ((tag & 3) === 0) {
      let length = tag >> 2;
      if (length >= 60) {
        const bytes = length - 59;
        length = packed.readUIntLE(from, bytes);
        from += bytes;
      }
      to = copyIn(packed, from, unpacked, to, length + 1);
      from += length + 1;
    } else if ((tag & 3) === 1) {
      to = repeat(unpacked, to, ((tag >> 5) << 8) | packed.readUInt8(from), ((tag >> 2) & 7) + 4);
      from += 1;
    } else {
      const bytes = (tag & 3) === 2 ? 2 : 4;
      to = repeat(unpacked, to, packed.readUIntLE(from, bytes), (tag >> 2) + 1);
      from += bytes;
    }
  }
  return unpacked.subarray(0, to);
}

/**
 * Hadoop, and Arrow like it, frame what they name LZ4: the size of a piece as unpacked, then blocks until it is reached, each behind
 * its size as packed. Others write a block alone. It begins with literals, which as a size would be above that of any page.
 */
function unpackFramedLz4(packed: Buffer, size: number): Buffer {
  if (packed.length < 4 || packed.readUInt32BE(0) > size) return unpackLz4(packed, size);
  const unpacked = Buffer.allocUnsafe(size);
  let at = 0;
  let to = 0;
  while (at < packed.length) {
    const end = to + packed.readUInt32BE(at);
    at += 4;
    while (to < end) {
      const length = packed.readUInt32BE(at);
      at += 4;
      if (at + length > packed.length) throw damaged("a page has a block that is larger than it");
      to = unpackBlock(packed.subarray(at, at + length), unpacked, to);
      at += length;
    }
  }
  return unpacked.subarray(0, to);
}

function unpackLz4(packed: Buffer, size: number): Buffer {
  const unpacked = Buffer.allocUnsafe(size);
  return unpacked.subarray(0, unpackBlock(packed, unpacked, 0));
}

/** https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md. Returns the place behind what it has put at `start`. */
function unpackBlock(packed: Buffer, unpacked: Buffer, start: number): number {
  const reader = { at: 0 };
  const lengthOf = (nibble: number): number => {
    let length = nibble;
    for (let byte = nibble === 15 ? 255 : 0; byte === 255; length += byte) byte = packed.readUInt8(reader.at++);
    return length;
  };
  let to = start;
  while (reader.at < packed.length) {
    const token = packed.readUInt8(reader.at++);
    const literals = lengthOf(token >> 4);
    to = copyIn(packed, reader.at, unpacked, to, literals);
    reader.at += literals;
    if (reader.at >= packed.length) break;
    const offset = packed.readUInt16LE(reader.at);
    reader.at += 2;
    to = repeat(unpacked, to, offset, lengthOf(token & 15) + 4);
  }
  return to;
}

function copyIn(from: Buffer, start: number, to: Buffer, at: number, length: number): number {
  if (start + length > from.length || at + length > to.length) throw damaged("a page unpacks to more than it says");
  if (length > SHORT) from.copy(to, at, start, start + length);
  else for (let index = 0; index < length; index++) to[at + index] = from[start + index] as number;
  return at + length;
}

/** Copies what stands `offset` bytes before; it may reach into itself. */
function repeat(bytes: Buffer, at: number, offset: number, length: number): number {
  if (offset === 0 || offset > at || at + length > bytes.length) throw damaged("a page repeats what is not there");
  if (length > SHORT && offset >= length) bytes.copyWithin(at, at - offset, at - offset + length);
  else for (let index = at; index < at + length; index++) bytes[index] = bytes[index - offset] as number;
  return at + length;
}

/** The smallest `chunkSize` that Node takes. */
const LEAST_CHUNK = 64;
/** Bytes that are copied faster one by one. */
const SHORT = 24;
