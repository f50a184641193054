import type { LatLng } from "../../contract/parameters.ts";
import type { Transaction } from "../idempotency.ts";
import { type Address, placesOf } from "./place.ts";

/** Writes the places that a new venue is the first to name, so that `near` finds them at once. */
export async function recordPlaces(tx: Transaction, address: Address, { lat, lng }: LatLng): Promise<void> {
  const spread = { lat, lng, south: lat, west: lng, north: lat, east: lng, venues: 1 };
  const data = placesOf(address).map((place) => ({ ...place, ...spread }));
  if (data.length > 0) await tx.place.createMany({ data, skipDuplicates: true });
}
