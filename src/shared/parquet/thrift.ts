import { damaged } from "./fault.ts";

/** Bytes in Thrift's compact protocol, and how far they are read. Reading behind their end throws RangeError. */
export interface Reader {
  bytes: Buffer;
  at: number;
}

const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I16 = 4;
const I32 = 5;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const SET = 10;
const STRUCT = 12;
/** Levels of structures within others; Parquet's own need eight. */
const MOST_DEPTH = 32;

/** Reads a field by its type; without one it is skipped. Nothing is kept but what these keep. */
export type Fields = Record<number, (type: number) => void>;

export function readStruct(reader: Reader, fields: Fields): void {
  let id = 0;
  for (;;) {
    const byte = reader.bytes.readUInt8(reader.at++);
    const type = byte & 0x0f;
    if (type === 0) return;
    id = byte >> 4 ? id + (byte >> 4) : readSigned(reader);
    const read = fields[id];
    if (read) read(type);
    else skip(reader, type, 0);
  }
}

/** @throws ParquetFault for a number that a double cannot hold exactly; no size, count or offset of a file is one */
export function readInteger(reader: Reader, type: number): number {
  if (type === BYTE) return reader.bytes.readInt8(reader.at++);
  if (type !== I16 && type !== I32 && type !== I64) throw damaged("a number is none");
  return readSigned(reader);
}

export function readBoolean(type: number): boolean {
  if (type !== TRUE && type !== FALSE) throw damaged("a truth value is none");
  return type === TRUE;
}

/** The bytes stay those of the reader. */
export function readBinary(reader: Reader, type: number): Buffer {
  if (type !== BINARY) throw damaged("a text is none");
  const size = readUnsigned(reader);
  if (size > reader.bytes.length - reader.at) throw damaged("a text is longer than what holds it");
  reader.at += size;
  return reader.bytes.subarray(reader.at - size, reader.at);
}

export const readText = (reader: Reader, type: number): string => readBinary(reader, type).toString();

/** Reads a list of structures. An element has at least one byte, so that a claimed length is never believed. */
export function readList<T>(reader: Reader, type: number, read: () => T): T[] {
  const { size, element } = readListHeader(reader, type);
  if (size > 0 && element !== STRUCT) throw damaged("a list has other elements");
  const found: T[] = [];
  for (let at = 0; at < size; at++) found.push(read());
  return found;
}

function readListHeader(reader: Reader, type: number): { size: number; element: number } {
  if (type !== LIST && type !== SET) throw damaged("a list is none");
  const byte = reader.bytes.readUInt8(reader.at++);
  const size = byte >> 4 === 15 ? readUnsigned(reader) : byte >> 4;
  if (size > reader.bytes.length - reader.at) throw damaged("a list is longer than what holds it");
  return { size, element: byte & 0x0f };
}

function skip(reader: Reader, type: number, depth: number): void {
  if (depth > MOST_DEPTH) throw damaged("structures are nested too deeply");
  if (type === TRUE || type === FALSE) return;
  if (type === BYTE) reader.at += 1;
  else if (type === I16 || type === I32 || type === I64) skipVarint(reader);
  else if (type === DOUBLE) reader.at += 8;
  else if (type === BINARY) readBinary(reader, type);
  else if (type === LIST || type === SET) {
    const { size, element } = readListHeader(reader, type);
    for (let at = 0; at < size; at++) skip(reader, element === TRUE || element === FALSE ? BYTE : element, depth + 1);
  } else if (type === STRUCT) skipStruct(reader, depth);
  else throw damaged(`there is a field of the type ${type}`);
}

function skipStruct(reader: Reader, depth: number): void {
  for (;;) {
    const byte = reader.bytes.readUInt8(reader.at++);
    if ((byte & 0x0f) === 0) return;
    if (byte >> 4 === 0) skipVarint(reader);
    skip(reader, byte & 0x0f, depth + 1);
  }
}

function skipVarint(reader: Reader): void {
  while (reader.bytes.readUInt8(reader.at++) & 0x80);
}

/** A number of seven bits a byte, lowest first (ULEB128). */
export function readUnsigned(reader: Reader): number {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = reader.bytes.readUInt8(reader.at++);
    value += (byte & 0x7f) * factor;
    if (value > Number.MAX_SAFE_INTEGER) throw damaged("a number is too large");
    if (byte < 0x80) return value;
  }
}

/** The same with the sign in the lowest bit (zigzag). */
export function readSigned(reader: Reader): number {
  const value = readUnsigned(reader);
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

/** A field of a structure as it is written, without its header. Truth values have no bytes: their type says which. */
export interface Field {
  type: number;
  bytes: Buffer;
}

/** A structure as it is written, by the ids of its fields. Fields that nobody knows stay what they are. */
export function splitStruct(reader: Reader): Map<number, Field> {
  const fields = new Map<number, Field>();
  let id = 0;
  for (;;) {
    const byte = reader.bytes.readUInt8(reader.at++);
    const type = byte & 0x0f;
    if (type === 0) return fields;
    id = byte >> 4 ? id + (byte >> 4) : readSigned(reader);
    const from = reader.at;
    skip(reader, type, 0);
    fields.set(id, { type, bytes: reader.bytes.subarray(from, reader.at) });
  }
}

export const joinStruct = (fields: ReadonlyMap<number, Field>): Buffer =>
  Buffer.concat([
    ...[...fields].flatMap(([id, { type, bytes }]) => [Buffer.of(type), unsigned(id * 2), bytes]),
    Buffer.of(0),
  ]);

/** The structures of a list; none if there is no list. */
export function splitList(field: Field | undefined): Buffer[] {
  if (!field) return [];
  const reader = { bytes: field.bytes, at: 0 };
  return readList(reader, field.type, () => {
    const from = reader.at;
    skipStruct(reader, 0);
    return reader.bytes.subarray(from, reader.at);
  });
}

export const listField = (structs: readonly Buffer[]): Field => ({
  type: LIST,
  bytes: Buffer.concat([Buffer.of(0xf0 | STRUCT), unsigned(structs.length), ...structs]),
});

export const integerIn = ({ type, bytes }: Field): number => readInteger({ bytes, at: 0 }, type);

/** Not below zero. */
export const integerField = (type: number, value: number): Field => ({ type, bytes: unsigned(value * 2) });

function unsigned(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80);
  return Buffer.from([...bytes, left]);
}
