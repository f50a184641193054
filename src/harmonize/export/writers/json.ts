import { type Geometry, isGeometry } from "../../../shared/geometry.ts";
import { SHAPE, shapeFields } from "../../formats/fields.ts";
import { type ExportTable, type Pieces, valueIn } from "./table.ts";

const recordOf = (columns: ExportTable["columns"], cells: string[]) =>
  Object.fromEntries(columns.map((column, at) => [column.name, valueIn(cells[at] ?? "", column)]));

export async function* writeNdjson({ columns, pages }: ExportTable): Pieces {
  for await (const rows of pages)
    yield rows.map(({ cells }) => `${JSON.stringify(recordOf(columns, cells))}\n`).join("");
}

export const writeJson = ({ columns, pages }: ExportTable): Pieces =>
  listed("[", pages, ({ cells }) => recordOf(columns, cells), "\n]\n");

const OWN_SHAPE: string[] = Object.values(shapeFields(SHAPE));

/** Writes GeoJSON (RFC 7946). Columns that were derived from a geometry are turned back into it. */
export function writeGeojson({ columns, pages }: ExportTable): Pieces {
  const shape = columns.findIndex(({ name }) => name === SHAPE);
  const kept = columns.filter(({ name }) => !OWN_SHAPE.includes(name));
  const places = kept.map((column) => columns.indexOf(column));
  const featureOf: Written = ({ cells, ll }) => ({
    type: "Feature",
    geometry: shapeIn(cells[shape]) ?? (ll && { type: "Point", coordinates: [ll.lng, ll.lat] }),
    properties: recordOf(
      kept,
      places.map((at) => cells[at] ?? ""),
    ),
  });
  return listed('{"type":"FeatureCollection","features":[', pages, featureOf, "\n]}\n");
}

function shapeIn(cell = ""): Geometry | undefined {
  if (!cell.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(cell);
    return isGeometry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Row = { cells: string[]; ll: { lat: number; lng: number } | null };
type Written = (row: Row) => object;

async function* listed(begin: string, pages: AsyncIterable<Row[]>, written: Written, end: string): Pieces {
  yield begin;
  let before = "\n";
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(written(row))).join(",\n");
    before = ",\n";
  }
  yield end;
}
