import { unpack } from "./codecs.ts";
import { type Conversion, conversionOf, makingOf } from "./convert.ts";
import { type Charge, hybridRuns, type Values, valuesOf } from "./encodings.ts";
import { damaged, tooLarge } from "./fault.ts";
import type { Chunk, Node, ParquetLimits, ParquetSource } from "./footer.ts";
import { type Fields, type Reader, readBoolean, readInteger, readStruct } from "./thrift.ts";

/** What rows have in one column: an entry for a value, for what is missing, and for each further element of a list. */
export interface Entries {
  count: number;
  /** Those that are there. */
  values: unknown[];
  /** Level of each entry; undefined if all are there. */
  definitions: Uint32Array | undefined;
  /** Level at which each entry repeats: 0 begins a row. Undefined outside of lists. */
  repetitions: Uint32Array | undefined;
}

export interface Reading extends Conversion {
  source: ParquetSource;
  limits: ParquetLimits;
  /** Counts what is held until all rows of the group are read, or less. Throws ParquetFault for too much. */
  hold: Charge;
  /** Counts what the values of dictionaries take, which are kept beside. */
  keep: Charge;
  /** Counts what the values of a batch take. */
  charge: Charge;
}

interface Page {
  /** Entries that were not taken yet. */
  left: number;
  definitions: Runs | undefined;
  repetitions: Runs | undefined;
  values: Values;
}
type Runs = ReturnType<typeof hybridRuns>;

/** Entries of which the repetition levels are read at once, and bytes of one. */
const AHEAD = 1024;
const ENTRY = 16;

/** Gives the rows of a column one batch after the other, with one page in memory. */
export function openColumn(reading: Reading, chunk: Chunk): { take(rows: number): Promise<Entries> } {
  const pages = pagesOf(reading, chunk);
  let page: Page | undefined;
  const nextPage = async (): Promise<Page | undefined> => {
    while (!page?.left) {
      const { done, value } = await pages.next();
      if (done) return undefined;
      page = value;
    }
    return page;
  };
  return chunk.node.repeats > 0 ? listColumn(reading, chunk, nextPage) : flatColumn(chunk, nextPage);
}

type NextPage = () => Promise<Page | undefined>;

function flatColumn({ node }: Chunk, nextPage: NextPage): ReturnType<typeof openColumn> {
  const entriesOf = takerOf(node);
  return {
    async take(rows) {
      const entries: Entries[] = [];
      for (let left = rows; left > 0; ) {
        const page = await nextPage();
        if (!page) throw damaged("a column has fewer values than rows");
        const count = Math.min(left, page.left);
        page.left -= count;
        left -= count;
        entries.push(entriesOf(page, count));
      }
      return joined(entries);
    },
  };
}

/** A row ends where the next one begins, which may be on a later page, so levels are read ahead of values. */
function listColumn({ charge }: Reading, { node }: Chunk, nextPage: NextPage): ReturnType<typeof openColumn> {
  const entriesOf = takerOf(node);
  let page: Page | undefined;
  let ahead: Uint32Array = new Uint32Array(0);
  return {
    async take(rows) {
      const entries: Entries[] = [];
      for (let begun = 0; ; ) {
        if (ahead.length === 0) {
          page = await nextPage();
          ahead = page?.repetitions?.take(Math.min(AHEAD, page.left)) ?? ahead;
          if (!page && begun < rows) throw damaged("a column has fewer values than rows");
          if (page) page.left -= ahead.length;
        }
        let count = 0;
        for (; count < ahead.length; count++) {
          if (ahead[count] !== 0) continue;
          if (begun === rows) break;
          begun += 1;
        }
        if (begun === 0 && count > 0) throw damaged("a list begins within another");
        charge(count * ENTRY);
        if (page && count > 0) entries.push(entriesOf(page, count, ahead.subarray(0, count)));
        const isEnd = !page || count < ahead.length;
        ahead = ahead.subarray(count);
        if (isEnd) return joined(entries);
      }
    },
  };
}

/** Takes entries of a page, with the values of those that are there. */
function takerOf(node: Node) {
  const convert = conversionOf(node);
  return (page: Page, count: number, repetitions?: Uint32Array): Entries => {
    const definitions = page.definitions?.take(count);
    const taken = page.values.take(definitions ? countOf(definitions, node.definition) : count);
    const values = convert ? Array.from(taken as ArrayLike<never>, convert) : (taken as unknown[]);
    return { count, values, definitions, repetitions };
  };
}

