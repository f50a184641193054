import { damaged, ParquetFault, tooLarge } from "./fault.ts";
import {
  type Fields,
  type Reader,
  readBinary,
  readBoolean,
  readInteger,
  readList,
  readStruct,
  readText,
} from "./thrift.ts";

/** The bytes of a stored file. */
export interface ParquetSource {
  size: number;
  read(start: number, end: number): Promise<Buffer>;
}

/** What a file may claim. Every count is held against these, or against another count, before anything is made of it. */
export interface ParquetLimits {
  /** Bytes. */
  footer: number;
  rows: number;
  /** Bytes of a page as unpacked. */
  page: number;
  /** Bytes of all pages and dictionaries that are held at a time, of all columns that are read. */
  held: number;
  /** Bytes of the values that are made of the dictionaries. */
  kept: number;
  /** Bytes of the values of one batch of rows, of all columns. */
  batch: number;
}

const TYPES = ["BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"] as const;
const REPETITIONS = ["required", "optional", "repeated"] as const;
const CODECS = ["UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"] as const;
export type Codec = (typeof CODECS)[number];

/** What a value means beside its type; one without a meaning is shown as it is stored. */
export type Meaning =
  | ("text" | "json" | "uuid" | "decimal" | "unsigned" | "float16" | "geometry" | "map" | "list")
  | ("date" | "milliseconds" | "microseconds" | "nanoseconds");

/** By ConvertedType. */
const CONVERTED: Record<number, Meaning> = {
  0: "text",
  1: "map",
  2: "map",
  3: "list",
  4: "text",
  5: "decimal",
  6: "date",
  19: "json",
  9: "milliseconds",
  10: "microseconds",
  13: "unsigned",
  14: "unsigned",
};
/** By the field of LogicalType. */
const LOGICAL: Record<number, Meaning> = {
  1: "text",
  2: "map",
  3: "list",
  4: "text",
  5: "decimal",
  6: "date",
  12: "json",
  14: "uuid",
  15: "float16",
  17: "geometry",
  18: "geometry",
};

/** An element of the schema, with its place in it. */
export interface Node {
  name: string;
  repetition: (typeof REPETITIONS)[number];
  /** Undefined for a group. */
  type: (typeof TYPES)[number] | undefined;
  /** Bytes of a FIXED_LEN_BYTE_ARRAY. */
  size: number;
  scale: number;
  meaning: Meaning | undefined;
  /** Reference system of a geometry. */
  crs: string | undefined;
  children: Node[];
  /** Definition level from which it is present, and repetition level of its next element. */
  definition: number;
  repeats: number;
}

/** A column with values, in one group of rows. */
export interface Chunk {
  node: Node;
  codec: Codec;
  values: number;
  /** Place in the file, and bytes there. */
  start: number;
  bytes: number;
  unpacked: number;
  /** Place of its statistics in the footer. */
  statistics: number | undefined;
}

export interface Group {
  rows: number;
  /** One for each of the leaves. */
  chunks: Chunk[];
}

export interface Footer {
  bytes: Buffer;
  rows: number;
  root: Node;
  leaves: Node[];
  groups: Group[];
  /** GeoParquet's description of its columns. */
  geo: string | undefined;
}

/** Elements of the schema, levels of it, and columns of all groups: more than any list has, and few enough to be held. */
const MOST_ELEMENTS = 10_000;
const MOST_LEVELS = 60;
const MOST_CHUNKS = 100_000;
/** Values of a list column in a group. They may be more than rows, and in any number of bytes, because repetitions take none. */
const MOST_VALUES = 64 * 1024 * 1024;
const LONGEST_GEO = 1024 * 1024;

/** Reads the end of a file. Throws ParquetFault if it contradicts itself or claims more than `limits`. */
export async function readFooter(source: ParquetSource, limits: ParquetLimits): Promise<Footer> {
  const end = await source.read(Math.max(source.size - 8, 0), source.size);
  const magic = end.toString("latin1", 4);
  if (magic === "PARE") throw new ParquetFault("encrypted", "it is encrypted");
  const size = magic === "PAR1" ? end.readUInt32LE(0) : 0;
  const start = source.size - 8 - size;
  if (size === 0 || start < 4) throw damaged("its end is no Parquet");
  if (size > limits.footer) throw tooLarge("its footer is too large");
  const bytes = await source.read(start, source.size - 8);
  const footer = parseFooter({ bytes, at: 0 });
  if (footer.rows > limits.rows) throw new ParquetFault("rows", String(footer.rows));
  checkGroups(footer, start);
  return footer;
}

