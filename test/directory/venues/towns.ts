import type { Pool } from "pg";
import { resolvePlace } from "../../../src/directory/places/geocode.ts";
import { refreshPlaces } from "../../../src/directory/places/refresh.ts";
import { venueColumns } from "../../../src/directory/venues/columns.ts";

export interface Town {
  city?: string;
  state?: string;
  zip?: string;
  cc?: string;
  at: [lat: number, lng: number];
  venues?: number;
}

let next = 0;

/** Stores venues within 1.5 km of a point. */
export async function settle(pool: Pool, { city, state, zip, cc, at: [lat, lng], venues = 1 }: Town): Promise<void> {
  for (let number = 0; number < venues; number++) {
    const spot = { name: "Spot", lat: lat + (number % 5) * 0.005 - 0.01, lng: lng + (number % 7) * 0.003 - 0.009 };
    const { nameNorm, point, tile } = venueColumns(spot);
    await pool.query(
      `INSERT INTO directory.venue (id, name, name_norm, lat, lng, point, city, state, zip, cc, tile)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [String(next++), spot.name, nameNorm, spot.lat, spot.lng, point, city, state, zip, cc, tile],
    );
  }
}

/** A town of 102 venues with two zips, some of them spelt differently. */
export async function settleProvidence(pool: Pool): Promise<void> {
  const usual = { city: "Providence", state: "RI", cc: "US" };
  await settle(pool, { ...usual, zip: "02903", at: [41.82, -71.41], venues: 60 });
  await settle(pool, { ...usual, zip: "02906-1234", at: [41.83, -71.39], venues: 40 });
  const other = { city: "PROVIDENCE", state: "Rhode Island", cc: "US" };
  await settle(pool, { ...other, zip: "02906", at: [41.83, -71.39], venues: 2 });
}

export async function refresh(pool: Pool): Promise<void> {
  const client = await pool.connect();
  await refreshPlaces(client).finally(() => client.release());
}

/**
 * Returns the place that a text names, such as "Providence RI", with the remaining words in brackets, or the error's
 * code.
 */
export const found = (pool: Pool, near: string, from?: { lat: number; lng: number }): Promise<string> =>
  resolvePlace(pool, near, from).then(
    ({ place: { kind, name, state, cc }, what }) =>
      [name, kind === "state" ? cc : state || cc, ...(what.length ? [`(${what.join(" ")})`] : [])].join(" "),
    (error) => error.code,
  );
