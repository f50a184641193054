import type { Pool } from "pg";
import { isDistributed } from "../../db/citus/distributed.ts";
import { lockOnCoordinator } from "../../db/locks.ts";
import { type Db, prepared, queryRows } from "../../db/sql.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Transaction } from "../deps.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";
import { inTiles, type Tile, tileOfPlace } from "./tiles.ts";

/** Who may see a venue, if it is held (held.ts). */
export type Sees = (venue: Pick<VenueRow, "heldFor">) => boolean;

export const seenByAll: Sees = ({ heldFor }) => heldFor === null;
export const seenByOperators: Sees = () => true;
export const seenBy =
  ({ userId }: { userId?: string | undefined }): Sees =>
  ({ heldFor }) =>
    heldFor === null || heldFor === userId;

/** Throws KnownError 400 param_error for an unknown, deleted or malformed id, or one that the caller may not see (wire-format 3). */
export async function requireVenue(pool: Pool, id: string, sees: Sees): Promise<VenueRow> {
  const venue = (await lookUpVenues(pool, [id], sees)).get(id) ?? { error: noSuchVenue() };
  if ("error" in venue) throw venue.error;
  return venue;
}

/** The same for many: returns a venue or the error for each id. */
export async function lookUpVenues(
  pool: Pool,
  ids: readonly string[],
  sees: Sees,
): Promise<Map<string, VenueRow | { error: KnownError }>> {
  const wellFormed = [...new Set(ids)].filter((id) => VENUE_ID.test(id));
  const found = await findVenues(pool, wellFormed, { sees });
  const missing = wellFormed.filter((id) => !found.has(id));
  const deleted = await deletedAmong(pool, missing);
  return new Map(
    ids.map((id) => [id, found.get(id) ?? { error: deleted.has(id) ? wasDeleted() : noSuchVenue() }] as const),
  );
}

export const noSuchVenue = () => new KnownError(400, "param_error", "There is no venue with this id.");

export const wasDeleted = () => new KnownError(400, "param_error", "The venue with this id was deleted.");

export async function deletedAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const wellFormed = ids.filter((id) => VENUE_ID.test(id));
  if (wellFormed.length === 0) return new Set();
  const deleted = await queryRows<{ id: string }>(prepared(db))`
    SELECT venue_id AS id FROM directory.venue_change
     WHERE venue_id = ANY (${wellFormed}::text[]) AND kind = 'deleted' AND reverted_at IS NULL`;
  return new Set(deleted.map(({ id }) => id));
}

/** Our own ids have 24 hex digits; `import --keep-ids` allows others. */
export const VENUE_ID = /^[\w.:-]{1,64}$/;

interface Finding {
  /** Of the venues; null for one that is not known. */
  tiles?: readonly Tile[];
  sees?: Sees;
}

/** Finds a venue that was merged into another by its old id too, and closed ones. Leaves out unknown ids, and by default held venues. */
export async function findVenues(
  db: Db,
  ids: readonly string[],
  { tiles = [null], sees = seenByAll }: Finding = {},
): Promise<Map<string, VenueRow>> {
  if (ids.length === 0) return new Map();
  const few = tiles.includes(null) ? undefined : [...new Set(tiles)].filter((tile) => tile !== null);
  const rows = await queryRows<VenueRow>(prepared(db))`
    SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.id = ANY (${ids}::text[]) AND ${inTiles(few)}`;
  const known = new Set(rows.map(({ id }) => id));
  const found = new Map(rows.filter(sees).map((row) => [row.id, row]));
  const missing = ids.filter((id) => !known.has(id));
  const moved = missing.length > 0 ? await movedIds(db, missing) : [];
  if (moved.length === 0) return found;
  const others = await findVenues(
    db,
    moved.map(({ venueId }) => venueId),
    { sees },
  );
  for (const { id, venueId } of moved) {
    const venue = others.get(venueId);
    if (venue) found.set(id, venue);
  }
  return found;
}

/**
 * Like findVenues(), and keeps the venues from being merged and deleted until the transaction ends. Locks in the order of those
 * calls, to avoid deadlocks.
 */
export async function keepVenues(
  tx: Transaction,
  pool: Pool,
  ids: readonly string[],
  sees: Sees,
): Promise<Map<string, VenueRow>> {
  const found = await findVenues(pool, ids, { sees });
  const byTile = [...Map.groupBy(found.values(), (venue) => tileOfPlace(pool, venue))];
  const kept = new Set<string>();
  if (isDistributed(pool))
    await tx.$executeRaw(
      lockOnCoordinator(
        [...found.values()].map(({ id }) => id),
        "shared",
      ),
    );
  for (const [tile, venues] of byTile.sort(([a], [b]) => Number(a) - Number(b))) {
    const rows = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM directory.venue v
       WHERE (${tile}::int IS NULL OR v.tile = ${tile}::int) AND id = ANY (${venues.map(({ id }) => id)})
       ORDER BY id COLLATE "C" FOR KEY SHARE`;
    for (const { id } of rows) kept.add(id);
  }
  const gone = [...found].flatMap(([asked, { id }]) => (kept.has(id) ? [] : asked));
  if (gone.length === 0) return found;
  for (const asked of gone) found.delete(asked);
  return new Map([...found, ...(await keepVenues(tx, pool, gone, sees))]);
}

const movedIds = (db: Db, ids: readonly string[]): Promise<{ id: string; venueId: string }[]> =>
  queryRows<{ id: string; venueId: string }>(prepared(db))`
    SELECT id, venue_id AS "venueId" FROM directory.moved_venue WHERE id = ANY (${ids}::text[])`;
