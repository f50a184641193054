import * as zlib from "node:zlib";

/** A field of a structure in Thrift's compact protocol: its type and bytes. */
interface Field {
  type: number;
  bytes: Buffer;
}

export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  return Buffer.from([...bytes, left]);
}
export const zigzag = (value: number) => varint(value < 0 ? -2 * value - 1 : 2 * value);

const number = (value: number): Field => ({ type: 5, bytes: zigzag(value) });
const long = (value: number): Field => ({ type: 6, bytes: zigzag(value) });
const text = (value: string | Buffer): Field => ({
  type: 8,
  bytes: Buffer.concat([varint(value.length), Buffer.from(value)]),
});
const struct = (fields: Record<number, Field | undefined>): Field => {
  const bytes = Object.entries(fields).flatMap(([id, field]) =>
    field ? [Buffer.from([field.type]), zigzag(Number(id)), field.bytes] : [],
  );
  return { type: 12, bytes: Buffer.concat([...bytes, Buffer.from([0])]) };
};
const list = (elements: Field[], claimed = elements.length): Field => ({
  type: 9,
  bytes: Buffer.concat([
    Buffer.from([0xf0 | (elements[0]?.type ?? 12)]),
    varint(claimed),
    ...elements.map(({ bytes }) => bytes),
  ]),
});

export const CODECS = { none: 0, snappy: 1, gzip: 2, brotli: 4, lz4: 5, zstd: 6, lz4Raw: 7 };
export const ENCODINGS = { plain: 0, rle: 3, delta: 5, deltaLengths: 6, deltaTexts: 7, dictionary: 8, split: 9 };
export const TYPES = { boolean: 0, int32: 1, int64: 2, int96: 3, double: 5, text: 6, fixed: 7 };

export interface PageClaim {
  values: number;
  encoding?: number;
  bytes: Buffer;
  /** What it says, if not the truth. */
  unpacked?: number;
  packed?: number;
  isDictionary?: boolean;
}

export const page = ({ values, encoding = 0, bytes, isDictionary, ...claims }: PageClaim): Buffer => {
  const own = struct({ 1: number(values), 2: number(encoding), 3: number(3), 4: number(3) });
  const header = struct({
    1: number(isDictionary ? 2 : 0),
    2: number(claims.unpacked ?? bytes.length),
    3: number(claims.packed ?? bytes.length),
    [isDictionary ? 7 : 5]: own,
  });
  return Buffer.concat([header.bytes, bytes]);
};

export interface ColumnClaim {
  type?: number;
  codec?: number;
  values?: number;
  pages: Buffer;
  /** 0 required, 1 optional, 2 repeated. */
  repetition?: number;
  size?: number;
  /** Column whose bytes it says are its own. */
  at?: number;
  /** What it says it has in the file. */
  bytes?: number;
  /** ConvertedType. */
  meaning?: number;
}

export interface FileClaim {
  rows: number;
  groupRows?: number;
  columns: ColumnClaim[];
  groups?: number;
  /** Further fields of the footer, or others instead. */
  footer?: Record<number, Field>;
  footerSize?: number;
}

/** Writes a file that says what it is told to, true or not. */
export function hostileFile({ rows, columns, groupRows = rows, groups = 1, ...claims }: FileClaim): Buffer {
  const starts: number[] = [];
  let size = 4;
  const body = columns.map(({ pages, at }) => {
    starts.push(at === undefined ? size : (starts[at] ?? 0));
    if (at !== undefined) return Buffer.alloc(0);
    size += pages.length;
    return pages;
  });
  const elements = columns.map(({ type = TYPES.int32, repetition = 0, size: width, meaning }, index) =>
    struct({
      1: number(type),
      2: width === undefined ? undefined : number(width),
      3: number(repetition),
      4: text(`c${index}`),
      6: meaning === undefined ? undefined : number(meaning),
    }),
  );
  const chunks = columns.map(({ type = TYPES.int32, codec = 0, values = groupRows, pages, bytes }, index) =>
    struct({
      2: long(0),
      3: struct({
        ...{ 1: number(type), 3: list([text(`c${index}`)]), 4: number(codec), 5: long(values) },
        ...{ 6: long(bytes ?? pages.length), 7: long(bytes ?? pages.length), 9: long(starts[index] ?? 0) },
      }),
    }),
  );
  const group = struct({ 1: list(chunks), 2: long(size), 3: long(groupRows) });
  const footer = struct({
    1: number(1),
    2: list([struct({ 4: text("schema"), 5: number(columns.length) }), ...elements]),
    3: long(rows),
    4: list(Array.from({ length: groups }, () => group)),
    ...claims.footer,
  }).bytes;
  const end = Buffer.alloc(8, "PAR1");
  end.writeUInt32LE(claims.footerSize ?? footer.length);
  end.write("PAR1", 4);
  return Buffer.concat([Buffer.from("PAR1"), ...body, footer, end]);
}

