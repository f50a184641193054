import { KnownError } from "../../shared/errors.ts";
import { readBatches } from "../../shared/parquet/batches.ts";
import { ParquetFault } from "../../shared/parquet/fault.ts";
import { type Footer, type ParquetLimits, type ParquetSource, readFooter } from "../../shared/parquet/footer.ts";
import { recordsOf } from "../../shared/parquet/records.ts";
import { MEGABYTE, MOST_DICTIONARIES, MOST_FOOTER, MOST_PAGE, MOST_PAGES, tooMuch } from "./base/limits.ts";
import { unusableFile } from "./base/refusal.ts";
import type { Table } from "./base/rows.ts";
import { type Source, slice } from "./base/source.ts";
import { toDegrees } from "./crs.ts";
import { type Fields, fieldsOf, isRounded } from "./fields.ts";
import { type FieldRecord, tableOf } from "./records.ts";

const LIMITS: Omit<ParquetLimits, "rows"> = {
  footer: MOST_FOOTER,
  page: MOST_PAGE,
  held: MOST_PAGES,
  kept: MOST_DICTIONARIES,
  batch: 24 * MEGABYTE,
};
/** Rows that are read at once. */
const MOST_BATCH = 2000;

/** Reads Parquet and GeoParquet. Throws KnownError 400 for a damaged file, 413 for one that needs too much memory. */
export async function readParquet(
  file: Source,
  { mostColumns, mostRows }: { mostColumns: number; mostRows: number },
): Promise<Table> {
  const source = asSource(file);
  const limits = { ...LIMITS, rows: mostRows };
  const options = { source, limits, keepsBytes: false, mostRows: MOST_BATCH };
  const footer = await readFooter(source, limits).then(withGeometries).catch(refuse);
  const tidy = tidying(footer);
  const toRecords = recordsOf(footer);
  async function* read(): AsyncGenerator<FieldRecord[]> {
    let line = 0;
    for (const group of footer.groups)
      for await (const { rows, entries } of readBatches(group, group.chunks, options)) {
        const records = toRecords(rows, entries);
        yield records.map((record) => ({ line: ++line, fields: tidy(record) }));
      }
  }
  return {
    format: { kind: "parquet", hasHeader: true },
    rows: await tableOf(() => refusing(read()), mostColumns, mostRows),
  };
}

const asSource = (file: Source): ParquetSource => ({
  size: file.size,
  read: (start, end) => slice(file, start, end),
});

/** The footer of a file that was read before. */
export const footerOf = (file: Source): Promise<Footer> => readFooter(asSource(file), { ...LIMITS, rows: Infinity });

async function* refusing<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* batches;
  } catch (error) {
    refuse(error);
  }
}

/** GeoParquet describes in the file's metadata which columns of bytes are geometries. */
function withGeometries(footer: Footer): Footer {
  const { root, geo } = footer;
  const { columns = {} } = geo === undefined ? {} : (JSON.parse(geo) ?? {});
  for (const node of root.children) {
    const column = Object.hasOwn(columns, node.name) ? columns[node.name] : undefined;
    if (node.type !== "BYTE_ARRAY" || node.meaning !== undefined || column?.encoding !== "WKB") continue;
    const id = column.crs?.id ?? column.crs?.ids?.[0];
    node.meaning = "geometry";
    node.crs = id && `${id.authority}:${id.code}`;
  }
  return footer;
}

/** Writes decimals with their own places, because they come with the noise of binary fractions, and geometries in degrees. */
function tidying({ root }: Footer): (row: Record<string, unknown>) => Fields {
  const decimals = root.children.filter(
    ({ meaning, scale }) => meaning === "decimal" && scale >= 0 && scale <= MOST_PLACES,
  );
  const shapes = root.children.flatMap(({ name, meaning, crs }) => {
    const put = meaning === "geometry" ? toDegrees(crs) : undefined;
    return put ? [{ name, put }] : [];
  });
  return (row) => {
    for (const { name, scale } of decimals)
      if (typeof row[name] === "number" && !isRounded(row[name])) row[name] = Number(row[name].toFixed(scale));
    const fields = fieldsOf(row);
    for (const { name, put } of shapes) put(fields, name);
    return fields;
  };
}

/** Decimal places, by Parquet's own limit on the digits. */
const MOST_PLACES = 76;

/** Words what a file is refused for. Bytes that are no Parquet make plain errors of Node's. */
function refuse(error: unknown): never {
  if (error instanceof KnownError) throw error;
  const { kind = "damaged", message = "" } = error instanceof ParquetFault ? error : {};
  if (kind === "encrypted") throw unusableFile("This Parquet file is encrypted. Write it without encryption.");
  if (kind === "codec")
    throw unusableFile(`This Parquet file is compressed with ${message}. Write it with snappy, gzip or zstd.`);
  if (kind === "rows")
    throw tooMuch(`This Parquet file says that it has ${Number(message).toLocaleString("en")} rows.`);
  if (kind === "large")
    throw tooMuch(
      "This Parquet file has parts that are too large to be read. Write it with smaller row groups, such as 20,000 rows.",
    );
  throw unusableFile("This Parquet file is damaged or incomplete. Write it again, or save the list as CSV.");
}
