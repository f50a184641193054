import { type FOUND_POSITIONS, SHAPE, shapeFields } from "../../files/formats/fields.ts";
import { type Geometry, isGeometry } from "../../shared/geometry.ts";
import { SHARED } from "../run/problems/slips.ts";
import type { ExportRow } from "./rows.ts";

/** What a feature of GeoJSON shows of a listing, and where that is from; null and "" without any position. */
export interface Placed {
  geometry: Geometry | null;
  from: "file" | "repair" | "correction" | (typeof FOUND_POSITIONS)[number] | "";
}

/**
 * The shape that the file has, where the listing was asked for, or, without a position of its own, where its venue is, or its address.
 */
export function geometryOf(row: ExportRow, header: readonly string[]): Placed {
  const cell = (name: string) => row.cells[header.indexOf(name)] ?? "";
  const shape = shapeIn(cell(SHAPE));
  if (shape) return { geometry: shape, from: "file" };
  const { ll, chosen, by_address } = row;
  if (ll) return point(ll, fromOf(row));
  if (row.outcome === "matched" && chosen) return point(chosen, "venue");
  if (by_address) return point(by_address, "address");
  // Of a row that failed, or whose position was left out.
  const { lat, lng } = shapeFields(SHAPE);
  const own = { lat: cell(lat), lng: cell(lng) };
  return own.lat && own.lng ? point({ lat: Number(own.lat), lng: Number(own.lng) }, "file") : NOWHERE;
}

const NOWHERE: Placed = { geometry: null, from: "" };

function fromOf({ mended, repaired }: ExportRow): Placed["from"] {
  if (mended && "ll" in mended.was) return "correction";
  return repaired && repaired !== SHARED ? "repair" : "file";
}

const point = ({ lat, lng }: { lat: number; lng: number }, from: Placed["from"]): Placed => ({
  geometry: { type: "Point", coordinates: [lng, lat] },
  from,
});

function shapeIn(cell: string): Geometry | undefined {
  if (!cell.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(cell);
    return isGeometry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
