import type pg from "pg";
import { queryRow } from "./sql.ts";

/** What synchronous_standby_names asks for: a commit returns once so many of the listed replicas have it. */
interface Standbys {
  /** The setting. */
  names: string;
  needed: number;
  /** Connected replicas that it lists. */
  there: number;
}

/** Returns undefined if commits wait for no replica. Needs no rights. */
export async function lookAtStandbys(db: Pick<pg.Pool, "query">): Promise<Standbys | undefined> {
  const row = await queryRow<{ names: string; waits: boolean; connected: string[] }>(db)`
    SELECT current_setting('synchronous_standby_names') AS names,
           current_setting('synchronous_commit') NOT IN ('off', 'local') AND NOT pg_is_in_recovery() AS waits,
           ARRAY(SELECT application_name FROM pg_stat_replication
                  WHERE coalesce(state, 'streaming') = 'streaming' AND coalesce(sync_state, 'sync') <> 'async'
                    AND application_name <> 'pg_basebackup') AS connected`;
  const { names = "", waits = false, connected = [] } = row ?? {};
  if (!waits || names.trim() === "") return undefined;
  const { needed, listed } = readNames(names);
  const isListed = (name: string) => listed.includes("*") || listed.includes(name.toLowerCase());
  return { names, needed, there: connected.filter(isListed).length };
}

/** For readiness: with these no write succeeds. */
export async function missingStandbys(db: Pick<pg.Pool, "query">): Promise<string[]> {
  const standbys = await lookAtStandbys(db);
  if (!standbys || standbys.there >= standbys.needed) return [];
  return [
    `writes wait for a replica: synchronous_standby_names asks for ${standbys.needed}, ${standbys.there} connected`,
  ];
}

/** `ANY 1 (two, "three")`, `FIRST 2 (*)`, `2 (two, three)` or `two, three`. PostgreSQL ignores the case of names. */
export function readNames(names: string): { needed: number; listed: string[] } {
  const [, number = "1", list = names] = /^\s*(?:(?:ANY|FIRST)\s+)?(\d+)\s*\((.*)\)\s*$/is.exec(names) ?? [];
  const listed = [...list.matchAll(/"((?:[^"]|"")*)"|[^\s,"]+/g)].map(([name, quoted]) =>
    (quoted?.replaceAll('""', '"') ?? name).toLowerCase(),
  );
  return { needed: Number(number), listed };
}

/** For operators: the only command that lets writes go on without the replica. */
export const WAIT_FOR_NONE = "ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf();";
