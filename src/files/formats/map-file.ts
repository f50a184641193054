import { type Geometry, pointIn } from "../../shared/geometry.ts";
import { unusableFile } from "./base/refusal.ts";
import type { Table } from "./base/rows.ts";
import type { Source } from "./base/source.ts";
import { parseXml } from "./base/xml.ts";
import { type Fields, SHAPE, shapeFields } from "./fields.ts";
import { type FieldRecord, tableOf } from "./records.ts";

/** Reads the placemarks of KML (OGC 12-007r2), or the waypoints of GPX 1.0 and 1.1. */
export async function readMapFile(
  source: Source,
  { mostColumns, mostRows }: { mostColumns: number; mostRows: number },
): Promise<Table> {
  const rows = await tableOf(() => placesIn(source), mostColumns, mostRows);
  return { format: { kind: "map", hasHeader: true }, rows };
}

/** Elements of a place. */
const PLACES = new Set(["Placemark", "wpt"]);
/** What a map shows, not what it says of a place. */
const LOOKS = /^(?:styleUrl|Style|StyleMap|LookAt|Camera|Region|visibility|open|extrude|tessellate|altitudeMode)$/;
const COORDINATES = "coordinates";

async function* placesIn(source: Source): AsyncGenerator<FieldRecord[]> {
  let found: FieldRecord[] = [];
  let number = 0;
  /** The elements from the place to the innermost one; those around a place do not count. */
  let path: { name: string; called: string | undefined; isLeaf: boolean }[] = [];
  let fields: Fields | undefined;
  let text = "";
  const folders: string[] = [];
  const handlers = {
    open(name: string, { name: called, lat, lon }: Record<string, string>) {
      text = "";
      if (PLACES.has(name)) {
        fields = new Map();
        path = [];
        if (lat && lon) enterPosition(fields, { type: "Point", coordinates: [Number(lon), Number(lat)] });
      } else if (name === "Folder") folders.push("");
      const outer = path.at(-1);
      if (outer) outer.isLeaf = false;
      path.push({ name, called, isLeaf: true });
    },
    text(piece: string) {
      text += piece;
    },
    close(name: string) {
      const element = path.pop();
      if (PLACES.has(name) && fields) {
        const folder = folders.filter(Boolean).join(" / ");
        if (folder) fields.set("folder", folder);
        found.push({ line: ++number, fields });
        fields = undefined;
      } else if (name === "Folder") folders.pop();
      else if (fields && element?.isLeaf && !path.some((each) => LOOKS.test(each.name)))
        enter(fields, element, path, text);
      else if (name === "name" && path.at(-1)?.name === "Folder") folders[folders.length - 1] = text.trim();
      text = "";
    },
  };
  for await (const _ of parseXml(source.bytes(), handlers, broken)) {
    yield found;
    found = [];
  }
}

type Element = { name: string; called: string | undefined };

/** `<Data name="phone"><value>`, `<SimpleData name="phone">`, or an element with its own name. */
function enter(fields: Fields, element: Element, path: Element[], text: string): void {
  const value = text.trim();
  const name = element.called ?? (element.name === "value" ? path.at(-1)?.called : undefined) ?? element.name;
  if (element.name === COORDINATES) enterCoordinates(fields, path.at(-1)?.name, value);
  else if (value !== "" && !LOOKS.test(element.name) && !fields.has(name)) fields.set(name, value);
}

/** Of several shapes the first counts. */
function enterCoordinates(fields: Fields, shape: string | undefined, text: string): void {
  if (fields.has(shapeFields(SHAPE).lat)) return;
  const points = text.split(/\s+/).map((tuple) => tuple.split(",").map(Number));
  const type = shape === "LinearRing" ? "Polygon" : shape === "LineString" ? "LineString" : "Point";
  const coordinates = { Point: points[0], LineString: points, Polygon: [points] }[type];
  enterPosition(fields, { type, coordinates });
}

function enterPosition(fields: Fields, geometry: Geometry): void {
  const position = pointIn(geometry);
  if (!position) return;
  const { lat, lng } = shapeFields(SHAPE);
  fields.set(lat, String(position[1]));
  fields.set(lng, String(position[0]));
}

const broken = () =>
  unusableFile("This map file is damaged: it is no complete XML. Export it once more as KML, KMZ, GPX or CSV.");
