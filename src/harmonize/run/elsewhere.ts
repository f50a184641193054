import { queryRows } from "../../db/sql.ts";
import type { Harmonizer } from "./deps.ts";

type Deps = Pick<Harmonizer, "pool" | "directoryUrl">;

const MOST = 5;

/** Counts the files whose directory has another address than this one's, by that address. */
export async function filesElsewhere({ pool, directoryUrl }: Deps): Promise<{ directory: string; files: number }[]> {
  return queryRows<{ directory: string; files: number }>(pool)`
        SELECT directory, count(*)::int AS files FROM app.harmonization WHERE directory <> ${directoryUrl} AND state <> 'deleting'
      GROUP BY directory ORDER BY files DESC, directory LIMIT ${MOST}`;
}

/** At the start, because after a change of the address or a port people would look for their files without a hint. */
export async function warnOfFilesElsewhere(deps: Deps, log: { warn(words: string): void }): Promise<void> {
  for (const { directory, files } of await filesElsewhere(deps))
    log.warn(
      `${files} files belong to the directory at ${directory}, not to ${deps.directoryUrl}, so they are not shown. If that is its former address, set BASE_URL or API_PORT to it to see them again.`,
    );
}
