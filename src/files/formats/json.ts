import { givingWay } from "../../shared/csv/give-way.ts";
import { readLines } from "../../shared/csv/lines.ts";
import { decodeText, type Encoding } from "../../shared/csv/text.ts";
import { unusableFile } from "./base/refusal.ts";
import type { Table } from "./base/rows.ts";
import { type Source, slice } from "./base/source.ts";
import { toDegrees } from "./crs.ts";
import { type Feature, type Fields, fieldsOf, isFeature, isFound, isRounded, SHAPE } from "./fields.ts";
import { jsonTokens } from "./json-tokens.ts";
import { findKeyed, findPlace, type JsonValue, jsonValues, type Place, tooDeep } from "./json-values.ts";
import { RECORD_SEPARATOR } from "./kinds.ts";
import { type FieldRecord, NO_RECORDS, tableOf } from "./records.ts";

const LOOKED_AT = 256 * 1024;
/** Characters shown of what cannot be read. */
const SHOWN = 1000;

/** Reads a list of objects, objects one after the other or one a line, or GeoJSON. */
export async function readJson(
  source: Source,
  { encoding, mostColumns, mostRows }: { encoding: Encoding; mostColumns: number; mostRows: number },
): Promise<Table> {
  const { crs, isGeo, isLines, texts } = await openJson(source, encoding);
  const put = isGeo ? toDegrees(crs) : undefined;
  async function* read(): AsyncGenerator<FieldRecord[]> {
    for await (const values of texts())
      yield values.flatMap((value) => {
        const record = recordOf(value) ?? [];
        if (put && "fields" in record && record.fields) put(record.fields, SHAPE);
        return record;
      });
  }
  const kind = isGeo ? "geojson" : "json";
  return { isLines, format: { kind, hasHeader: true }, rows: await tableOf(read, mostColumns, mostRows) };
}

async function openJson(source: Source, encoding: Encoding) {
  const text = () => decodeText(source.bytes(), encoding);
  const begin = new TextDecoder(encoding).decode(await slice(source, 0, LOOKED_AT));
  const isLines = hasRecordPerLine(begin);
  const place = isLines ? undefined : await placeIn(begin, text());
  const isGeo = /"type"\s*:\s*"Feature(?:Collection)?"/.test(begin);
  async function* texts(): AsyncGenerator<JsonValue[]> {
    if (isLines) return yield* jsonLines(text());
    let number = 0;
    for await (const values of jsonValues(text(), place)) yield values.map((value) => ({ ...value, line: ++number }));
  }
  return { isGeo, isLines, crs: isGeo ? await crsOf(source, begin) : undefined, texts };
}

/** Records may be the members of an object, unless a list stands beside these. */
async function placeIn(begin: string, text: AsyncIterable<string>): Promise<Place> {
  const list = await findPlace(text);
  const depth = list?.names.length ?? Number.POSITIVE_INFINITY;
  const keyed = depth > 1 ? await findKeyed(begin) : undefined;
  return keyed && depth > keyed.names.length + 1 ? keyed : list;
}

/** An object as the file has it. */
export interface OwnRecord {
  line: number;
  /** Of a feature its properties. Numbers are JSON.rawJSON() where another program would read another type or value. */
  fields: object;
  /** The other members of a feature; the geometry only if it is in degrees, and the owner's. */
  feature?: { id?: unknown; geometry?: unknown };
}

/** Yields the records of a file that was read before, and nothing for what is no object. */
export async function* ownRecords(source: Source, encoding: Encoding): AsyncGenerator<OwnRecord[]> {
  const { crs, texts } = await openJson(source, encoding);
  const giveWay = givingWay();
  for await (const values of texts()) {
    const records: OwnRecord[] = [];
    for (const { line, text = "", key } of values) {
      const own = parsed(text, UNLIKE.test(text) ? asWritten : undefined);
      if (typeof own !== "object" || own === null || Array.isArray(own)) continue;
      const fields = key === undefined ? own : { key, ...own };
      records.push({ line, ...(isFeature(own) ? featureIn(own, crs) : { fields }) });
      await giveWay();
    }
    yield records;
  }
}

function featureIn({ properties, geometry, ...rest }: Feature, crs: string | undefined): Omit<OwnRecord, "line"> {
  const fields = properties ?? {};
  const isOwn = crs === undefined && !isFound(fields);
  return { fields, feature: { ...rest, ...(isOwn && { geometry }) } };
}