function countOf(levels: Uint32Array, wanted: number): number {
  let count = 0;
  for (const level of levels) if (level === wanted) count += 1;
  return count;
}

function joined(pieces: Entries[]): Entries {
  const [first] = pieces;
  if (pieces.length === 1 && first) return first;
  const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
  const levels = (of: "definitions" | "repetitions") => first?.[of] && new Uint32Array(count);
  const all: Entries = { count, values: [], definitions: levels("definitions"), repetitions: levels("repetitions") };
  let at = 0;
  for (const { count: own, values, definitions, repetitions } of pieces) {
    for (const value of values) all.values.push(value);
    if (definitions) all.definitions?.set(definitions, at);
    if (repetitions) all.repetitions?.set(repetitions, at);
    at += own;
  }
  return all;
}

interface Header {
  kind: number;
  packed: number;
  unpacked: number;
  values: number;
  encoding: number;
  /** Of version 2: bytes of levels, which are never packed, and whether the values are. */
  levels: { definitions: number; repetitions: number; isPacked: boolean } | undefined;
  /** Bytes of the header itself. */
  size: number;
}

const DATA = 0;
const DICTIONARY = 2;
const DATA_2 = 3;
const DICTIONARY_ENCODINGS = [2, 8];
const PIECE = 16 * 1024;
const LONGEST_HEADER = 1024 * 1024;
/** Values of a dictionary that are made at once. */
const SOME = 1024;
/** Pages of a column that have no values; each takes time. */
const MOST_IDLE = 1000;

/** Yields the pages of a column, of which each holds its place in memory until the next one is asked for. */
async function* pagesOf(reading: Reading, chunk: Chunk): AsyncGenerator<Page> {
  const { limits, hold } = reading;
  const file = windowOf(reading, chunk);
  const end = chunk.start + chunk.bytes;
  let left = chunk.values;
  let idle = 0;
  let dictionary: unknown[] | undefined;
  for (let at = chunk.start; left > 0; ) {
    if (at >= end) throw damaged("a column has fewer values than it says");
    const header = await readHeader(file, at, end);
    const { kind, packed, unpacked, values } = header;
    at += header.size;
    if (packed < 0 || at + packed > end) throw damaged("a page is larger than its column");
    if (unpacked < 0 || values < 0) throw damaged("a page has less than nothing");
    if (unpacked > limits.page) throw tooLarge("a page is too large");
    if (kind === DICTIONARY) {
      if (dictionary) throw damaged("a column has two dictionaries");
      dictionary = await readDictionary(reading, chunk, await file.bytes(at, at + packed), header);
    } else if (kind === DATA || kind === DATA_2) {
      if (values > left) throw damaged("a page has more values than its column");
      left -= values;
      hold(unpacked);
      yield pageOf(reading, chunk, { bytes: await file.bytes(at, at + packed), header, dictionary });
      hold(-unpacked);
    }
    const isIdle = values === 0 || (kind !== DATA && kind !== DATA_2);
    idle += isIdle ? 1 : 0;
    if (idle > MOST_IDLE) throw damaged("a column has too many pages of nothing");
    at += packed;
  }
}

/** Reads a column's bytes, some ahead of what is asked for, because headers have no known size. */
function windowOf({ source, hold }: Reading, { start, bytes }: Chunk) {
  let piece: Buffer = Buffer.alloc(0);
  let from = start;
  return {
    async bytes(first: number, last: number): Promise<Buffer> {
      if (first >= from && last <= from + piece.length) return piece.subarray(first - from, last - from);
      hold(last - first);
      const found = await source.read(first, last);
      hold(first - last);
      if (found.length !== last - first) throw damaged("the file ends too early");
      return found;
    },
    async ahead(first: number, most: number): Promise<Buffer> {
      const last = Math.min(first + most, start + bytes);
      if (last > from + piece.length || first < from) {
        hold(last - first - piece.length);
        piece = await source.read(first, last);
        from = first;
      }
      return piece.subarray(first - from);
    },
  };
}

