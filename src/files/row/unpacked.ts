import { meaningOf } from "../../shared/csv/column-names.ts";
import { FIELDS, type Field } from "../columns.ts";

type Cells = Partial<Record<Field, string>>;

/**
 * Reads what a packed cell says of a field: JSON, as databases export it, or a structure as Python and DuckDB write it. Returns
 * other cells as they are, and "" if a packed one has no such value.
 */
export function unpacked(cell: string, field: Field): string {
  if (field === "wholeAddress" || field === "description" || !isPacked(cell)) return cell;
  const leaves = leavesOf(cell);
  if (!leaves) return cell;
  if (field === "ll" || field === "lngLat") return positionAmong(leaves, field) ?? cell;
  const values = leaves.filter(([path, value]) => value !== "" && !IS_OF_OTHERS.test(path));
  const named = values.find(([path]) => meaningOf(lastOf(path))?.field === field);
  const main = values.find(([path]) => MAIN.test(path)) ?? values.find(([path]) => /^(?:\d+)?$/.test(path));
  return (named ?? main)?.[1] ?? "";
}

/** The attributes within a packed address; undefined for any other text, or without two of them. */
export function partsOfPacked(cell: string): Cells | undefined {
  const leaves = isPacked(cell) ? leavesOf(cell) : undefined;
  if (!leaves) return undefined;
  const parts: Cells = {};
  for (const [path, value] of leaves) {
    const field = meaningOf(lastOf(path))?.field;
    if (value === "" || IS_OF_OTHERS.test(path) || !ADDRESS_PARTS.includes(field as Field)) continue;
    parts[field as Field] ??= value;
  }
  return Object.keys(parts).length > 1 ? parts : undefined;
}

const ADDRESS_PARTS = FIELDS.filter((field) =>
  ["lat", "lng", "address", "city", "state", "zip", "country"].includes(field),
);

type Leaf = [path: string, value: string];

const isPacked = (cell: string): boolean => /^[[{]/.test(cell);

/** What a list says after its first item. */
const IS_OF_OTHERS = /^[1-9]\d*(?:\.|$)/;
const MAIN = /(?:^|\.)(?:primary|main|value|text|label|default)$/i;

const lastOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

function leavesOf(cell: string): Leaf[] | undefined {
  try {
    const leaves: Leaf[] = [];
    enter(leaves, "", JSON.parse(cell));
    return leaves;
  } catch {
    const [, list] = /^\[([^[\]{}]*)\]$/.exec(cell) ?? [];
    if (list !== undefined)
      return list.split(/,\s+/).map((item, at): Leaf => [String(at), item.replace(/^(['"])(.*)\1$/, "$2")]);
    const leaves = [...cell.matchAll(PAIR)].map(({ 1: name = "", 2: one, 3: other, 4: bare = "" }): Leaf => {
      const value = one ?? other ?? bare.trim();
      return [name, /^(?:null|none)$/i.test(value) ? "" : value.replace(/\\(.)/g, "$1")];
    });
    return leaves.length > 0 ? leaves : undefined;
  }
}

function enter(leaves: Leaf[], path: string, value: unknown): void {
  if (typeof value !== "object" || value === null) leaves.push([path, value === null ? "" : String(value)]);
  else for (const [name, each] of Object.entries(value)) enter(leaves, path === "" ? name : `${path}.${name}`, each);
}

/** `'name': 'text'`, `'name': text`, `"name"=>"text"`; also of JSON that is cut off. A bare text ends before the next name. */
const PAIR =
  /['"]?([\w:]{1,60})['"]?\s{0,2}(?:[:=]>?)\s{0,2}(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,{}[\]'"]+(?:,(?!\s{0,2}['"]?[\w:]{1,60}['"]?\s{0,2}[:=])[^,{}[\]]*)*))/g;

/** GeoJSON's points are read elsewhere. */
function positionAmong(leaves: Leaf[], order: "ll" | "lngLat"): string | undefined {
  const value = (names: RegExp) => leaves.find(([path, each]) => each !== "" && names.test(lastOf(path)))?.[1];
  const lat = value(/^(?:lat(?:itude)?|y|ymin)$/i);
  const lng = value(/^(?:lng|lon|long|longitude|x|xmin)$/i);
  if (lat === undefined || lng === undefined) return undefined;
  return (order === "ll" ? [lat, lng] : [lng, lat]).join(", ");
}
