import type { Charge, Making } from "./encodings.ts";
import { damaged } from "./fault.ts";
import type { Node } from "./footer.ts";
import { geometryOf } from "./wkb.ts";

export interface Conversion {
  /** Bytes without a meaning, and geometries, stay bytes. */
  keepsBytes: boolean;
}

/** Bytes of a decimal with 76 digits, Parquet's most. */
const LONGEST_DECIMAL = 32;
/** Objects of a parsed text or geometry take some times its bytes. */
const PARSED = 8;

/** Says how to make a value of bytes: a text, number or Date, or what JSON or a geometry hold. */
export function makingOf({ type, meaning, ...node }: Node, { keepsBytes }: Conversion, charge: Charge): Making["make"] {
  const parsed = (parse: (value: Buffer) => unknown) => (bytes: Buffer, start: number, end: number) => {
    charge((end - start) * PARSED);
    return parse(bytes.subarray(start, end));
  };
  const each = (convert: (value: Buffer) => unknown) => (bytes: Buffer, start: number, end: number) =>
    convert(bytes.subarray(start, end));
  if (type === "INT96") return each((value) => new Date(Number(nanosecondsOf(value) / 1_000_000n)));
  if (meaning === "decimal") return each((value) => Number(integerOf(value)) * 10 ** -node.scale);
  if (meaning === "json") return parsed((value) => JSON.parse(textOf(value, 0, value.length)));
  if (meaning === "geometry" && !keepsBytes) return parsed(geometryOf);
  if (meaning === "uuid") return each(uuidOf);
  if (meaning === "float16") return each(halfOf);
  if (meaning === "text" || (type === "BYTE_ARRAY" && !keepsBytes)) return textOf;
  return each((value) => value);
}

/** Says what a number means, if it is not itself. */
export function conversionOf({ type, meaning, scale }: Node): ((value: never) => unknown) | undefined {
  const isInt = type === "INT32";
  const isLong = type === "INT64";
  if (meaning === "decimal" && (isInt || isLong)) return (value: number | bigint) => Number(value) * 10 ** -scale;
  if (meaning === "date" && isInt) return (value: number) => new Date(value * 86_400_000);
  if (meaning === "milliseconds" && isLong) return (value: bigint) => new Date(Number(value));
  if (meaning === "microseconds" && isLong) return (value: bigint) => new Date(Number(value / 1000n));
  if (meaning === "nanoseconds" && isLong) return (value: bigint) => new Date(Number(value / 1_000_000n));
  if (meaning === "unsigned" && isInt) return (value: number) => value >>> 0;
  if (meaning === "unsigned" && isLong) return (value: bigint) => BigInt.asUintN(64, value);
  return undefined;
}

/** Without a byte order mark. */
function textOf(bytes: Buffer, start: number, end: number): string {
  const hasMark = end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
  return bytes.toString("utf8", hasMark ? start + 3 : start, end);
}

/** Reads two's complement, highest byte first. */
function integerOf(value: Buffer): bigint {
  if (value.length > LONGEST_DECIMAL) throw damaged("a decimal is too long");
  return value.length === 0 ? 0n : BigInt.asIntN(value.length * 8, BigInt(`0x${value.toString("hex")}`));
}

/** Nanoseconds of a day and its Julian number, since 1970. */
const nanosecondsOf = (value: Buffer): bigint =>
  BigInt(value.readInt32LE(8) - 2_440_588) * 86_400_000_000_000n + value.readBigInt64LE(0);

function uuidOf(value: Buffer): string {
  const hex = value.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

function halfOf(value: Buffer): number {
  const bits = value.readUInt16LE();
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * 2 ** -14 * (fraction / 1024);
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}
