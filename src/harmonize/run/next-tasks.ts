import type { HarmonizationState } from "../../db/generated/enums.ts";
import { queryRows } from "../../db/sql.ts";
import { ANALYZE_FROM, analyzeListings } from "./analyze.ts";
import type { Harmonizer } from "./deps.ts";
import { cutPortions } from "./portions.ts";
import type { Task } from "./queue.ts";

type Deps = Pick<Harmonizer, "pool" | "queue" | "databaseUrl">;

/** Queued tasks per harmonization: enough for many workers, few enough to look up fast. */
const AHEAD = 20;

const KINDS: Partial<Record<HarmonizationState, Task["kind"]>> = {
  draft: "trial",
  reading: "read",
  adding: "add",
  annotating: "annotate",
  undoing: "undo",
};

/** Queues the next tasks, each once, and ends a finished matching. Workers also call it every few seconds. */
export async function sendNext(deps: Deps, id: string, state: HarmonizationState): Promise<void> {
  const kind = KINDS[state];
  if (kind) await deps.queue.send({ kind, harmonizationId: id });
  if (state !== "matching") return;
  const portions = await unfinishedPortions(deps, id);
  if (portions.length > 0) await deps.queue.send(portions.map((portion) => toTask(id, portion)));
  else if (!(await endMatching(deps, id))) await matchRest(deps, id);
}

const toTask = (harmonizationId: string, portion: number): Task => ({ kind: "match", harmonizationId, portion });

async function unfinishedPortions({ pool }: Deps, id: string): Promise<number[]> {
  const rows = await queryRows<{ number: number }>(pool)`
    SELECT number FROM app.portion WHERE harmonization_id = ${id} ORDER BY number LIMIT ${AHEAD}`;
  return rows.map(({ number }) => number);
}

/** Failed listings that are to be retried, and pending ones without a portion. */
async function matchRest({ pool, queue }: Deps, id: string): Promise<void> {
  await cutPortions(pool, id);
  await queue.send([{ kind: "retry", harmonizationId: id }, toTask(id, 0)]);
}

async function endMatching({ pool, databaseUrl }: Deps, id: string): Promise<boolean> {
  const rows = await queryRows<{ listings: number }>(pool)`
    UPDATE app.harmonization SET state = 'ready', matched_at = now(), paused_for = NULL, retry_at = NULL, task = NULL
     WHERE id = ${id} AND state = 'matching' AND NOT is_retrying
       AND NOT EXISTS (SELECT FROM app.listing WHERE harmonization_id = ${id} AND status = 'pending')
     RETURNING listing_count AS listings`;
  if (rows[0] && rows[0].listings >= ANALYZE_FROM) await analyzeListings(databaseUrl);
  return rows.length === 1;
}
