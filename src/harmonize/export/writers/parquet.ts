import { setImmediate as nextTurn } from "node:timers/promises";
import type { ColumnChunk, ColumnMetaData, RowGroup, SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Source } from "../../../files/formats/base/source.ts";
import { footerOf } from "../../../files/formats/parquet.ts";
import { joinFooters } from "../../../shared/parquet/join-footers.ts";
import { type ExportColumn, type ExportTable, freeName, type Pieces, type TableRow, valueIn } from "./table.ts";

/** Rows of a group, which is written in one stretch, and characters of one. */
const MOST_ROWS = 4000;
const MOST_CHARACTERS = 2 * 1024 * 1024;

/** Writes Parquet with a group of rows after the other: the owner's columns as text, our scores as numbers. */
export async function* writeParquet({ columns, pages }: ExportTable): Pieces {
  const file = parquetFile(columns);
  for await (const rows of pages)
    for (const { cells } of rows) {
      const group = file.add(cells);
      if (!group) continue;
      yield group;
      await nextTurn();
    }
  yield file.end();
}

/** A file whose rows are added one by one. `add` returns bytes to write once a group of rows is full, `end` the rest. */
export function parquetFile(columns: readonly ExportColumn[]) {
  const writer = new ByteWriter();
  const file = fileOf(writer, columns);
  let group: string[][] = [];
  let size = 0;
  const flush = () => {
    file.write({ columnData: columnData(columns, group), rowGroupSize: group.length });
    group = [];
    size = 0;
  };
  return {
    add(cells: string[]): Uint8Array | undefined {
      group.push(cells);
      size += cells.reduce((sum, { length }) => sum + length, 0);
      if (group.length < MOST_ROWS && size < MOST_CHARACTERS) return undefined;
      flush();
      return taken(writer);
    },
    end(): Uint8Array {
      if (group.length > 0) flush();
      file.finish();
      return taken(writer);
    },
  };
}

function fileOf(writer: ByteWriter, columns: readonly ExportColumn[]): ParquetWriter {
  const schema: SchemaElement[] = [{ name: "root", num_children: columns.length }, ...columns.flatMap(elementsOf)];
  return new ParquetWriter({ writer, schema, statistics: false, createdBy: "Samespot" });
}

const columnData = (columns: readonly ExportColumn[], rows: string[][]) =>
  columns.map((column, at) => ({
    name: column.name,
    data: rows.map((cells) => valueIn(cells[at] ?? "", column)),
    offsetIndex: false,
  }));

/**
 * Writes the owner's file as it is, up to its footer, our columns behind it, and a footer for both: a footer may lead anywhere in the
 * file. So the owner's columns need not be read, and keep types that this program does not know.
 */
export async function* writeParquetBehind({ columns, pages }: ExportTable, source: Source): Pieces {
  const { bytes, groups, root } = await footerOf(source);
  const names = new Set(root.children.map(({ name }) => name));
  const behind = source.size - FOOTER_END - bytes.length;
  const places = columns.flatMap(({ isOwn }, at) => (isOwn ? [] : [at]));
  const ours = places.map((at) => {
    const column = columns[at] as ExportColumn;
    return { ...column, name: freeName(column.name, (name) => names.has(name)) };
  });
  const cellsOn = cellsByLine(pages, places);
  yield* source.bytes(0, behind);
  const writer = new ByteWriter();
  const file = fileOf(writer, ours);
  taken(writer);
  writer.offset = behind;
  const written: RowGroup[] = [];
  let line = 0;
  for (const { rows } of groups) {
    const group = groupOf(rows, ours);
    for (let left = rows; left > 0; ) {
      const some: string[][] = [];
      for (; left > 0 && some.length < MOST_ROWS; left--) some.push(await cellsOn(++line));
      file.write({ columnData: columnData(ours, some).map(plain), rowGroupSize: some.length });
      group.add(file.row_groups.pop() as RowGroup, taken(writer));
      await nextTurn();
    }
    const pages = group.bytes();
    yield pages;
    written.push(group.at(writer.offset - pages.length));
  }
  await cellsOn(Infinity); // up to the end, which says whether rows were deleted meanwhile
  file.row_groups = written;
  file.num_rows = BigInt(line);
  file.finish();
  yield ended(joinFooters(bytes, Buffer.from(taken(writer)).subarray(0, -FOOTER_END)));
}

