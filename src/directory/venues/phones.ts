import type { Pool } from "pg";
import { type Db, prepared, queryRows, rawSql } from "../../db/sql.ts";
import { phoneKeys } from "../../matching/normalize/phone.ts";
import type { Listing } from "../../matching/prepare.ts";
import { findVenues } from "./find.ts";
import { formatPoint } from "./mercator.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";
import type { Tile } from "./tiles.ts";

/** Venues with one number for a listing; chains may have thousands. */
export const MOST_CALLED = 20;

/** Keys of its telephone numbers, with commas between them. */
export const phonesSought = ({ phone }: Listing): string => phoneKeys(phone ?? "").join();

/** Returns by the listing's index the venues with its number, nearest first, wherever they are. */
export async function venuesCalled(pool: Pool, listings: readonly Listing[]): Promise<VenueRow[][]> {
  const [first, second] = listings;
  if (first && !second) return [await nearestCalledBy(pool, first)];
  const called = await calledBy(pool, listings);
  const all = [...called.values()].flat();
  const rows = await findVenues(
    pool,
    all.map(({ id }) => id),
    { tiles: all.map(({ tile }) => tile) },
  );
  return listings.map((_, at) => (called.get(at) ?? []).flatMap(({ id }) => rows.get(id) ?? []));
}

export interface Called {
  id: string;
  tile: Tile;
}

async function nearestCalledBy(db: Db, listing: Listing): Promise<VenueRow[]> {
  const keys = phoneKeys(listing.phone ?? "");
  if (keys.length === 0) return [];
  return queryRows<VenueRow>(prepared(db))`
    SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.closed_at IS NULL AND v.phone_norm = ANY (${keys})
     ORDER BY (v.point <-> ${formatPoint(listing)}::point) + 0, v.id COLLATE "C" LIMIT ${rawSql(MOST_CALLED)}`;
}

/** Returns, by the index of each listing, the keys of the venues with its telephone number. */
export async function calledBy(db: Db, listings: readonly (Listing | undefined)[]): Promise<Map<number, Called[]>> {
  const probes = listings.flatMap((listing, at) => {
    const phones = listing ? phonesSought(listing) : "";
    return listing && phones ? [{ at, phones, point: formatPoint(listing) }] : [];
  });
  if (probes.length === 0) return new Map();
  const [numbers, phones] = [probes.map(({ at }) => at), probes.map(({ phones }) => phones)];
  const points = probes.map(({ point }) => point);
  // Aggregated, because Citus takes no LIMIT for each listing.
  const rows = await queryRows<{ listing: number; keys: [string, Tile][] }>(prepared(db))`
    SELECT q.listing, to_json((array_agg(json_build_array(p.id, p.tile)
                               ORDER BY p.point <-> q.point, p.id COLLATE "C"))[1:${rawSql(MOST_CALLED)}]) AS keys
      FROM unnest(${numbers}::int[], ${phones}::text[], ${points}::point[]) q (listing, phones, point)
      JOIN directory.venue p ON p.closed_at IS NULL AND p.phone_norm = ANY (string_to_array(q.phones, ','))
     GROUP BY q.listing`;
  return new Map(rows.map(({ listing, keys }) => [listing, keys.map(([id, tile]) => ({ id, tile }))]));
}

/** Those with any number of the field, at most 20, anywhere. */
export async function withPhone(db: Db, phone: string | null | undefined): Promise<VenueRow[]> {
  const keys = phoneKeys(phone ?? "");
  if (keys.length === 0) return [];
  return queryRows<VenueRow>(prepared(db))`
    SELECT ${VENUE_COLUMNS} FROM directory.venue v
     WHERE v.closed_at IS NULL AND v.phone_norm = ANY (${keys}) LIMIT ${rawSql(MOST_CALLED)}`;
}
