import type { HarmonizationState } from "../../db/generated/enums.ts";
import { ANALYZE_FROM, analyzeListings } from "./analyze.ts";
import type { Harmonizer } from "./deps.ts";
import { CHUNK, type Task } from "./queue.ts";

type Deps = Pick<Harmonizer, "pool" | "queue" | "databaseUrl">;

/** Queued tasks per harmonization: enough for many workers, few enough to look up fast. */
const AHEAD = 20;

const KINDS: Partial<Record<HarmonizationState, Task["kind"]>> = {
  draft: "trial",
  reading: "read",
  adding: "add",
  annotating: "annotate",
};

/** Queues the next tasks, each once, and ends a finished matching. Workers also call it every few seconds. */
export async function sendNext(deps: Deps, id: string, state: HarmonizationState): Promise<void> {
  const kind = KINDS[state];
  if (kind) await deps.queue.send({ kind, harmonizationId: id });
  if (state !== "matching") return;
  const chunks = await unfinishedChunks(deps, id);
  if (chunks.length > 0) await deps.queue.send(chunks.map((chunk) => ({ kind: "match", harmonizationId: id, chunk })));
  else if (!(await endMatching(deps, id))) await deps.queue.send({ kind: "retry", harmonizationId: id });
}

// In table order, which is cheap and close to the order of the file.
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
