import { damaged } from "./fault.ts";
import type { Node } from "./footer.ts";
import { type Reader, readSigned, readUnsigned } from "./thrift.ts";

/** Counts the bytes that values take beside their page. Throws ParquetFault for too many. */
export type Charge = (bytes: number) => void;

/** Gives the next values of a page. Nothing is made of a page before its values are asked for, so that a count costs nothing. */
export interface Values {
  /** @throws ParquetFault or RangeError if there are not so many */
  take(count: number): ArrayLike<unknown>;
}

export interface Making {
  charge: Charge;
  /** Makes a value of the bytes of a text, or of a value of a fixed size. */
  make(bytes: Buffer, start: number, end: number): unknown;
}

/** Bytes of a text, and of a view of bytes, beside what it holds. */
const TEXT = 40;
const VIEW = 112;

/** By the numbers of Parquet's Encoding. Dictionaries are the caller's. */
export function valuesOf(encoding: number, bytes: Buffer, node: Node, making: Making): Values {
  const { type } = node;
  if (encoding === 0) return plainValues(bytes, node, making);
  if (encoding === 3 && type === "BOOLEAN") return rleBooleans(bytes);
  if (encoding === 5 && type === "INT32") return { take: deltaIntegers(bytes).take };
  if (encoding === 5 && type === "INT64") return deltaLongs(bytes);
  if (encoding === 6 && type === "BYTE_ARRAY") return deltaLengths(bytes, making);
  if (encoding === 7 && (type === "BYTE_ARRAY" || type === "FIXED_LEN_BYTE_ARRAY")) return deltaTexts(bytes, making);
  if (encoding === 9) return splitValues(bytes, node, making);
  throw damaged(`a column has the encoding ${encoding}`);
}

const WIDTHS: Partial<Record<NonNullable<Node["type"]>, number>> = {
  INT32: 4,
  INT64: 8,
  INT96: 12,
  FLOAT: 4,
  DOUBLE: 8,
};

function widthOf({ type, size }: Node): number {
  const width = type === "FIXED_LEN_BYTE_ARRAY" ? size : WIDTHS[type as NonNullable<Node["type"]>];
  if (!width || width < 0) throw damaged("a column has values of no size");
  return width;
}

function plainValues(bytes: Buffer, node: Node, making: Making): Values {
  if (node.type === "BYTE_ARRAY") return plainTexts(bytes, making);
  if (node.type === "BOOLEAN") return plainBooleans(bytes);
  const width = widthOf(node);
  let at = 0;
  return {
    take(count) {
      const piece = bytes.subarray(at, at + count * width);
      if (piece.length !== count * width) throw damaged("a page has fewer values than it says");
      at += piece.length;
      return fixedValues(piece, count, node, making);
    },
  };
}

/** Interprets values of one width, which stand one after the other. */
function fixedValues(bytes: Buffer, count: number, { type, size }: Node, { charge, make }: Making): unknown[] {
  const values: unknown[] = new Array(count);
  charge(count * 8);
  if (type === "INT32") for (let at = 0; at < count; at++) values[at] = bytes.readInt32LE(at * 4);
  else if (type === "INT64") for (let at = 0; at < count; at++) values[at] = bytes.readBigInt64LE(at * 8);
  else if (type === "FLOAT") for (let at = 0; at < count; at++) values[at] = bytes.readFloatLE(at * 4);
  else if (type === "DOUBLE") for (let at = 0; at < count; at++) values[at] = bytes.readDoubleLE(at * 8);
  else {
    const width = type === "INT96" ? 12 : size;
    charge(count * VIEW);
    for (let at = 0; at < count; at++) values[at] = make(bytes, at * width, (at + 1) * width);
  }
  return values;
}

function plainBooleans(bytes: Buffer): Values {
  let at = 0;
  return {
    take(count) {
      if (at + count > bytes.length * 8) throw damaged("a page has fewer values than it says");
      const values = Array.from({ length: count }, (_, index) => {
        const bit = at + index;
        return (((bytes[bit >> 3] as number) >> (bit & 7)) & 1) === 1;
      });
      at += count;
      return values;
    },
  };
}

function plainTexts(bytes: Buffer, { charge, make }: Making): Values {
  let at = 0;
  return {
    take(count) {
      const before = at;
      const values: unknown[] = [];
      for (let index = 0; index < count; index++) {
        const end = at + 4 + bytes.readUInt32LE(at);
        if (end > bytes.length) throw damaged("a value is longer than its page");
        values.push(make(bytes, at + 4, end));
        at = end;
      }
      charge(count * TEXT + at - before);
      return values;
    },
  };
}

