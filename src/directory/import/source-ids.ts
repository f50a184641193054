import type { Pool, PoolClient } from "pg";
import type { Release } from "./release.ts";

/**
 * Returns a function that finds the id of a dataset of the release in `directory.source`, and adds a new one. Rows of a dataset
 * with a licence other than its usual one have a source of their own.
 */
export function sourceIds(pool: Pool, release: Release) {
  const known = new Map<string, number>();
  return async (dataset: string, licence: string | undefined): Promise<number> => {
    const key = JSON.stringify([dataset, licence]);
    const id = known.get(key) ?? (await store(pool, release, { dataset, licence }));
    known.set(key, id);
    return id;
  };
}

async function store(
  pool: Pool,
  release: Release,
  { dataset, licence }: { dataset: string; licence: string | undefined },
): Promise<number> {
  const source = release.sourceOf(dataset, licence);
  const isUsual = source.licence === release.sourceOf(dataset, undefined).licence;
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO directory.source (release, dataset, attribution, licence, url) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (release, dataset) DO UPDATE
       SET attribution = excluded.attribution, licence = excluded.licence, url = excluded.url
     RETURNING id`,
    [release.id, isUsual ? dataset : `${dataset} (${source.licence})`, source.attribution, source.licence, source.url],
  );
  return rows[0]?.id ?? 0;
}

/** The edition that the directory has of a release. */
export async function currentEdition(client: PoolClient, release: string): Promise<string | undefined> {
  const text = "SELECT max(edition) AS edition FROM directory.source WHERE release = $1";
  const { rows } = await client.query<{ edition: string | null }>(text, [release]);
  return rows[0]?.edition ?? undefined;
}

export async function noteEdition(client: PoolClient, release: string, edition: string | undefined): Promise<void> {
  const text = `UPDATE directory.source SET imported_at = now(), edition = coalesce($2, edition) WHERE release = $1`;
  await client.query(text, [release, edition]);
}