async function readHeader(file: ReturnType<typeof windowOf>, at: number, end: number): Promise<Header> {
  const bytes = await file.ahead(at, Math.min(PIECE, end - at));
  try {
    return parseHeader({ bytes, at: 0 });
  } catch (error) {
    // Its statistics may be long.
    if (bytes.length >= end - at || bytes.length >= LONGEST_HEADER) throw error;
    return parseHeader({ bytes: await file.ahead(at, LONGEST_HEADER), at: 0 });
  }
}

function parseHeader(reader: Reader): Header {
  const header: Header = { kind: -1, packed: -1, unpacked: -1, values: 0, encoding: -1, levels: undefined, size: 0 };
  const integer = (put: (value: number) => void) => (type: number) => put(readInteger(reader, type));
  const values = integer((value) => {
    header.values = value;
  });
  const encoding = integer((value) => {
    header.encoding = value;
  });
  const levels = { definitions: 0, repetitions: 0, isPacked: true };
  const inside = (fields: Fields) => () => readStruct(reader, fields);
  readStruct(reader, {
    1: integer((value) => {
      header.kind = value;
    }),
    2: integer((value) => {
      header.unpacked = value;
    }),
    3: integer((value) => {
      header.packed = value;
    }),
    5: inside({ 1: values, 2: encoding }),
    7: inside({ 1: values, 2: encoding }),
    8: inside({
      1: values,
      4: encoding,
      5: integer((value) => {
        levels.definitions = value;
      }),
      6: integer((value) => {
        levels.repetitions = value;
      }),
      7: (type) => {
        levels.isPacked = readBoolean(type);
      },
    }),
  });
  if (header.kind === DATA_2) header.levels = levels;
  return { ...header, size: reader.at };
}

/** Makes a dictionary's values in pieces, so that one too large is noticed before it is made. */
async function readDictionary({ hold, keep, ...reading }: Reading, chunk: Chunk, packed: Buffer, header: Header) {
  hold(header.unpacked);
  const bytes = unpack(chunk.codec, packed, header.unpacked);
  const values: unknown[] = [];
  const stored = valuesOf(0, bytes, chunk.node, { charge: keep, make: makingOf(chunk.node, reading, keep) });
  for (let left = header.values; left > 0; left -= SOME) {
    const some = stored.take(Math.min(left, SOME));
    for (let at = 0; at < some.length; at++) values.push(some[at]);
  }
  return values;
}

function pageOf(
  reading: Reading,
  { node, codec }: Chunk,
  { bytes: packed, header, dictionary }: { bytes: Buffer; header: Header; dictionary: unknown[] | undefined },
): Page {
  const { unpacked, values: left, encoding, levels } = header;
  let bytes = packed;
  if (!levels) bytes = unpack(codec, packed, unpacked);
  else if (levels.definitions < 0 || levels.repetitions < 0 || levels.definitions + levels.repetitions > packed.length)
    throw damaged("the levels of a page are larger than it");
  let at = 0;
  const runs = (most: number, size: number | undefined) => {
    if (most === 0 && !size) return undefined;
    const length = size ?? bytes.readUInt32LE(at);
    at += size === undefined ? 4 + length : length;
    if (at > bytes.length) throw damaged("the levels of a page are larger than it");
    return most > 0 ? hybridRuns(bytes.subarray(at - length, at), 32 - Math.clz32(most)) : undefined;
  };
  const repetitions = runs(node.repeats, levels?.repetitions);
  const definitions = runs(node.definition, levels?.definitions);
  bytes = bytes.subarray(at);
  if (levels?.isPacked && unpacked - at !== 0) bytes = unpack(codec, bytes, unpacked - at);
  const making = { charge: reading.charge, make: makingOf(node, reading, reading.charge) };
  const values = DICTIONARY_ENCODINGS.includes(encoding)
    ? fromDictionary(bytes, dictionary)
    : valuesOf(encoding, bytes, node, making);
  return { left, definitions, repetitions, values };
}

function fromDictionary(bytes: Buffer, dictionary: unknown[] | undefined): Values {
  let indexes: Runs | undefined;
  return {
    take(count) {
      if (count === 0) return [];
      if (!dictionary) throw damaged("a column has no dictionary");
      indexes ??= hybridRuns(bytes.subarray(1), bytes.readUInt8(0));
      return Array.from(indexes.take(count), (index) => {
        if (index >= dictionary.length) throw damaged("a dictionary has no such value");
        return dictionary[index];
      });
    },
  };
}
