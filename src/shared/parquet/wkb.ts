import type { Geometry } from "../geometry.ts";
import { damaged } from "./fault.ts";

const TYPES = [
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
] as const;
const MOST_LEVELS = 32;

interface Cursor {
  bytes: Buffer;
  at: number;
}

/** Reads a geometry in well-known binary (OGC 06-103r4, section 8; Z and M as in ISO's and in PostGIS' numbers). */
export function geometryOf(bytes: Buffer): Geometry {
  return readGeometry({ bytes, at: 0 }, 0);
}

function readGeometry(cursor: Cursor, depth: number): Geometry {
  if (depth > MOST_LEVELS) throw damaged("a geometry is nested too deeply");
  const isLittle = cursor.bytes.readUInt8(cursor.at++) === 1;
  const integer = () => {
    cursor.at += 4;
    return isLittle ? cursor.bytes.readUInt32LE(cursor.at - 4) : cursor.bytes.readUInt32BE(cursor.at - 4);
  };
  const double = () => {
    cursor.at += 8;
    return isLittle ? cursor.bytes.readDoubleLE(cursor.at - 8) : cursor.bytes.readDoubleBE(cursor.at - 8);
  };
  const code = integer();
  const isZ = code & 0x80000000;
  const isM = code & 0x40000000;
  const hasSystem = code & 0x20000000;
  if (hasSystem) integer();
  const plain = code & 0x0fffffff;
  const iso = Math.floor(plain / 1000);
  const dimensions = 2 + (isZ || iso === 1 || iso === 3 ? 1 : 0) + (isM || iso === 2 || iso === 3 ? 1 : 0);
  const position = () => Array.from({ length: dimensions }, double);
  // A count is never believed: each of them has at least four bytes, and reading behind the end throws.
  const several = <T>(read: () => T): T[] => {
    const found: T[] = [];
    for (let left = integer(); left > 0; left--) found.push(read());
    return found;
  };
  const inside = () => readGeometry(cursor, depth + 1);
  const type = TYPES[(plain % 1000) - 1];
  if (type === "Point") return { type, coordinates: position() };
  if (type === "LineString") return { type, coordinates: several(position) };
  if (type === "Polygon") return { type, coordinates: several(() => several(position)) };
  if (type === "GeometryCollection") return { type, geometries: several(inside) };
  if (type) return { type, coordinates: several(inside).map(({ coordinates }) => coordinates) };
  throw damaged(`there is a geometry of the type ${code}`);
}
