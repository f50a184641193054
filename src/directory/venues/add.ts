import type { AddVenueParameters, LatLng } from "../../contract/parameters.ts";
import { Prisma } from "../../db/generated/client.ts";
import { degreesOf } from "../../matching/distance.ts";
import { randomId } from "../../shared/crypto.ts";
import type { Transaction } from "../deps.ts";
import { recordPlaces } from "../places/refresh.ts";
import type { TokenPair } from "../tokens.ts";
import { SAME_NAME } from "./candidates.ts";
import { venueColumns } from "./columns.ts";
import { countryAt } from "./country.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";

/** Writes the venue, in the country of its neighbours, and the places it is the first to name. Answers its row. */
export async function insertVenue(tx: Transaction, venue: AddVenueParameters, creator: TokenPair): Promise<VenueRow> {
  const { name, ll, address, crossStreet, city, state, zip, phone, url, description, primaryCategoryId } = venue;
  const { nameNorm, point, phoneNorm } = venueColumns({ name, ...ll, phone });
  const twitter = venue.twitter?.replace(/^@/, "");
  const cc = await countryAt(tx, ll);
  const [row] = await tx.$queryRaw<[VenueRow]>`
    INSERT INTO directory.venue AS v (id, name, name_norm, lat, lng, point, address, cross_street, city, state, zip, cc,
                                 phone, phone_norm, twitter, url, description, category_id, creator_id, client_id)
    VALUES (${randomId()}, ${name}, ${nameNorm}, ${ll.lat}, ${ll.lng}, ${point}::point, ${address ?? null},
            ${crossStreet ?? null}, ${city ?? null}, ${state ?? null}, ${zip ?? null}, ${cc ?? null}, ${phone ?? null}, ${phoneNorm},
            ${twitter ?? null}, ${url ?? null}, ${description ?? null}, ${primaryCategoryId}, ${creator.userId},
            ${creator.clientId})
    RETURNING ${Prisma.raw(VENUE_COLUMNS)}`;
  await recordPlaces(tx, { city, state, zip, cc }, ll);
  return row;
}

/**
 * Lets calls that add a venue near this place wait for one another until the transaction ends, so that each sees what the
 * one before added. Names will not do: duplicates are found by likeness.
 */
export async function lockPlace(tx: Transaction, place: LatLng): Promise<void> {
  for (const cell of cellsAround(place))
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${cell}, 7))`;
}

/** Degrees of latitude of a cell, about 5.5 km; as wide as it is high. */
const CELL = 0.05;
/** Degrees of latitude within which a venue may be a duplicate: the reach of the candidates, and a little more. */
const REACH = degreesOf(1.01 * SAME_NAME);

/** The one to four cells that a duplicate of this place may lie in, in an order that all callers share. */
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
