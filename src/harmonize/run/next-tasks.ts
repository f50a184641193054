import type { HarmonizationState } from "../../db/generated/enums.ts";
import { ANALYZE_FROM, analyzeListings } from "./analyze.ts";
import type { Harmonizer } from "./deps.ts";
import { CHUNK, type Task } from "./queue.ts";

type Deps = Pick<Harmonizer, "pool" | "queue" | "databaseUrl">;

/** Tasks of one harmonization that are queued at a time: enough for many workers, and few to look through. */
const AHEAD = 20;

const KINDS: Partial<Record<HarmonizationState, Task["kind"]>> = {
  draft: "trial",
  reading: "read",
  adding: "add",
  annotating: "annotate",
};

/**
 * Queues what is to be done next; what is queued already stays as it is. Ends the matching when every listing has been
 * asked about. Call it after whatever moves a harmonization on; workers do so every few seconds besides, so that one whose
 * caller was killed goes on all the same.
 */
export async function sendNext(deps: Deps, id: string, state: HarmonizationState): Promise<void> {
  const kind = KINDS[state];
  if (kind) await deps.queue.send({ kind, harmonizationId: id });
  if (state !== "matching") return;
  const chunks = await unfinishedChunks(deps, id);
  if (chunks.length > 0) await deps.queue.send(chunks.map((chunk) => ({ kind: "match", harmonizationId: id, chunk })));
  else if (!(await endMatching(deps, id))) await deps.queue.send({ kind: "retry", harmonizationId: id });
}

/** The first of the pending ones as they lie in the table, which is nearly the order of the file, and cheap. */
async function unfinishedChunks({ pool }: Deps, id: string): Promise<number[]> {
  const { rows } = await pool.query<{ chunk: number }>({
    name: "unfinished-chunks",
    text: `SELECT DISTINCT (number - 1) / $2::int AS chunk
      FROM (SELECT number FROM app.listing WHERE harmonization_id = $1 AND status = 'pending' LIMIT $3::int) AS first
      ORDER BY chunk LIMIT $4::int`,
    values: [id, CHUNK, CHUNK * AHEAD, AHEAD],
  });
  return rows.map(({ chunk }) => chunk);
}

/** @returns false where it is not over: a retry may still make some pending */
async function endMatching({ pool, databaseUrl }: Deps, id: string): Promise<boolean> {
  const { rows } = await pool.query<{ listings: number }>({
    name: "end-matching",
    text: `UPDATE app.harmonization SET state = 'ready', matched_at = now(), paused_for = NULL, retry_at = NULL, task = NULL
      WHERE id = $1 AND state = 'matching' AND NOT is_retrying
        AND NOT EXISTS (SELECT FROM app.listing WHERE harmonization_id = $1 AND status = 'pending')
      RETURNING listing_count AS listings`,
    values: [id],
  });
  if (rows[0] && rows[0].listings >= ANALYZE_FROM) await analyzeListings(databaseUrl);
  return rows.length === 1;
}
