import { DatabaseSync } from "node:sqlite";
import { degreesOf, distanceBetween, radians } from "../../src/matching/distance.ts";
import { normalizeName } from "../../src/matching/normalize/normalize.ts";
import { trigramSimilarity } from "../../src/matching/text/similarity.ts";
import type { MadeVenue } from "./venues.ts";

const METRES = 1500;
type Row = { name: string; lat: number; lng: number; source_id: string };

/** In-process SQLite: an R*Tree finds venues within 1.5 km; `search` returns the id of the most similar, then nearest one. */
export async function openRtree(file: string, venues: AsyncIterable<MadeVenue>) {
  const db = new DatabaseSync(file);
  db.exec(`CREATE TABLE venue (id INTEGER PRIMARY KEY, source_id TEXT, name TEXT, lat REAL, lng REAL);
           CREATE VIRTUAL TABLE place USING rtree (id, south, north, west, east); BEGIN`);
  const [venue, place] = [
    db.prepare("INSERT INTO venue VALUES (?, ?, ?, ?, ?)"),
    db.prepare("INSERT INTO place VALUES (?, ?, ?, ?, ?)"),
  ];
  let id = 0;
  for await (const { id: sourceId, name, ...at } of venues) {
    const [lat, lng] = [Number(at.lat), Number(at.lng)];
    venue.run(++id, sourceId, normalizeName(name), lat, lng);
    place.run(id, lat, lat, lng, lng);
  }
  db.exec("COMMIT");
  const near = db.prepare(`SELECT v.source_id, v.name, v.lat, v.lng FROM place p JOIN venue v ON v.id = p.id
                            WHERE p.south >= ? AND p.north <= ? AND p.west >= ? AND p.east <= ?`);
  const search = ({ name, lat, lng }: Pick<Row, "name" | "lat" | "lng">): string | undefined => {
    const height = degreesOf(METRES);
    const width = height / Math.cos(radians(lat));
    const rows = near.all(lat - height, lat + height, lng - width, lng + width) as unknown as Row[];
    const wanted = normalizeName(name);
    const ranked = rows.map((row) => ({ row, order: order(wanted, { lat, lng }, row) }));
    return ranked.sort((a, b) => b.order - a.order)[0]?.row.source_id;
  };
  return { search, close: () => db.close() };
}

const order = (wanted: string, place: { lat: number; lng: number }, row: Row): number =>
  trigramSimilarity(wanted, row.name) - distanceBetween(place, row) / (100 * METRES);
