import { SHAPE, shapeFields } from "../../../files/formats/fields.ts";
import { type ExportTable, type Pieces, type TableRow, valueIn } from "./table.ts";

const recordOf = (columns: ExportTable["columns"], cells: string[]) =>
  Object.fromEntries(columns.map((column, at) => [column.name, valueIn(cells[at] ?? "", column)]));

export async function* writeNdjson({ columns, pages }: ExportTable): Pieces {
  for await (const rows of pages)
    yield rows.map(({ cells }) => `${JSON.stringify(recordOf(columns, cells))}\n`).join("");
}

export const writeJson = ({ columns, pages }: ExportTable): Pieces =>
  listed("[", pages, ({ cells }) => recordOf(columns, cells), "\n]\n");

const OWN_SHAPE: string[] = Object.values(shapeFields(SHAPE));

/** Writes GeoJSON (RFC 7946). Columns that were derived from a geometry are part of it again. */
export function writeGeojson({ columns, pages }: ExportTable): Pieces {
  const kept = columns.filter(({ name }) => !OWN_SHAPE.includes(name));
  const places = kept.map((column) => columns.indexOf(column));
  const featureOf: Written = ({ cells, geometry = null }) => ({
    type: "Feature",
    geometry,
    properties: recordOf(
      kept,
      places.map((at) => cells[at] ?? ""),
    ),
  });
  return listed('{"type":"FeatureCollection","features":[', pages, featureOf, "\n]}\n");
}

type Written = (row: TableRow) => object;

async function* listed(begin: string, pages: AsyncIterable<TableRow[]>, written: Written, end: string): Pieces {
  yield begin;
  let before = "\n";
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(written(row))).join(",\n");
    before = ",\n";
  }
  yield end;
}
