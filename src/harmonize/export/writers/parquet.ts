import { setImmediate as breathe } from "node:timers/promises";
import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { type ExportColumn, type ExportTable, type Pieces, valueIn } from "./table.ts";

/** Rows of a group, which is written in one stretch, and characters of one. */
const [MOST_ROWS, MOST_CHARACTERS] = [4000, 2 * 1024 * 1024];

/** Writes Parquet with a group of rows after the other: the owner's columns as text, our scores as numbers. */
export async function* writeParquet({ columns, pages }: ExportTable): Pieces {
  const file = parquetFile(columns);
  for await (const rows of pages)
    for (const { cells } of rows) {
      const group = file.add(cells);
      if (!group) continue;
      yield group;
      await breathe();
    }
  yield file.end();
}

/** A file whose rows are added one by one. `add` returns bytes to write once a group of rows is full, `end` the rest. */
export function parquetFile(columns: readonly ExportColumn[]) {
  const writer = new ByteWriter();
  const schema: SchemaElement[] = [{ name: "root", num_children: columns.length }, ...columns.flatMap(elementsOf)];
  const file = new ParquetWriter({ writer, schema, statistics: false, createdBy: "Samespot" });
  let group: string[][] = [];
  let size = 0;
  const flush = () => {
    const columnData = columns.map((column, at) => ({
      name: column.name,
      data: group.map((cells) => valueIn(cells[at] ?? "", column)),
      offsetIndex: false,
    }));
    file.write({ columnData, rowGroupSize: group.length });
    [group, size] = [[], 0];
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
