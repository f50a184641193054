import type { Pool } from "pg";
import type { AddVenueParameters, LatLng } from "../../contract/parameters.ts";
import { isDistributed, ON_ONE_SERVER } from "../../db/citus/distributed.ts";
import { type Db, prepared, queryRows, rawSql } from "../../db/sql.ts";
import { degreesOf, distanceBetween } from "../../matching/distance.ts";
import { atMost } from "../../shared/at-most.ts";
import { randomId } from "../../shared/crypto.ts";
import type { Transaction } from "../deps.ts";
import { recordPlaces } from "../places/refresh.ts";
import type { TokenPair } from "../tokens.ts";
import { storedHandle, venueColumns } from "./columns.ts";
import { boxArray, boxesAround, formatPoint } from "./mercator.ts";
import { nearestVenues } from "./nearest.ts";
import { SAME_NAME } from "./probe.ts";
import { RETURNED_COLUMNS, type VenueRow } from "./rows.ts";

/**
 * Adds venues, as if one after the other, and returns their rows in the same order. Also adds the places that they are the first
 * to name, unless they are held. A venue's country is that of the nearest venue.
 */
export async function insertVenues(
  { tx, pool, isHeld = false }: { tx: Transaction; pool: Pool; isHeld?: boolean },
  venues: readonly AddVenueParameters[],
  { userId, clientId }: TokenPair,
): Promise<VenueRow[]> {
  if (venues.length === 0) return [];
  const countries = await countriesAt(
    pool,
    venues.map(({ ll }) => ll),
  );
  const rows = venues.map(({ ll, primaryCategoryId, positionByAddress, ...rest }, at) => {
    const { nameNorm, point, phoneNorm, tile } = venueColumns({ name: rest.name, ...ll, phone: rest.phone });
    const { name, address, crossStreet, city, state, zip, phone, url, description } = rest;
    const given = { name, address, crossStreet, city, state, zip, phone, url, description };
    const twitter = rest.twitter && storedHandle(rest.twitter);
    return {
      id: randomId(),
      ...given,
      ...ll,
      nameNorm,
      point,
      phoneNorm,
      tile,
      twitter,
      cc: countries[at],
      primaryCategoryId,
      isByAddress: positionByAddress === "true" || null,
      closedAt: isHeld ? "infinity" : null,
    };
  });
  const added = await tx.$queryRaw<VenueRow[]>`
    INSERT INTO directory.venue AS v (id, name, name_norm, lat, lng, point, address, cross_street, city, state, zip, cc,
                                 phone, phone_norm, twitter, url, description, category_id, tile, closed_at,
                                 position_by_address, creator_id, client_id)
    SELECT id, name, "nameNorm", lat, lng, point::point, address, "crossStreet", city, state, zip, cc,
           phone, "phoneNorm", twitter, url, description, "primaryCategoryId", tile, "closedAt", "isByAddress", ${userId}, ${clientId}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n(id text, name text, "nameNorm" text, lat float8, lng float8,
           point text, address text, "crossStreet" text, city text, state text, zip text, cc text, phone text, "phoneNorm" text,
           twitter text, url text, description text, "primaryCategoryId" text, tile int,
           "closedAt" timestamptz, "isByAddress" boolean)
    RETURNING ${RETURNED_COLUMNS}`;
  if (!isHeld) await recordPlaces(tx, rows);
  const byId = new Map(added.map((row) => [row.id, row]));
  return rows.map(({ id }) => byId.get(id) as VenueRow);
}

/**
 * Serializes adds near places, so that each sees the venues added before. A lock on names is not enough, because
 * duplicates have similar names. All adds lock in the same order, to avoid deadlocks.
 */
export async function lockPlaces(tx: Transaction, places: readonly LatLng[]): Promise<void> {
  const cells = [...new Set(places.flatMap(cellsAround))].sort();
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(cell, 7)) FROM unnest(${cells}::text[]) WITH ORDINALITY AS c(cell, at) ORDER BY at`;
}

/** Degrees of latitude, about 5.5 km; cells are square. */
const CELL = 0.05;
/** Degrees of latitude within which a venue may be a duplicate, with a margin. */
const REACH = degreesOf(1.01 * SAME_NAME);

/** Returns the one to four cells that may contain a duplicate. */
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
  return [...cells];
}

/** Metres. Venues farther away may be in another country. */
const NEIGHBOURHOOD = 50_000;

/** Leaves database connections to other callers. */
const AT_ONCE = 2;

interface Placed extends LatLng {
  cc: string | null;
}

/** Returns the countries (ISO 3166-1 alpha-2) of the nearest venues within 50 km. A place also counts for those after it. */
export async function countriesAt(pool: Pool, places: readonly LatLng[]): Promise<(string | null)[]> {
  const nearest = isDistributed(pool)
    ? await atMost(AT_ONCE, places, (center) =>
        nearestVenues(pool, { center, boxes: boxesAround(center, NEIGHBOURHOOD) }, 1),
      )
    : await nearestHere(pool, places);
  const known: Placed[] = [];
  for (const [at, place] of places.entries()) {
    const [first] = [...(nearest[at] ?? []), ...known]
      .map(({ cc, ...point }) => ({ cc, metres: distanceBetween(place, point) }))
      .sort((a, b) => a.metres - b.metres);
    known.push({ ...place, cc: first && first.metres <= NEIGHBOURHOOD ? first.cc : null });
  }
  return known.map(({ cc }) => cc);
}

async function nearestHere(db: Db, places: readonly LatLng[]): Promise<Placed[][]> {
  const probes = places.flatMap((place, at) =>
    boxesAround(place, NEIGHBOURHOOD).map((box) => ({ at, box, point: formatPoint(place) })),
  );
  const [numbers, boxes] = [probes.map(({ at }) => at), boxArray(probes.map(({ box }) => box))];
  const points = probes.map(({ point }) => point);
  const nearest = await queryRows<Placed & { at: number }>(prepared(db))`
    SELECT q.at, v.lat, v.lng, v.cc ${rawSql(ON_ONE_SERVER)}
      FROM unnest(${numbers}::int[], ${boxes}::box[], ${points}::point[]) q (at, box, point)
     CROSS JOIN LATERAL (SELECT lat, lng, cc FROM directory.venue WHERE point <@ q.box ORDER BY point <-> q.point LIMIT 1) v`;
  const found = Map.groupBy(nearest, ({ at }) => at);
  return places.map((_, at) => found.get(at) ?? []);
}