function parseFooter(reader: Reader): Footer {
  let rows = 0;
  let geo: string | undefined;
  let schema: Pick<Footer, "root" | "leaves"> | undefined;
  let groups: Group[] = [];
  readStruct(reader, {
    2: (type) => {
      schema = treeOf(readElements(reader, type));
    },
    3: (type) => {
      rows = readInteger(reader, type);
    },
    4: (type) => {
      groups = readGroups(reader, type, schema?.leaves ?? []);
    },
    5: (type) => {
      for (const each of readList(reader, type, () => readGeo(reader))) geo ??= each;
    },
    8: () => {
      throw new ParquetFault("encrypted", "it is encrypted");
    },
  });
  if (!schema) throw damaged("it has no schema");
  return { bytes: reader.bytes, rows, ...schema, groups, geo };
}

interface Element extends Omit<Node, "children" | "definition" | "repeats"> {
  children: number;
}

function readElements(reader: Reader, type: number): Element[] {
  let count = 0;
  return readList(reader, type, () => {
    count += 1;
    if (count > MOST_ELEMENTS) throw tooLarge("its schema is too large");
    return readElement(reader);
  });
}

function readElement(reader: Reader): Element {
  const element: Element = {
    name: "",
    repetition: "required",
    type: undefined,
    size: 0,
    scale: 0,
    children: 0,
    meaning: undefined,
    crs: undefined,
  };
  const integer = (put: (value: number) => void) => (type: number) => put(readInteger(reader, type));
  readStruct(reader, {
    1: integer((value) => {
      element.type = TYPES[value];
    }),
    2: integer((value) => {
      element.size = value;
    }),
    3: integer((value) => {
      element.repetition = REPETITIONS[value] ?? "required";
    }),
    4: (type) => {
      element.name = readText(reader, type);
    },
    5: integer((value) => {
      element.children = value;
    }),
    6: integer((value) => {
      element.meaning ??= CONVERTED[value];
    }),
    7: integer((value) => {
      element.scale = value;
    }),
    10: () => readStruct(reader, logicalTypeOf(reader, element)),
  });
  return element;
}

/** Each field is a structure of its own, and the one that is there says the type. */
function logicalTypeOf(reader: Reader, element: Element): Fields {
  const means = (id: number, fields: Fields = {}) => [
    id,
    () => {
      element.meaning = LOGICAL[id] ?? element.meaning;
      readStruct(reader, fields);
    },
  ];
  const scale = (type: number) => {
    element.scale = readInteger(reader, type);
  };
  const unit = () => {
    const is = (meaning: Meaning) => () => {
      element.meaning = meaning;
      readStruct(reader, {});
    };
    readStruct(reader, { 1: is("milliseconds"), 2: is("microseconds"), 3: is("nanoseconds") });
  };
  const isSigned = (type: number) => {
    if (!readBoolean(type)) element.meaning = "unsigned";
  };
  const crs = (type: number) => {
    element.crs = readText(reader, type);
  };
  return Object.fromEntries([
    ...[1, 2, 3, 4, 6, 12, 14, 15].map((id) => means(id)),
    means(5, { 1: scale }),
    means(8, { 2: unit }),
    means(10, { 2: isSigned }),
    means(17, { 1: crs }),
    means(18, { 1: crs }),
  ]);
}

/** Builds the tree of elements, which stand in the order of their places, and lists those with values. */
function treeOf(elements: Element[]): Pick<Footer, "root" | "leaves"> {
  const leaves: Node[] = [];
  let next = 0;
  const build = (above: Pick<Node, "definition" | "repeats">, depth: number): Node => {
    const element = elements[next++];
    if (!element || depth > MOST_LEVELS) throw damaged("its schema has no such element");
    const isGroup = depth === 0 || element.type === undefined;
    if (isGroup && !(element.children > 0)) throw damaged("its schema has a group of nothing");
    const node: Node = {
      ...element,
      children: [],
      definition: above.definition + (depth > 0 && element.repetition !== "required" ? 1 : 0),
      repeats: above.repeats + (depth > 0 && element.repetition === "repeated" ? 1 : 0),
    };
    if (!isGroup) leaves.push(node);
    else for (let at = 0; at < element.children; at++) node.children.push(build(node, depth + 1));
    return node;
  };
  return { root: build({ definition: 0, repeats: 0 }, 0), leaves };
}

