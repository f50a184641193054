import type { Pool } from "pg";
import type { AddVenueParameters, LatLng } from "../../contract/parameters.ts";
import { Prisma } from "../../db/generated/client.ts";
import { degreesOf, distanceBetween } from "../../matching/distance.ts";
import { randomId } from "../../shared/crypto.ts";
import type { Transaction } from "../deps.ts";
import { recordPlaces } from "../places/refresh.ts";
import type { TokenPair } from "../tokens.ts";
import { venueColumns } from "./columns.ts";
import { boxesAround } from "./mercator.ts";
import { nearestVenues } from "./nearest.ts";
import { SAME_NAME } from "./probe.ts";
import { RETURNED_COLUMNS, type VenueRow } from "./rows.ts";

/** Also adds the places that the venue is the first to name. Its country is that of the nearest venue. */
export async function insertVenue(
  { tx, pool }: { tx: Transaction; pool: Pool },
  venue: AddVenueParameters,
  creator: TokenPair,
): Promise<VenueRow> {
  const { name, ll, address, crossStreet, city, state, zip, phone, url, description, primaryCategoryId } = venue;
  const { nameNorm, point, phoneNorm, tile } = venueColumns({ name, ...ll, phone });
  const twitter = venue.twitter?.replace(/^@/, "");
  const cc = await countryAt(pool, ll);
  const [row] = await tx.$queryRaw<[VenueRow]>`
    INSERT INTO directory.venue AS v (id, name, name_norm, lat, lng, point, address, cross_street, city, state, zip, cc,
                                 phone, phone_norm, twitter, url, description, category_id, creator_id, client_id, tile)
    VALUES (${randomId()}, ${name}, ${nameNorm}, ${ll.lat}, ${ll.lng}, ${point}::point, ${address ?? null},
            ${crossStreet ?? null}, ${city ?? null}, ${state ?? null}, ${zip ?? null}, ${cc ?? null}, ${phone ?? null}, ${phoneNorm},
            ${twitter ?? null}, ${url ?? null}, ${description ?? null}, ${primaryCategoryId}, ${creator.userId},
            ${creator.clientId}, ${tile})
    RETURNING ${Prisma.raw(RETURNED_COLUMNS)}`;
  await recordPlaces(tx, { city, state, zip, cc }, ll);
  return row;
}

/**
 * Serializes adds near a place, so that each sees the venues added before. A lock on names is not enough, because
 * duplicates have similar names.
 */
export async function lockPlace(tx: Transaction, place: LatLng): Promise<void> {
  for (const cell of cellsAround(place))
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${cell}, 7))`;
}

/** Degrees of latitude, about 5.5 km; cells are square. */
const CELL = 0.05;
/** Degrees of latitude within which a venue may be a duplicate, with a margin. */
const REACH = degreesOf(1.01 * SAME_NAME);

/** Returns the one to four cells that may contain a duplicate, sorted to avoid deadlocks. */
function cellsAround({ lat, lng }: LatLng): string[] {
  const cells = new Set<string>();
  for (const y of [lat - REACH, lat + REACH]) {
    const band = Math.floor(y / CELL);
    const shrink = Math.max(0.01, Math.cos((band * CELL * Math.PI) / 180));
    for (const x of [lng - REACH / shrink, lng + REACH / shrink]) {
      const turn = ((((x + 180) % 360) + 360) % 360) * shrink;
      cells.add(`venues ${band} ${Math.floor(turn / CELL)}`);
    }
  }
  return [...cells].sort();
}

/** Metres. Venues farther away may be in another country. */
const NEIGHBOURHOOD = 50_000;

/** Returns the country (ISO 3166-1 alpha-2) of the nearest venue within 50 km. */
async function countryAt(pool: Pool, place: LatLng): Promise<string | undefined> {
  const [nearest] = await nearestVenues(pool, { center: place, boxes: boxesAround(place, NEIGHBOURHOOD) }, 1);
  return nearest && distanceBetween(place, nearest) <= NEIGHBOURHOOD ? (nearest.cc ?? undefined) : undefined;
}
