import { idName, SHAPE, shapeFields } from "../../../files/formats/fields.ts";
import { isGeometry } from "../../../shared/geometry.ts";
import { type ExportColumn, type ExportTable, freeName, type Pieces, type TableRow, valueIn } from "./table.ts";

export async function* writeNdjson({ columns, pages }: ExportTable): Pieces {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(recordOf(columns, row))}\n`).join("");
}

export const writeJson = ({ columns, pages }: ExportTable): Pieces =>
  listed("[", pages, (row) => recordOf(columns, row), "\n]\n");

/** Writes GeoJSON (RFC 7946). Columns that were derived from a geometry are part of it again. */
export const writeGeojson = ({ columns, pages }: ExportTable): Pieces =>
  listed('{"type":"FeatureCollection","features":[', pages, (row) => featureOf(columns, row), "\n]}\n");

type Value = [column: Pick<ExportColumn, "name" | "isOwn">, value: string | number | null];

const valuesOf = (columns: ExportColumn[], cells: string[]): Value[] =>
  columns.map((column, at) => [column, valueIn(cells[at] ?? "", column)]);

const asObject = (values: Value[]): object => Object.fromEntries(values.map(([{ name }, value]) => [name, value]));

const OWN_SHAPE: string[] = Object.values(shapeFields(SHAPE));
const isShape = ([{ name, isOwn }]: Value): boolean => isOwn === true && OWN_SHAPE.includes(name);

function recordOf(columns: ExportColumn[], { cells, record }: TableRow): object {
  const values = valuesOf(columns, cells);
  if (!record) return asObject(values);
  const { fields, feature } = record;
  if (!feature) return withOurs(fields, values);
  const shape = values.filter((each) => isShape(each) && each[1] !== null);
  const position = Object.fromEntries(shape.map(([{ name }, value]) => [name, JSON.parse(String(value))]));
  const id = feature.id === undefined ? {} : { [idName(fields)]: feature.id };
  return withOurs({ ...id, ...fields, ...position }, values);
}

/** The geometry stays as the file has it, unless another position is known better. */
function featureOf(columns: ExportColumn[], { cells, placed, record }: TableRow): object {
  const values = valuesOf(columns, cells).filter((each) => !isShape(each));
  const { geometry = null, from } = placed ?? {};
  if (!record) return { type: "Feature", geometry, properties: asObject(values) };
  const { feature, fields } = record;
  const own = from === "file" && feature?.geometry ? feature.geometry : geometry;
  const properties = withOurs(feature ? fields : withoutShape(fields), values);
  return { type: "Feature", ...feature, geometry: own, properties };
}

function withOurs(fields: object, values: Value[]): object {
  const ours = values.filter(([{ isOwn }]) => !isOwn);
  const isTaken = (name: string) => Object.hasOwn(fields, name);
  return { ...fields, ...asObject(ours.map(([{ name }, value]) => [{ name: freeName(name, isTaken) }, value])) };
}

const withoutShape = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => name !== SHAPE || !isGeometry(value)));

async function* listed(
  begin: string,
  pages: AsyncIterable<TableRow[]>,
  written: (row: TableRow) => object,
  end: string,
): Pieces {
  yield begin;
  let before = "\n";
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(written(row))).join(",\n");
    before = ",\n";
  }
  yield end;
}