/** So many equal differences, or lengths, in a few bytes. */
export const deltas = (count: number, { first = 0, step = 0, block = 1 << 20, minis = 1 } = {}): Buffer => {
  const each = Buffer.concat([zigzag(step), Buffer.alloc(minis)]);
  const blocks = Math.min(Math.max(Math.ceil((count - 1) / block), 0), 100_000);
  return Buffer.concat([varint(block), varint(minis), varint(count), zigzag(first), ...Array(blocks).fill(each)]);
};
const length32 = (bytes: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
};
/** A run of one value. */
export const run = (count: number, ...value: number[]) => Buffer.concat([varint(count * 2), Buffer.from(value)]);

const MB = 1024 * 1024;

/** A page of so many zeros as each codec packs it best. */
const packed: Record<string, (size: number) => Buffer> = {
  gzip: (size) => zlib.gzipSync(Buffer.alloc(size)),
  brotli: (size) =>
    zlib.brotliCompressSync(Buffer.alloc(size), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: (size) => zlib.zstdCompressSync(Buffer.alloc(size)),
  // A literal, then copies of up to 64 bytes from one byte before.
  snappy: (size) => {
    const copies = Buffer.alloc(Math.ceil((size - 1) / 64) * 3, Buffer.from([0xfe, 1, 0]));
    copies[copies.length - 3] = ((((size - 2) % 64) << 2) | 2) & 255;
    return Buffer.concat([varint(size), Buffer.from([0, 0]), copies]);
  },
  lz4Raw: (size) =>
    Buffer.concat([
      Buffer.from([0x1f, 0, 1, 0]),
      Buffer.alloc(Math.floor((size - 20) / 255), 255),
      Buffer.from([(size - 20) % 255, 0]),
    ]),
};

export interface Bomb {
  what: string;
  file(): Buffer;
  /** What the owner of a list is told. */
  words: RegExp;
  /** Whether it really has so many bytes, so that what may be held is the bound, not what a claim may take. */
  isReal?: boolean;
}

/** What every file is told that contradicts itself. */
export const DAMAGED = "This Parquet file is damaged or incomplete. Write it again, or save the list as CSV.";
const [IS_DAMAGED, TOO_LARGE, MANY_ROWS] = [
  /damaged or incomplete/,
  /parts that are too large/,
  /says that it has [\d,]+ rows/,
];
const one = (column: Omit<ColumnClaim, "pages">, claim: PageClaim, rows = claim.values) =>
  hostileFile({ rows, columns: [{ ...column, pages: page(claim) }] });
const magnitudes = [1e6, 2e9];

/** Each claims more than it has. Magnitudes are of the values that it claims. */
export const BOMBS: Bomb[] = [
  ...magnitudes.flatMap((count): Bomb[] => [
    {
      what: `a page of ${count} equal differences in a group of 1,000 rows`,
      file: () => one({ type: TYPES.int64 }, { values: count, encoding: ENCODINGS.delta, bytes: deltas(count) }, 1000),
      words: IS_DAMAGED,
    },
    {
      what: `a page of ${count} levels that are one run`,
      file: () => one({ repetition: 1 }, { values: count, bytes: length32(run(count, 0)) }, 1000),
      words: IS_DAMAGED,
    },
    {
      what: `${count} values of a dictionary in no bits`,
      file: () => one({}, { values: count, encoding: ENCODINGS.dictionary, bytes: Buffer.from([0]) }, 1000),
      words: IS_DAMAGED,
    },
    ...(["delta", "deltaLengths", "deltaTexts", "split", "plain", "rle"] as const).map(
      (encoding): Bomb => ({
        what: `a page that says it has ${count} values, ${encoding}`,
        file: () => {
          const type =
            encoding === "rle"
              ? TYPES.boolean
              : encoding.startsWith("delta") && encoding !== "delta"
                ? TYPES.text
                : TYPES.int32;
          const columns = [
            { type, pages: page({ values: count, encoding: ENCODINGS[encoding], bytes: Buffer.alloc(16, 8) }) },
          ];
          return hostileFile({ rows: Math.min(count, 5e7), columns });
        },
        words: IS_DAMAGED,
      }),
    ),
    {
      what: `a dictionary that says it has ${count} values`,
      file: () =>
        hostileFile({
          rows: 1000,
          columns: [
            {
              type: TYPES.text,
              pages: Buffer.concat([
                page({ values: count, bytes: Buffer.alloc(64), isDictionary: true }),
                page({ values: 1000, encoding: ENCODINGS.dictionary, bytes: Buffer.from([1, 0]) }),
              ]),
            },
          ],
        }),
      words: IS_DAMAGED,
    },
    {
      what: `one row with a list of ${count * 4} values that are one run`,
      file: () => {
        const values = count * 4;
        const levels = Buffer.concat([run(1, 0), run(values - 1, 1)]);
        const bytes = Buffer.concat([length32(levels), length32(run(values, 1)), Buffer.from([0])]);
        const pages = Buffer.concat([
          page({ values: 1, bytes: Buffer.alloc(4), isDictionary: true }),
          page({ values, encoding: ENCODINGS.dictionary, bytes }),
        ]);
        return hostileFile({ rows: 1, columns: [{ repetition: 2, values, pages }] });
      },
      words: TOO_LARGE,
    },
    {
      what: `a footer that says it has ${count} row groups`,
      file: () => hostileFile({ rows: 1, columns: [], footer: { 4: list([], count) } }),
      words: IS_DAMAGED,
    },
    {
      what: `a footer that says its schema has ${count} elements`,
      file: () => hostileFile({ rows: 1, columns: [], footer: { 2: list([], count) } }),
      words: IS_DAMAGED,
    },
    {
      what: `a group that says it has ${count} children`,
      file: () =>
        hostileFile({ rows: 1, columns: [], footer: { 2: list([struct({ 4: text("a"), 5: number(count) })]) } }),
      words: IS_DAMAGED,
    },
    {
      what: `a name that says it has ${count} bytes`,
      file: () => hostileFile({ rows: 1, columns: [], footer: { 6: { type: 8, bytes: varint(count) } } }),
      words: IS_DAMAGED,
    },
  ]),
  ...[6e7, 4e15].flatMap((rows): Bomb[] => [
    {
      what: `a file of ${rows} rows of one page`,
      file: () => one({ type: TYPES.int64 }, { values: rows, encoding: ENCODINGS.delta, bytes: deltas(2) }),
      words: MANY_ROWS,
    },
    {
      what: `a file of ${rows} rows in no group`,
      file: () => hostileFile({ rows, columns: [], groups: 0, footer: SCHEMA }),
      words: MANY_ROWS,
    },
    {
      what: `a group of ${rows} rows in a file of one`,
      file: () =>
        hostileFile({ rows: 1, groupRows: rows, columns: [{ pages: page({ values: 1, bytes: Buffer.alloc(4) }) }] }),
      words: IS_DAMAGED,
    },
  ]),
  ...[4, 500].flatMap((columns): Bomb[] => [
    {
      what: `${columns} columns that name one stretch of 3 MB`,
      file: () => {
        const own = {
          type: TYPES.text,
          pages: page({ values: 3, bytes: Buffer.concat(Array(3).fill(length32(Buffer.alloc(MB - 8, 97)))) }),
        };
        return hostileFile({
          rows: 3,
          columns: Array.from({ length: columns }, (_, at) => (at === 0 ? own : { ...own, at: 0 })),
        });
      },
      words: IS_DAMAGED,
    },
  ]),
  ...Object.entries(packed).flatMap(([codec, pack]): Bomb[] => [
    {
      what: `${codec}: a page that says it unpacks to 2 GB`,
      file: () =>
        one({ codec: CODECS[codec as keyof typeof CODECS] }, { values: 9, bytes: pack(MB), unpacked: 2 ** 31 - 1 }),
      words: TOO_LARGE,
    },
    {
      what: `${codec}: a page that unpacks to 120 MB and says 36 bytes`,
      file: () =>
        one({ codec: CODECS[codec as keyof typeof CODECS] }, { values: 9, bytes: pack(120 * MB), unpacked: 36 }),
      words: IS_DAMAGED,
    },
    {
      what: `${codec}: a page that unpacks to 1 MB and says 30 MB`,
      file: () =>
        one({ codec: CODECS[codec as keyof typeof CODECS] }, { values: 9, bytes: pack(MB), unpacked: 30 * MB }),
      words: IS_DAMAGED,
    },
  ]),
  // Native and our own unpacking.
  ...[
    [10, "zstd"],
    [500, "zstd"],
    [10, "snappy"],
  ].map(
    ([columns, codec]): Bomb => ({
      what: `${codec}: ${columns} columns with pages of 30 MB in few bytes`,
      file: () => {
        const pages = page({ values: 1000, bytes: packed[codec as string]?.(30 * MB) as Buffer, unpacked: 30 * MB });
        const column = { codec: CODECS[codec as keyof typeof CODECS], pages };
        return hostileFile({ rows: 1000, columns: Array(columns as number).fill(column) });
      },
      words: TOO_LARGE,
      isReal: true,
    }),
  ),
  {
    what: "texts that each repeat a megabyte and add a byte",
    file: () => {
      const count = 2000;
      // The first is a megabyte long; the others repeat it and add a byte.
      const prefixes = Buffer.concat([deltaHeader(count, 0), zigzag(0), Buffer.from([32]), bits32(MB, 0), EVEN]);
      const lengths = Buffer.concat([
        deltaHeader(count, MB),
        zigzag(1 - MB),
        Buffer.from([32]),
        bits32(0, MB - 1),
        EVEN,
      ]);
      const bytes = Buffer.concat([prefixes, lengths, Buffer.alloc(MB + count)]);
      return one({ type: TYPES.text }, { values: count, encoding: ENCODINGS.deltaTexts, bytes });
    },
    words: TOO_LARGE,
  },
  ...(["deltaLengths", "deltaTexts"] as const).map(
    (encoding): Bomb => ({
      what: `lengths below nothing, ${encoding}`,
      file: () =>
        one(
          { type: TYPES.text },
          {
            values: 9,
            encoding: ENCODINGS[encoding],
            bytes: Buffer.concat([deltas(9, { first: -5, block: 128 }), deltas(9, { first: -5, block: 128 })]),
          },
        ),
      words: IS_DAMAGED,
    }),
  ),
  ...[0, 1, 7, 2 ** 21, 2 ** 40].map(
    (block): Bomb => ({
      what: `differences in blocks of ${block}`,
      file: () => one({}, { values: 9, encoding: ENCODINGS.delta, bytes: deltas(9, { block }) }),
      words: IS_DAMAGED,
    }),
  ),
  ...[0, 2 ** 30].map(
    (minis): Bomb => ({
      what: `differences in ${minis} miniblocks`,
      file: () =>
        one(
          {},
          {
            values: 9,
            encoding: ENCODINGS.delta,
            bytes: Buffer.concat([varint(128), varint(minis), varint(9), zigzag(0), zigzag(0)]),
          },
        ),
      words: IS_DAMAGED,
    }),
  ),
  {
    what: "a dictionary of 4 million texts in 16 MB that are packed into few bytes",
    file: () => {
      const bytes = zlib.zstdCompressSync(Buffer.alloc(16 * MB));
      const dictionary = page({ values: 4 * MB, bytes, unpacked: 16 * MB, isDictionary: true });
      const pages = Buffer.concat([
        dictionary,
        page({
          values: 1000,
          encoding: ENCODINGS.dictionary,
          bytes: zlib.zstdCompressSync(Buffer.from([1, 0])),
          unpacked: 2,
        }),
      ]);
      return hostileFile({ rows: 1000, columns: [{ type: TYPES.text, codec: CODECS.zstd, pages }] });
    },
    words: TOO_LARGE,
  },
  {
    what: "a dictionary of 15 million values of a byte",
    file: () => {
      const bytes = zlib.zstdCompressSync(Buffer.alloc(15 * MB));
      const pages = page({ values: 15 * MB, bytes, unpacked: 15 * MB, isDictionary: true });
      return hostileFile({ rows: 9, columns: [{ type: TYPES.fixed, size: 1, codec: CODECS.zstd, pages }] });
    },
    words: TOO_LARGE,
  },
  {
    what: "a hundred thousand pages of nothing",
    file: () =>
      hostileFile({
        rows: 9,
        columns: [{ pages: Buffer.concat(Array(100_000).fill(page({ values: 0, bytes: Buffer.alloc(0) }))) }],
      }),
    words: IS_DAMAGED,
  },
  {
    what: "a decimal of 15 MB",
    file: () => one({ type: TYPES.fixed, size: 15 * MB, meaning: 5 }, { values: 1, bytes: Buffer.alloc(15 * MB, 1) }),
    words: IS_DAMAGED,
  },
  {
    what: "a footer larger than the file",
    file: () => hostileFile({ rows: 1, columns: [], footerSize: 2 ** 31 }),
    words: IS_DAMAGED,
  },
  {
    what: "a footer of 20 MB",
    file: () => hostileFile({ rows: 1, columns: [], footer: { 6: text(Buffer.alloc(20 * MB)) } }),
    words: TOO_LARGE,
  },
  {
    what: "eight million structures of nothing in a footer",
    file: () =>
      hostileFile({ rows: 1, columns: [], footer: { 4: list([{ type: 12, bytes: Buffer.alloc(7 * MB) }], 7 * MB) } }),
    words: IS_DAMAGED,
  },
  {
    what: "structures within structures in a footer",
    file: () => hostileFile({ rows: 1, columns: [], footer: { 9: { type: 12, bytes: Buffer.alloc(4 * MB, 0x1c) } } }),
    words: IS_DAMAGED,
  },
  {
    what: "a schema of ten thousand levels",
    file: () =>
      hostileFile({
        rows: 1,
        columns: [],
        footer: { 2: list(Array.from({ length: 9999 }, () => struct({ 4: text("a"), 5: number(1) }))) },
      }),
    words: IS_DAMAGED,
  },
  {
    what: "a schema of a hundred thousand columns",
    file: () =>
      hostileFile({
        rows: 1,
        columns: [],
        footer: {
          2: list([
            struct({ 4: text("a"), 5: number(100_000) }),
            ...Array(100_000).fill(struct({ 1: number(1), 4: text("b") })),
          ]),
        },
      }),
    words: TOO_LARGE,
  },
];

const SCHEMA = { 2: list([struct({ 4: text("schema"), 5: number(1) }), struct({ 1: number(1), 4: text("c") })]) };

const deltaHeader = (count: number, first: number) =>
  Buffer.concat([varint(128), varint(1), varint(count), zigzag(first)]);
/** Blocks without a difference, after the first one. */
const EVEN = Buffer.alloc(15 * 2);

/** A block of 128 differences of 32 bits. */
function bits32(first: number, others: number): Buffer {
  const bytes = Buffer.alloc(128 * 4);
  for (let at = 0; at < 128; at++) bytes.writeUInt32LE(at === 0 ? first : others, at * 4);
  return bytes;
}