function readGroups(reader: Reader, type: number, leaves: Node[]): Group[] {
  let count = 0;
  return readList(reader, type, () => {
    const group: Group = { rows: 0, chunks: [] };
    count += leaves.length;
    if (count > MOST_CHUNKS) throw tooLarge("it has too many row groups");
    readStruct(reader, {
      1: (own) => {
        let at = 0;
        group.chunks = readList(reader, own, () => readChunk(reader, leaves[at++]));
      },
      3: (own) => {
        group.rows = readInteger(reader, own);
      },
    });
    if (group.chunks.length !== leaves.length) throw damaged("a row group has other columns than the schema");
    return group;
  });
}

function readChunk(reader: Reader, node: Node | undefined): Chunk {
  if (!node) throw damaged("a row group has more columns than the schema");
  const chunk: Chunk = {
    node,
    codec: "UNCOMPRESSED",
    values: -1,
    start: 0,
    bytes: -1,
    unpacked: 0,
    statistics: undefined,
  };
  let dictionary = 0;
  const integer = (put: (value: number) => void) => (type: number) => put(readInteger(reader, type));
  const metadata: Fields = {
    4: integer((value) => {
      chunk.codec = CODECS[value] ?? "LZO";
    }),
    5: integer((value) => {
      chunk.values = value;
    }),
    6: integer((value) => {
      chunk.unpacked = value;
    }),
    7: integer((value) => {
      chunk.bytes = value;
    }),
    9: integer((value) => {
      chunk.start = value;
    }),
    11: integer((value) => {
      dictionary = value;
    }),
    12: () => {
      chunk.statistics = reader.at;
      readStruct(reader, {});
    },
  };
  readStruct(reader, {
    1: (type) => {
      if (readText(reader, type) !== "") throw damaged("its columns are in other files");
    },
    3: () => readStruct(reader, metadata),
  });
  if (dictionary > 0 && dictionary < chunk.start) chunk.start = dictionary;
  return chunk;
}

function readGeo(reader: Reader): string | undefined {
  let key = "";
  let value: Buffer = Buffer.alloc(0);
  readStruct(reader, {
    1: (type) => {
      key = readText(reader, type);
    },
    2: (type) => {
      value = readBinary(reader, type);
    },
  });
  if (key !== "geo") return undefined;
  if (value.length > LONGEST_GEO) throw tooLarge("its description of geometries is too large");
  return value.toString();
}

/** Holds what a file says of its groups against itself. `end` is where its footer begins. */
function checkGroups({ groups, rows }: Footer, end: number): void {
  if (groups.reduce((sum, group) => sum + group.rows, 0) !== rows) throw damaged("its groups have other rows");
  let bytes = 0;
  for (const { rows, chunks } of groups) {
    if (rows < 0) throw damaged("a row group has less than no rows");
    for (const { node, values, start, bytes: own, unpacked } of chunks) {
      const most = node.repeats > 0 ? MOST_VALUES : rows;
      if (values < rows || (node.repeats === 0 && values > rows)) throw damaged("a column has other values than rows");
      if (values > most) throw tooLarge("a list column has too many values");
      if (start < 0 || own < 0 || unpacked < 0 || start + own > end) throw damaged("a column is not in the file");
      bytes += own;
    }
  }
  // Columns never share bytes, so that what is read of a file is at most its size.
  if (bytes > end) throw damaged("its columns overlap");
}

/** The least and greatest value of a column in a group, if the file says. Others than numbers and texts are left out. */
export function boundsOf({ bytes }: Footer, { node, statistics }: Chunk): { min: unknown; max: unknown } | undefined {
  if (statistics === undefined) return undefined;
  const reader = { bytes, at: statistics };
  let [min, max]: unknown[] = [];
  readStruct(reader, {
    5: (type) => {
      max = boundOf(node, readBinary(reader, type));
    },
    6: (type) => {
      min = boundOf(node, readBinary(reader, type));
    },
  });
  return min === undefined || max === undefined ? undefined : { min, max };
}

function boundOf({ type, meaning }: Node, value: Buffer): unknown {
  if (type === "BYTE_ARRAY") return value.toString();
  if (meaning !== undefined) return undefined;
  if (type === "FLOAT" && value.length === 4) return value.readFloatLE();
  if (type === "DOUBLE" && value.length === 8) return value.readDoubleLE();
  if (type === "INT32" && value.length === 4) return value.readInt32LE();
  return undefined;
}
