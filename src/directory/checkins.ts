import type { Pool } from "pg";
import type { CheckinsParameters } from "../contract/checkins.ts";
import type { Checkin } from "../db/generated/client.ts";
import { randomId } from "../shared/crypto.ts";
import type { DirectoryDeps } from "./deps.ts";

/** Adds a check-in and counts it at the venue. The caller has made sure that the venue exists. */
export function addCheckin(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  { userId, venue, shout }: { userId: string; venue: { id: string; lng: number }; shout?: string | undefined },
): Promise<Checkin> {
  return prisma.$transaction(async (tx) => {
    // The venue's row is the lock: two first check-ins of one user at once count as one user.
    await tx.$queryRaw`SELECT 1 FROM directory.venue WHERE id = ${venue.id} FOR UPDATE`;
    const visitedBefore = await tx.checkin.findFirst({ where: { userId, venueId: venue.id }, select: { id: true } });
    await tx.venue.update({
      where: { id: venue.id },
      data: { checkinsCount: { increment: 1 }, usersCount: { increment: visitedBefore ? 0 : 1 } },
      select: { id: true },
    });
    const data = { id: randomId(), userId, venueId: venue.id, shout: shout ?? null };
    return tx.checkin.create({ data: { ...data, timeZoneOffset: solarOffset(venue.lng) } });
  });
}

/**
 * One page of a user's check-ins with the number of all that the time limits let through (epoch seconds, both exclusive;
 * interface, "users/self/checkins").
 */
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

/** How often the user has checked in at each of these venues; those never visited are not in the answer. */
export async function countVisits(pool: Pool, userId: string, venueIds: string[]): Promise<Map<string, number>> {
  if (venueIds.length === 0) return new Map();
  const { rows } = await pool.query<{ venueId: string; count: number }>({
    name: "count-visits",
    text: `SELECT venue_id AS "venueId", count(*)::int AS count FROM directory.checkin
            WHERE user_id = $1 AND venue_id = ANY($2::text[]) GROUP BY venue_id`,
    values: [userId, venueIds],
  });
  return new Map(rows.map(({ venueId, count }) => [venueId, count]));
}

/** Minutes east of UTC by the sun. The directory keeps no time zones; this is right to an hour or two. */
const solarOffset = (lng: number): number => Math.round(lng / 15) * 60;
