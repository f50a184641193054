import { gzipSync } from "node:zlib";
import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";
import type { AwkwardFile } from "./file.ts";

type Options = Omit<Parameters<typeof parquetWriteBuffer>[0], "columnData">;

const NAMES: ColumnSource = { name: "name", data: ["Joe", "Ann"], type: "STRING" };
const PLACES: ColumnSource[] = [
  NAMES,
  { name: "lat", data: [41.8236, 41.8246], type: "DOUBLE" },
  { name: "lng", data: [-71.4222, -71.4122], type: "DOUBLE" },
];
const write = (columns: ColumnSource[], options: Options = {}) => {
  const columnData = options.schema ? columns.map(({ name, data }) => ({ name, data })) : columns;
  return Buffer.from(parquetWriteBuffer({ columnData, ...options }));
};
export const PLAIN_PARQUET = write(PLACES);

const TAGS = [
  { name: "schema", num_children: 2 },
  { name: "name", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
  { name: "tags", repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
  { name: "list", repetition_type: "REPEATED", num_children: 1 },
  { name: "element", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
] as const;

/** As Overture has them. */
const NESTED = [
  { name: "schema", num_children: 3 },
  { name: "id", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
  { name: "names", repetition_type: "OPTIONAL", num_children: 1 },
  { name: "primary", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
  { name: "bbox", repetition_type: "OPTIONAL", num_children: 2 },
  { name: "xmin", type: "DOUBLE", repetition_type: "OPTIONAL" },
  { name: "ymin", type: "DOUBLE", repetition_type: "OPTIONAL" },
] satisfies Options["schema"];

const decimal = (name: string, scale: number) =>
  ({ name, type: "INT64", converted_type: "DECIMAL", precision: 18, scale, repetition_type: "REQUIRED" }) as const;

/** Nanoseconds of a day and its Julian number, which Impala and Spark wrote. The writer does not know the type: 7 becomes 3. */
function int96(): Buffer {
  const dates = [new Uint8Array(12), new Uint8Array(12)];
  for (const [at, date] of dates.entries()) new DataView(date.buffer).setUint32(8, 2_460_370 + at, true);
  const type = { name: "opened", type: "FIXED_LEN_BYTE_ARRAY", type_length: 12, repetition_type: "REQUIRED" } as const;
  const schema = [{ name: "schema", num_children: 2 }, { ...TAGS[1] }, type];
  const file = write([NAMES, { name: "opened", data: dates }], { schema });
  const footer = file.length - 8 - file.readUInt32LE(file.length - 8);
  const text = file.toString("hex", footer).replaceAll("150e", "1506");
  return Buffer.concat([file.subarray(0, footer), Buffer.from(text, "hex")]);
}

/** A point in the binary form that GeoParquet has, and the reference system in its metadata. */
function geoParquet(code: number, x: number, y: number): Buffer {
  const point = new Uint8Array(21);
  const view = new DataView(point.buffer);
  point.set([1, 1]);
  view.setFloat64(5, x, true);
  view.setFloat64(13, y, true);
  const columns = { geom: { encoding: "WKB", crs: { id: { authority: "EPSG", code } } } };
  const geo = { key: "geo", value: JSON.stringify({ version: "1.1.0", primary_column: "geom", columns }) };
  const geom: ColumnSource = { name: "geom", data: [point], type: "BYTE_ARRAY" };
  return write([{ ...NAMES, data: ["Joe"] }, geom], { kvMetadata: [geo] });
}

const file = (what: string, bytes: Buffer): AwkwardFile => ({ what: `Parquet ${what}`, bytes });

export const PARQUETS: AwkwardFile[] = [
  file("cut off in the middle", PLAIN_PARQUET.subarray(0, PLAIN_PARQUET.length / 2)),
  file("with lists in its cells", write([NAMES, { name: "tags", data: [["bar", "pub"], []] }], { schema: [...TAGS] })),
  file(
    "with a name and a position inside of others",
    write(
      [
        { name: "id", data: ["a1"] },
        { name: "names", data: [{ primary: "Joe’s Pizza" }] },
        { name: "bbox", data: [{ xmin: -71.4222, ymin: 41.8236 }] },
      ],
      { schema: NESTED },
    ),
  ),
  file("with dates of 96 bits", int96()),
  file(
    "with decimals",
    write(
      [
        NAMES,
        { name: "lat", data: [418_236_000_000n, 418_246_000_000n] },
        { name: "lng", data: [-714_222n, -714_122n] },
      ],
      { schema: [{ name: "schema", num_children: 3 }, { ...TAGS[1] }, decimal("lat", 10), decimal("lng", 4)] },
    ),
  ),
  file(
    "with ids that are kept as rounded numbers",
    write([{ name: "id", data: [2 ** 63, 7], type: "DOUBLE" }, ...PLACES]),
  ),
  { what: "GeoParquet in Web Mercator metres", bytes: geoParquet(3857, -7950682.935, 5134592.096) },
  { what: "GeoParquet in the metres of a country's grid", bytes: geoParquet(25833, 389_812.4, 5_818_911.1) },
  file("without a row", write([{ ...NAMES, data: [] }])),
  { what: "Parquet in gzip, named .csv", bytes: gzipSync(PLAIN_PARQUET) },
];