/** Numbers that JavaScript may write in another way: long ones, 1.0, 1e5, -0. */
const UNLIKE = /[\d.]{16}|\.\d*0(?!\d)|\d[eE]|-0/;

function asWritten(_: string, value: unknown, { source = "" }: { source?: string } = {}): unknown {
  return typeof value === "number" ? rawJSON(source) : value;
}

/** A function of ECMAScript 2026, which TypeScript's libraries do not have yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Finds the reference system that GeoJSON had before RFC 7946. It stands before the features, or after them. */
async function crsOf(source: Source, begin: string): Promise<string | undefined> {
  const end = await slice(source, Math.max(source.size - BEHIND, 0), source.size);
  const [, name] = CRS.exec(begin) ?? CRS.exec(end.toString()) ?? [];
  return name;
}

const BEHIND = 4096;
const CRS = /"crs"\s*:\s*\{[^{}]*\{[^{}]*"name"\s*:\s*"([^"]+)"/;

function hasRecordPerLine(begin: string): boolean {
  const text = begin.replaceAll(RECORD_SEPARATOR, "").trimStart();
  const end = text.search(/[\r\n]/);
  if (end < 0 || !text.startsWith("{") || !text.slice(end).trimStart().startsWith("{")) return false;
  return parsed(text.slice(0, end)) !== undefined;
}

async function* jsonLines(text: AsyncIterable<string>): AsyncGenerator<JsonValue[]> {
  for await (const lines of readLines(text))
    yield lines.flatMap(({ number, text: line, isTooLong }) => {
      const plain = line.replaceAll(RECORD_SEPARATOR, "");
      return plain.trim() === "" ? [] : [{ line: number, text: isTooLong ? undefined : plain }];
    });
}

/** Returns nothing for an empty list or collection. */
function recordOf({ text, line, key }: JsonValue): FieldRecord | undefined {
  if (text === undefined) return { line, problem: "long" };
  const value = parsed(text);
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { line, problem: "json", text: text.slice(0, SHOWN) };
  if (isByColumn(value)) throw unusableFile(NO_RECORDS);
  return (value as { type?: unknown }).type === "FeatureCollection"
    ? undefined
    : { line, fields: unlessDeep(key === undefined ? value : { key, ...value }) };
}

/** Lines are read whole, however deep; what is deeper than some thousand levels cannot be written as text again. */
function unlessDeep(value: object): Fields {
  try {
    return fieldsOf(value);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}

/** What pandas writes by default, with orient="columns" or "split": an object of all values of each column. */
function isByColumn(value: object): boolean {
  const { columns, data } = value as { columns?: unknown; data?: unknown };
  if (Array.isArray(columns) && Array.isArray(data)) return true;
  const all = Object.values(value);
  return (
    all.length > 0 &&
    all.every((each) => each !== null && typeof each === "object" && Object.hasOwn(each, "0") && !Array.isArray(each))
  );
}

/** Whole numbers that JavaScript may round, and those that it may find infinite; decimals lose no digit that matters. */
const LONG_NUMBER = /[[:,]\s*-?(?:\d{16}|[\d.]+e\+?\d{3})/i;

/**
 * Parses JSON, with numbers as text if they have more digits than JavaScript keeps, and what Python writes for missing numbers
 * as null. Returns undefined if it is none.
 */
function parsed(text: string, reviver: typeof keepDigits | undefined = keepDigitsOf(text)): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    const plain = /NaN|Infinity/.test(text) ? withNulls(text) : text;
    return plain === text ? undefined : parsed(plain, reviver);
  }
}

const keepDigitsOf = (text: string) => (LONG_NUMBER.test(text) ? keepDigits : undefined);

function withNulls(text: string): string {
  const source = jsonTokens();
  source.push(text);
  let plain = "";
  let at = 0;
  for (let token = source.next(); token; token = source.next()) {
    if (token.sign !== "other" || !/^(?:NaN|-?Infinity)$/.test(text.slice(token.from, token.to))) continue;
    plain += `${text.slice(at, token.from)}null`;
    at = token.to;
  }
  return plain + text.slice(at);
}

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const isLost = typeof value === "number" && (isRounded(value) || !Number.isFinite(value));
  return isLost ? (context?.source ?? value) : value;
}
