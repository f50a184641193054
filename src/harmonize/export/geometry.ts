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
 * Returns what finds the shape that the file has, where the listing was asked for, or, without a position of its own, where its venue
 * is, or its address.
 */
export function geometryIn(header: readonly string[]): (row: ExportRow) => Placed {
  const { lat, lng } = shapeFields(SHAPE);
  const [shapeAt, latAt, lngAt] = [SHAPE, lat, lng].map((name) => header.indexOf(name)) as [number, number, number];
  return (row) => {
    const { cells, ll, chosen, by_address } = row;
    const shape = shapeIn(cells[shapeAt] ?? "");
    if (shape) return { geometry: shape, from: "file" };
    if (ll) return point(ll, fromOf(row));
    if (row.outcome === "matched" && chosen) return point(chosen, "venue");
    if (by_address) return point(by_address, "address");
    // Of a row that failed, or whose position was left out.
    return cells[latAt] && cells[lngAt]
      ? point({ lat: Number(cells[latAt]), lng: Number(cells[lngAt]) }, "file")
      : NOWHERE;
  };
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
