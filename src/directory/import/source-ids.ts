import { type Db, execute, queryRow } from "../../db/sql.ts";
import type { Release } from "./release.ts";

/**
 * Returns a function that finds the id of a dataset of the release in `directory.source`, and adds a new one. Rows of a dataset
 * with a licence other than its usual one have a source of their own.
 */
export function sourceIds(db: Db, release: Release) {
  const known = new Map<string, number>();
  return async (dataset: string, licence: string | undefined): Promise<number> => {
    const key = JSON.stringify([dataset, licence]);
    const id = known.get(key) ?? (await store(db, release, { dataset, licence }));
    known.set(key, id);
    return id;
  };
}

async function store(
  db: Db,
  release: Release,
  { dataset, licence }: { dataset: string; licence: string | undefined },
): Promise<number> {
  const source = release.sourceOf(dataset, licence);
  const isUsual = source.licence === release.sourceOf(dataset, undefined).licence;
  const name = isUsual ? dataset : `${dataset} (${source.licence})`;
  const row = await queryRow<{ id: number }>(db)`
    INSERT INTO directory.source (release, dataset, attribution, licence, url)
    VALUES (${release.id}, ${name}, ${source.attribution}, ${source.licence}, ${source.url})
    ON CONFLICT (release, dataset) DO UPDATE
      SET attribution = excluded.attribution, licence = excluded.licence, url = excluded.url
    RETURNING id`;
  return row?.id ?? 0;
}

/** The edition that the directory has of a release. */
export async function currentEdition(db: Db, release: string): Promise<string | undefined> {
  const row = await queryRow<{ edition: string | null }>(db)`
    SELECT max(edition) AS edition FROM directory.source WHERE release = ${release}`;
  return row?.edition ?? undefined;
}

export async function noteEdition(db: Db, release: string, edition: string | undefined): Promise<void> {
  await execute(db)`
    UPDATE directory.source SET imported_at = now(), edition = coalesce(${edition ?? null}, edition) WHERE release = ${release}`;
}