/** Bytes of a footer's size and the mark behind it. */
const FOOTER_END = 8;

function ended(footer: Buffer): Buffer {
  const end = Buffer.from("....PAR1");
  end.writeUInt32LE(footer.length);
  return Buffer.concat([footer, end]);
}

/** Without a dictionary, of which a column could have only one. */
const plain = <T>(column: T) => ({ ...column, encoding: "PLAIN" as const });

/** Gives the cells at these places of the row on a line; lines are asked for in their order. */
function cellsByLine(pages: ExportTable["pages"], places: number[]): (line: number) => Promise<string[]> {
  async function* each() {
    for await (const rows of pages) yield* rows;
  }
  const rows = each();
  let next: IteratorResult<TableRow> | undefined;
  return async (line) => {
    while (!next?.done && (next === undefined || next.value.line < line)) next = await rows.next();
    const { cells = [] } = next.done || next.value.line !== line ? {} : next.value;
    return places.map((at) => cells[at] ?? "");
  };
}

/** Makes one group of rows of small ones: the pages of each column one after the other. */
function groupOf(rows: number, columns: readonly ExportColumn[]) {
  const chunks = columns.map(({ name, kind }) => ({
    pages: [] as Uint8Array[],
    path_in_schema: [name],
    type: kind === "number" ? ("DOUBLE" as const) : ("BYTE_ARRAY" as const),
    num_values: BigInt(rows),
    total_compressed_size: 0n,
    total_uncompressed_size: 0n,
  }));
  return {
    /** `bytes` begin with the first column. */
    add(small: RowGroup, bytes: Uint8Array): void {
      const first = small.columns[0]?.meta_data?.data_page_offset ?? 0n;
      for (const [at, chunk] of chunks.entries()) {
        const own: Partial<ColumnMetaData> = small.columns[at]?.meta_data ?? {};
        const { data_page_offset = 0n, total_compressed_size = 0n, total_uncompressed_size = 0n } = own;
        const from = Number(data_page_offset - first);
        chunk.pages.push(bytes.subarray(from, from + Number(total_compressed_size)));
        chunk.total_compressed_size += total_compressed_size;
        chunk.total_uncompressed_size += total_uncompressed_size;
      }
    },
    bytes: (): Uint8Array => Buffer.concat(chunks.flatMap(({ pages }) => pages)),
    /** What the footer says of it, if its bytes begin at `place`. */
    at(place: number): RowGroup {
      let offset = BigInt(place);
      const columns = chunks.map(({ pages: _, ...chunk }): ColumnChunk => {
        const data_page_offset = offset;
        offset += chunk.total_compressed_size;
        const meta_data = { ...chunk, encodings: ["PLAIN" as const], codec: "SNAPPY" as const, data_page_offset };
        return { file_offset: data_page_offset, meta_data };
      });
      const total_byte_size = chunks.reduce((sum, { total_uncompressed_size: size }) => sum + size, 0n);
      return { columns, total_byte_size, num_rows: BigInt(rows), total_compressed_size: offset - BigInt(place) };
    },
  };
}

const OPTIONAL = { repetition_type: "OPTIONAL" } as const;
const DOUBLE = { ...OPTIONAL, type: "DOUBLE" } as const;

function elementsOf({ name, kind }: ExportColumn): SchemaElement[] {
  if (kind === "number") return [{ ...DOUBLE, name }];
  if (kind === "text") return [{ ...OPTIONAL, name, type: "BYTE_ARRAY", converted_type: "UTF8" }];
  const list = { ...OPTIONAL, name, num_children: 1, converted_type: "LIST" } as const;
  return [list, { name: "list", num_children: 1, repetition_type: "REPEATED" }, { ...DOUBLE, name: "element" }];
}

/** Takes what was written; `offset` goes on counting. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}
