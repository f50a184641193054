import type { Pool } from "pg";
import { prepared, queryRows } from "../db/sql.ts";

/** Where imported venues come from. */
export interface Source {
  id: number;
  /** To be shown with its venues. */
  attribution: string;
  licence: string | null;
  url: string | null;
}

const FRESH_MS = 10 * 60_000;
const read = new WeakMap<Pool, { at: number; sources: ReadonlyMap<number, Source> }>();

/** Returns at least the sources of these venues. There are few sources in all; they are read every ten minutes. */
export async function sourcesOf(
  pool: Pool,
  venues: readonly { sourceId: number | null }[],
): Promise<ReadonlyMap<number, Source>> {
  const known = read.get(pool);
  const isFresh = known && Date.now() - known.at < FRESH_MS;
  if (venues.every(({ sourceId }) => sourceId === null || (isFresh && known.sources.has(sourceId))))
    return known?.sources ?? NONE;
  const rows = await queryRows<Source>(prepared(pool))`
    SELECT id, attribution, licence, url FROM directory.source`;
  const sources = new Map(rows.map((row) => [row.id, row]));
  read.set(pool, { at: Date.now(), sources });
  return sources;
}

const NONE: ReadonlyMap<number, Source> = new Map();
