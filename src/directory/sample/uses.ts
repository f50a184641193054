import type { Pool, PoolClient } from "pg";

/**
 * Returns those of the venues that somebody uses: with a link, a check-in of another user than `demoId`, an open proposal, or a
 * change in their history. What was merged into them, or restored by a revert, is such a change.
 */
export async function usedAmong(
  client: Pool | PoolClient,
  ids: readonly string[],
  demoId: string | undefined,
): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT venue_id AS id FROM directory.link WHERE venue_id = ANY ($1)
     UNION SELECT venue_id FROM directory.checkin WHERE venue_id = ANY ($1) AND user_id IS DISTINCT FROM $2
     UNION SELECT venue_id FROM directory.moved_venue WHERE venue_id = ANY ($1)
     UNION SELECT venue_id FROM directory.venue_change WHERE venue_id = ANY ($1)
     UNION SELECT unnest(ARRAY[venue_id, into_id]) FROM directory.venue_proposal WHERE state = 'open'`,
    [ids, demoId ?? null],
  );
  return new Set(rows.map(({ id }) => id));
}
