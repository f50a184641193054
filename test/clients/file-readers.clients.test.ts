import "./installed.ts";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { check } from "@placemarkio/check-geojson";
import { expect, test } from "vitest";
import { exportText } from "../../src/harmonize/export/export.ts";
import type { TableFormat } from "../../src/harmonize/export/formats.ts";
import { startFiles } from "../harmonize/file/reader.ts";
import { installDebian } from "../support/debian.ts";

const { deps, uploadAndRead } = await startFiles();
const folder = mkdtempSync(path.join(tmpdir(), "samespot-readers-"));
const at = (name: string) => path.join(folder, name);

/** Debian's own, which finds Debian's packages. */
const PYTHON = "/usr/bin/python3";
const python = (script: string, ...args: string[]) =>
  spawnSync(PYTHON, ["-c", script, ...args], { encoding: "utf8", env: { PYTHONUTF8: "1" } });
const hasOpenpyxl = () => python("import openpyxl").status === 0;
const missing = hasOpenpyxl() ? undefined : installDebian("python3-openpyxl");
if (missing) console.warn(`openpyxl is skipped: ${missing}.`);

async function comesBack(file: string, format: TableFormat): Promise<string> {
  const run = await uploadAndRead(readFileSync(file));
  const pieces: Buffer[] = [];
  for await (const piece of exportText(deps, run, { format, hasCandidates: false })) pieces.push(Buffer.from(piece));
  writeFileSync(at(`out.${format}`), Buffer.concat(pieces));
  return at(`out.${format}`);
}

function inPython<T>(script: string, ...args: string[]): T {
  const { stdout, stderr } = python(script, ...args);
  expect(stderr).toBe("");
  return JSON.parse(stdout || "null");
}

const WRITE = `
import sys, openpyxl
from datetime import datetime, date, time
book = openpyxl.Workbook()
cover = book.active
cover.title = "Cover"
cover["A1"] = "Our outlets"
sheet = book.create_sheet("Outlets")
for line in [["Outlets of the north"], [], ["id", "name", "lat", "lng", "zip", "rent", "share", "opened", "seen", "at", "open", "seats", "note"]]:
    sheet.append(line)
for n in range(1, 13):
    odd = n % 2 == 1
    sheet.append([n, f"Café {n}", 41.8 + n / 1000, -71.4, 2800 + n, 1200.5 * n, n / 8, date(2026, 1, n), datetime(2026, 1, n, 18, 30, n),
        time(7, n), odd, n if odd else None, "=1+1" if n == 99 else ("+1 401" if odd else "007")])
    row = sheet.max_row
    for column, form in [("E", "00000"), ("F", '#,##0.00 [$€-407]'), ("G", "0.0%"), ("H", "dd.mm.yyyy"), ("I", "yyyy-mm-dd hh:mm:ss"), ("J", "hh:mm")]:
        sheet[f"{column}{row}"].number_format = form
staff = book.create_sheet("Staff")
staff.append(["Sue"])
book.save(sys.argv[1])
`;

/** Cells as [type, value], dates and times apart from numbers, and what kind of number each is shown as. */
const READ = `
import sys, json, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
sheet = book[sys.argv[2]] if len(sys.argv) > 2 and sys.argv[2] in book.sheetnames else book.active
def kind(cell):
    if cell.is_date: return "date"
    if set(cell.number_format) == {"0"}: return cell.number_format
    return "percent" if "%" in cell.number_format else ""
rows = [[[type(c.value).__name__.replace("int", "float"), c.value if isinstance(c.value, (bool, str)) or c.value is None else (c.value.isoformat() if hasattr(c.value, "isoformat") else round(float(c.value), 9)), kind(c)] for c in row] for row in sheet.iter_rows()]
print(json.dumps({"sheets": book.sheetnames, "rows": rows}))
`;

interface Book {
  sheets: string[];
  rows: [type: string, value: unknown, kind: string][][];
}

test.skipIf(missing !== undefined)(
  "F125: a workbook comes back to openpyxl with numbers, their leading zeros, dates, times, percentages and truth values, and without what the page says is dropped",
  async () => {
    inPython(WRITE, at("in.xlsx"));
    const before = inPython<Book>(READ, at("in.xlsx"), "Outlets");
    const after = inPython<Book>(READ, await comesBack(at("in.xlsx"), "xlsx"));
    const list = before.rows.slice(2);
    const width = list[0]?.length ?? 0;
    expect(after.rows.map((row) => row.slice(0, width))).toEqual(list);
    expect(list[1]?.[4]).toEqual(["float", 2801, "00000"]);
    expect(list.slice(1).flatMap((row) => row.map(([type]) => type))).toEqual(
      expect.arrayContaining(["float", "str", "datetime", "time", "bool", "NoneType"]),
    );
    expect(after.sheets, "other sheets, and the rows above, are left out").toHaveLength(1);
  },
);

const FEATURES = Array.from({ length: 12 }, (_, n) => ({
  type: "Feature",
  id: n % 2 ? n : `node/${n}`,
  properties: {
    name: `Café ${n}`,
    level: n,
    height: n + 0.5,
    open: n % 3 === 0,
    none: null,
    tags: { "addr:street": "Mill St", floors: [1, 2.5, null, "3"] },
    zip: "02857",
    text: "1.0",
  },
  geometry:
    n % 4 === 0
      ? {
          type: "Polygon",
          coordinates: [
            [
              [-71.4, 41.8],
              [-71.39, 41.8],
              [-71.39, 41.81],
              [-71.4, 41.8],
            ],
          ],
        }
      : { type: "Point", coordinates: [-71.4 + n / 1000, 41.8] },
}));

/** Types are Python's, which tells 1 and 1.0, true and 1 apart. */
const READ_GEOJSON = `
import sys, json
def typed(v):
    if isinstance(v, dict): return {k: typed(x) for k, x in v.items()}
    if isinstance(v, list): return [typed(x) for x in v]
    return [type(v).__name__, v]
features = json.load(open(sys.argv[1], encoding="utf8"))["features"]
print(json.dumps([{k: typed(f.get(k)) for k in ("id", "geometry", "properties")} for f in features]))
`;

test("F125: GeoJSON comes back as RFC 7946 with its properties, ids and geometries in their types", async () => {
  const text = JSON.stringify({ type: "FeatureCollection", features: FEATURES }).replaceAll(
    '"level":5,',
    '"level":5.0,',
  );
  writeFileSync(at("in.geojson"), text);
  const out = await comesBack(at("in.geojson"), "geojson");
  expect(check(readFileSync(out, "utf8"))).toMatchObject({ type: "FeatureCollection" });
  const [before, after] = [at("in.geojson"), out].map((file) =>
    inPython<{ properties: Record<string, unknown> }[]>(READ_GEOJSON, file),
  ) as [{ properties: Record<string, unknown> }[], { properties: Record<string, unknown> }[]];
  const own = after.map((feature, index) => ({
    ...feature,
    properties: Object.fromEntries(Object.keys(before[index]?.properties ?? {}).map((k) => [k, feature.properties[k]])),
  }));
  expect(own).toEqual(before);
  expect(JSON.stringify(before)).toContain('"level":["float",5]');
});
