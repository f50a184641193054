import type { LatLng } from "../../contract/parameters.ts";
import { distanceBetween } from "../../matching/distance.ts";
import type { Transaction } from "../deps.ts";
import { boxesAround, formatPoint } from "./mercator.ts";

/** Metres: a venue farther off says nothing about the country. */
const REACH = 50_000;

/** The country (ISO 3166-1 alpha-2) of the nearest venue within 50 km, where it has one. */
export async function countryAt(tx: Transaction, place: LatLng): Promise<string | undefined> {
  const nearest: (LatLng & { cc: string | null })[] = [];
  for (const box of boxesAround(place, REACH))
    nearest.push(
      ...(await tx.$queryRaw<typeof nearest>`
        SELECT lat, lng, cc FROM directory.venue WHERE point <@ ${box}::box
         ORDER BY point <-> ${formatPoint(place)}::point LIMIT 1`),
    );
  const [first] = nearest
    .map(({ cc, ...point }) => ({ cc, metres: distanceBetween(place, point) }))
    .sort((a, b) => a.metres - b.metres);
  return first && first.metres <= REACH ? (first.cc ?? undefined) : undefined;
}
