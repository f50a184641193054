import type { AddVenueParameters } from "../../contract/parameters.ts";
import { randomId } from "../../crypto.ts";
import { Prisma } from "../../db/generated/client.ts";
import type { Transaction } from "../idempotency.ts";
import type { TokenPair } from "../tokens.ts";
import { venueColumns } from "./columns.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";

/** Writes the venue and answers its row. */
export async function insertVenue(tx: Transaction, venue: AddVenueParameters, creator: TokenPair): Promise<VenueRow> {
  const { name, ll, address, crossStreet, city, state, zip, phone, url, description, primaryCategoryId } = venue;
  const { nameNorm, point, phoneNorm } = venueColumns({ name, ...ll, phone });
  const twitter = venue.twitter?.replace(/^@/, "");
  const [row] = await tx.$queryRaw<[VenueRow]>`
    INSERT INTO directory.venue AS v (id, name, name_norm, lat, lng, point, address, cross_street, city, state, zip, phone,
                                 phone_norm, twitter, url, description, category_id, creator_id, client_id)
    VALUES (${randomId()}, ${name}, ${nameNorm}, ${ll.lat}, ${ll.lng}, ${point}::point, ${address ?? null},
            ${crossStreet ?? null}, ${city ?? null}, ${state ?? null}, ${zip ?? null}, ${phone ?? null}, ${phoneNorm},
            ${twitter ?? null}, ${url ?? null}, ${description ?? null}, ${primaryCategoryId}, ${creator.userId},
            ${creator.clientId})
    RETURNING ${Prisma.raw(VENUE_COLUMNS)}`;
  return row;
}

/** Lets calls that add a venue of this name wait for one another, so that each sees what the one before added. */
export async function lockName(tx: Transaction, nameNorm: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${nameNorm}, 7))`;
}