function rleBooleans(bytes: Buffer): Values {
  const runs = hybridRuns(bytes.subarray(4, 4 + bytes.readUInt32LE(0)), 1);
  return { take: (count) => Array.from(runs.take(count), (each) => each === 1) };
}

/** Runs of one value, and values packed into bits, as levels, dictionary indexes and truth values are written. */
export function hybridRuns(bytes: Buffer, width: number): { take(count: number): Uint32Array } {
  if (width > 32) throw damaged("numbers have too many bits");
  const reader: Reader = { bytes, at: 0 };
  let left = 0;
  let value = 0;
  let packedAt = 0;
  let isPacked = false;
  const begin = () => {
    const header = readUnsigned(reader);
    isPacked = header % 2 === 1;
    left = Math.floor(header / 2) * (isPacked ? 8 : 1);
    if (isPacked) {
      packedAt = reader.at * 8;
      reader.at = Math.min(reader.at + (left / 8) * width, bytes.length);
      left = Math.min(left, Math.floor((reader.at * 8 - packedAt) / width)); // a last run may be cut off
    } else {
      const size = (width + 7) >> 3;
      value = bytes.readUIntLE(reader.at, size);
      reader.at += size;
    }
  };
  return {
    take(count) {
      const values = new Uint32Array(count);
      for (let at = 0; at < count && width > 0; ) {
        while (left === 0) begin();
        const end = Math.min(count, at + left);
        left -= end - at;
        if (!isPacked) values.fill(value, at, end);
        else packedAt = unpackBits(bytes, packedAt, width, values, at, end);
        at = end;
      }
      return values;
    },
  };
}

/** Reads numbers of `width` bits, lowest first, from the bit `from` on. Returns the bit behind them. */
function unpackBits(
  bytes: Buffer,
  from: number,
  width: number,
  values: Uint32Array | Int32Array,
  start: number,
  end: number,
): number {
  let bit = from;
  for (let at = start; at < end; at++) {
    let number = 0;
    for (let taken = 0; taken < width; ) {
      const offset = bit & 7;
      const some = Math.min(8 - offset, width - taken);
      if (taken < 32) number |= (((bytes[bit >>> 3] as number) >> offset) & ((1 << some) - 1)) << taken;
      taken += some;
      bit += some;
    }
    values[at] = number;
  }
  return bit;
}

/** A stretch of differences: each is `min` and a number of `width` bits, from the bit `bit` on. */
interface Stretch<T> {
  min: T;
  width: number;
  bit: number;
  count: number;
}

const MOST_BLOCK = 1 << 20;
const MOST_WIDTH = 64;

/** Walks DELTA_BINARY_PACKED, whose blocks have a least difference and several miniblocks of a width each. */
function deltaStretches<T>(bytes: Buffer, readSignedAs: (reader: Reader) => T) {
  const reader: Reader = { bytes, at: 0 };
  const block = readUnsigned(reader);
  const minis = readUnsigned(reader);
  const total = readUnsigned(reader);
  const size = block / minis;
  if (!(block <= MOST_BLOCK && size >= 8 && size % 8 === 0)) throw damaged("a page has blocks of no size");
  const first = readSignedAs(reader);
  let left = total - 1;
  let mini = minis;
  let inMini = 0;
  let widths = 0;
  let width = 0;
  let bit = 0;
  let min: T;
  const begin = () => {
    if (mini === minis) {
      min = readSignedAs(reader);
      widths = reader.at;
      reader.at += minis;
      mini = 0;
    }
    width = bytes.readUInt8(widths + mini++);
    if (width > MOST_WIDTH) throw damaged("numbers have too many bits");
    bit = reader.at * 8;
    reader.at += (size * width) / 8;
    inMini = size;
  };
  return {
    first,
    next(most: number): Stretch<T> {
      if (inMini === 0) begin();
      const stretch = { min, width, bit, count: Math.min(most, inMini, left) };
      bit += stretch.count * width;
      if (stretch.count < 1 || bit > bytes.length * 8) throw damaged("a page has fewer values than it says");
      left -= stretch.count;
      inMini -= stretch.count;
      return stretch;
    },
    /** Returns the place behind the last value. */
    end(): number {
      for (; left > 0; left -= size) begin();
      return reader.at;
    },
  };
}

