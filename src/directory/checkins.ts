import type { CheckinsParameters } from "../contract/checkins.ts";
import type { LatLng } from "../contract/parameters.ts";
import { type Checkin, Prisma } from "../db/generated/client.ts";
import { lockOnCoordinator } from "../db/locks.ts";
import { type Db, prepared, queryRows } from "../db/sql.ts";
import { randomId } from "../shared/crypto.ts";
import type { DirectoryDeps, Transaction } from "./deps.ts";
import { offsetIn, timeZoneAt } from "./time-zones.ts";
import type { TokenPair } from "./tokens.ts";

interface AtVenue {
  id: string;
  /** As in venues/tiles.ts. */
  tile: number | null;
}

interface NewCheckin {
  by: TokenPair;
  venue: AtVenue & LatLng;
  shout?: string | undefined;
}

/** Adds a check-in and updates the venue's counts. Returns undefined if the venue was deleted or merged meanwhile. */
export function addCheckin(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  { by: { userId, clientId }, venue, shout }: NewCheckin,
): Promise<Checkin | undefined> {
  return prisma.$transaction(async (tx) => {
    // So that two concurrent first check-ins count one user.
    if (!(await lockVenue(tx, venue))) return undefined;
    const visitedBefore = await tx.checkin.findFirst({ where: { userId, venueId: venue.id }, select: { id: true } });
    await tx.$executeRaw`
      UPDATE directory.venue v SET checkins_count = checkins_count + 1, users_count = users_count + ${visitedBefore ? 0 : 1}
       WHERE ${isAt(venue)}`;
    const timeZoneOffset = offsetIn(timeZoneAt(venue), new Date());
    const data = { id: randomId(), userId, clientId, venueId: venue.id, shout: shout ?? null };
    return tx.checkin.create({ data: { ...data, timeZoneOffset } });
  });
}

/** Locks a venue whose check-ins will change. Returns false if it was deleted or merged, or has moved to another tile. */
export async function lockVenue(tx: Transaction, venue: AtVenue): Promise<boolean> {
  if (venue.tile !== null) await tx.$executeRaw(lockOnCoordinator([venue.id]));
  const there = await tx.$queryRaw<object[]>`SELECT 1 FROM directory.venue v WHERE ${isAt(venue)} FOR UPDATE`;
  return there.length > 0;
}

const isAt = ({ id, tile }: AtVenue): Prisma.Sql =>
  Prisma.sql`v.id = ${id} AND (${tile}::int IS NULL OR v.tile = ${tile}::int)`;

/** The time limits are epoch seconds, both exclusive (interface, "users/self/checkins"). `count` ignores the page. */
export async function listCheckins(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  userId: string,
  { limit, offset, sort, afterTimestamp, beforeTimestamp }: CheckinsParameters,
): Promise<{ count: number; items: Checkin[] }> {
  const createdAt = {
    ...(afterTimestamp !== undefined && { gte: new Date((afterTimestamp + 1) * 1000) }),
    ...(beforeTimestamp !== undefined && { lt: new Date(beforeTimestamp * 1000) }),
  };
  const order = sort === "newestfirst" ? "desc" : "asc";
  const where = { userId, createdAt };
  const [count, items] = await prisma.$transaction([
    prisma.checkin.count({ where }),
    prisma.checkin.findMany({ where, orderBy: [{ createdAt: order }, { id: order }], skip: offset, take: limit }),
  ]);
  return { count, items };
}

/** Leaves out venues without check-ins. */
export async function countVisits(db: Db, userId: string, venueIds: string[]): Promise<Map<string, number>> {
  if (venueIds.length === 0) return new Map();
  const rows = await queryRows<{ venueId: string; count: number }>(prepared(db))`
    SELECT venue_id AS "venueId", count(*)::int AS count FROM directory.checkin
     WHERE user_id = ${userId} AND venue_id = ANY(${venueIds}::text[]) GROUP BY venue_id`;
  return new Map(rows.map(({ venueId, count }) => [venueId, count]));
}
