import { setImmediate as breathe } from "node:timers/promises";
import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { type ExportTable, type Pieces, valueIn } from "./table.ts";

/** Rows of a group, which is written in one stretch, and characters of one. */
const [MOST_ROWS, MOST_CHARACTERS] = [4000, 2 * 1024 * 1024];

/** Writes Parquet with a group of rows after the other: the owner's columns as text, our scores as numbers. */
export async function* writeParquet({ columns, pages }: ExportTable): Pieces {
  const writer = new ByteWriter();
  const types = columns.map(({ name, isNumber }) => ({
    name,
    type: isNumber ? ("DOUBLE" as const) : ("STRING" as const),
  }));
  const schema = schemaFromColumnData({ columnData: types.map((type) => ({ ...type, data: [] })) });
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
    return taken(writer);
  };
  for await (const rows of pages)
    for (const { cells } of rows) {
      group.push(cells);
      size += cells.reduce((sum, { length }) => sum + length, 0);
      if (group.length < MOST_ROWS && size < MOST_CHARACTERS) continue;
      yield flush();
      await breathe();
    }
  if (group.length > 0) yield flush();
  file.finish();
  yield taken(writer);
}

/** Takes what was written; `offset` goes on counting. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}