/** Gives INT32, and lengths, from the byte `from` on. Sums wrap. */
function deltaIntegers(bytes: Buffer) {
  let stretches: ReturnType<typeof deltaStretches<number>> | undefined;
  let value = 0;
  return {
    take(count: number): Int32Array {
      const values = new Int32Array(count);
      let at = 0;
      if (!stretches && count > 0) {
        stretches = deltaStretches(bytes, readSigned);
        value = stretches.first | 0;
        values[at++] = value;
      }
      while (stretches && at < count) {
        const { min, width, bit, count: some } = stretches.next(count - at);
        if (width > 0) unpackBits(bytes, bit, width, values, at, at + some);
        for (const end = at + some; at < end; at++) {
          value = (value + min + (values[at] as number)) | 0;
          values[at] = value;
        }
      }
      return values;
    },
    end: () => deltaStretches(bytes, readSigned).end(),
  };
}

function deltaLongs(bytes: Buffer): Values {
  let stretches: ReturnType<typeof deltaStretches<bigint>> | undefined;
  let value = 0n;
  return {
    take(count) {
      const values = new BigInt64Array(count);
      let at = 0;
      if (!stretches && count > 0) {
        stretches = deltaStretches(bytes, readSignedLong);
        value = BigInt.asIntN(64, stretches.first);
        values[at++] = value;
      }
      while (stretches && at < count) {
        const { min, width, bit, count: some } = stretches.next(count - at);
        for (let index = 0; index < some; index++) {
          value = BigInt.asIntN(64, value + min + longAt(bytes, bit + index * width, width));
          values[at++] = value;
        }
      }
      return values;
    },
  };
}

const WORD = new Uint32Array(2);

function longAt(bytes: Buffer, bit: number, width: number): bigint {
  if (width === 0) return 0n;
  const middle = unpackBits(bytes, bit, Math.min(width, 32), WORD, 0, 1);
  if (width <= 32) return BigInt(WORD[0] as number);
  unpackBits(bytes, middle, width - 32, WORD, 1, 2);
  return (BigInt(WORD[1] as number) << 32n) | BigInt(WORD[0] as number);
}

function readSignedLong(reader: Reader): bigint {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = reader.bytes.readUInt8(reader.at++);
    value |= BigInt(byte & 0x7f) << shift;
    if (shift > 63n) throw damaged("a number is too large");
    if (byte < 0x80) return value & 1n ? -((value + 1n) >> 1n) : value >> 1n;
  }
}

/** Texts whose lengths stand before all of them. */
function deltaLengths(bytes: Buffer, { charge, make }: Making): Values {
  const lengths = deltaIntegers(bytes);
  let at = -1;
  return {
    take(count) {
      if (count === 0) return [];
      if (at < 0) at = lengths.end();
      const before = at;
      const values = Array.from(lengths.take(count), (length) => {
        if (length < 0 || at + length > bytes.length) throw damaged("a value is longer than its page");
        at += length;
        return make(bytes, at - length, at);
      });
      charge(count * TEXT + at - before);
      return values;
    },
  };
}

/** Texts of which each repeats the beginning of the one before, so that few bytes can make many. */
function deltaTexts(bytes: Buffer, { charge, make }: Making): Values {
  const prefixes = deltaIntegers(bytes);
  let ends: Values | undefined;
  let former: Buffer = Buffer.alloc(0);
  return {
    take(count) {
      if (count === 0) return [];
      ends ??= deltaLengths(bytes.subarray(prefixes.end()), {
        charge,
        make: (all, start, end) => all.subarray(start, end),
      });
      const suffixes = ends.take(count) as Buffer[];
      return Array.from(prefixes.take(count), (prefix, index) => {
        const suffix = suffixes[index] as Buffer;
        if (prefix < 0 || prefix > former.length) throw damaged("a value repeats more than there is");
        if (prefix > 0) charge(prefix + suffix.length);
        former = prefix > 0 ? Buffer.concat([former.subarray(0, prefix), suffix]) : suffix;
        return make(former, 0, former.length);
      });
    },
  };
}

/** Values of one width: first the first byte of all, then the second. */
function splitValues(bytes: Buffer, node: Node, making: Making): Values {
  const width = widthOf(node);
  const all = Math.floor(bytes.length / width);
  let from = 0;
  return {
    take(count) {
      if (from + count > all) throw damaged("a page has fewer values than it says");
      const piece = Buffer.allocUnsafeSlow(count * width);
      making.charge(piece.length);
      for (let byte = 0; byte < width; byte++)
        for (let at = 0; at < count; at++) piece[at * width + byte] = bytes[byte * all + from + at] as number;
      from += count;
      return fixedValues(piece, count, node, making);
    },
  };
}
