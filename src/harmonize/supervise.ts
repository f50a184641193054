import { setTimeout as sleep } from "node:timers/promises";
import type { HarmonizationState, PauseReason } from "../db/generated/enums.ts";
import { queryRows } from "../db/sql.ts";
import { authFor } from "./match/match-listings.ts";
import { JUDGED_FOR_DAYS } from "./positions/task.ts";
import { discardLostUploads } from "./run/deletion.ts";
import type { Harmonizer } from "./run/deps.ts";
import { ASKED_AS, AT_WORK } from "./run/harmonizations.ts";
import { goOnWithAnother } from "./run/lists.ts";
import { sendNext } from "./run/next-tasks.ts";
import type { Task } from "./run/queue.ts";

const EVERY_MS = 3000;

interface Unfinished {
  id: string;
  state: HarmonizationState;
  accountId: string | null;
  pausedFor: PauseReason | null;
  isWaiting: boolean;
}

/**
 * Queues missing tasks every few seconds, so that nothing gets stuck when a process dies, and resumes runs whose owner
 * has connected again (attacks A27, F10). Calls `onFailure` once per series of failures.
 */
export function startSupervising(deps: Harmonizer, onFailure: (error: unknown) => void) {
  const stopping = new AbortController();
  const supervising = (async () => {
    let isFailing = false;
    while (!stopping.signal.aborted) {
      await superviseOnce(deps).then(
        () => {
          isFailing = false;
        },
        (error: unknown) => {
          if (!isFailing) onFailure(error);
          isFailing = true;
        },
      );
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await supervising;
    },
  };
}

export async function superviseOnce(deps: Harmonizer): Promise<void> {
  const rows = await queryRows<Unfinished>(deps)`
    SELECT id, state, ${ASKED_AS} AS "accountId", paused_for AS "pausedFor",
           coalesce(retry_at > now(), false) AS "isWaiting"
      FROM app.harmonization AS h
     WHERE directory = ${deps.directoryUrl} AND (state::text = ANY(${AT_WORK}) OR (state = 'draft' AND trial->>'state' = 'waiting'))
     ORDER BY created_at`;
  const failures: unknown[] = [];
  const besides = [() => sendUnjudged(deps), () => sendBesides(deps)];
  for (const work of [...rows.map((each) => () => moveOn(deps, each)), ...besides]) {
    await work().catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Queues checks of positions of recent runs. Older runs are checked when somebody adds their listings. */
async function sendUnjudged({ pool, queue, directoryUrl }: Harmonizer): Promise<void> {
  const rows = await queryRows<{ id: string }>(pool)`
    SELECT id FROM app.harmonization
     WHERE directory = ${directoryUrl} AND positions IS NULL AND state IN ('draft', 'matching', 'ready') AND paused_for IS NULL
       AND created_at > now() - make_interval(days => ${JUDGED_FOR_DAYS}) AND (columns ?& ARRAY['lat', 'lng'] OR columns ? 'll')
     ORDER BY created_at LIMIT 100`;
  if (rows.length > 0) await queue.send(rows.map(({ id }) => ({ kind: "positions", harmonizationId: id })));
}

/** Queues deletions, searches for conflicts, side tasks and webhooks, which ignore states and pauses. */
async function sendBesides(deps: Harmonizer): Promise<void> {
  await discardLostUploads(deps);
  const rows = await queryRows<Task>(deps)`
    SELECT 'delete' AS kind, id AS "harmonizationId" FROM app.harmonization WHERE directory = ${deps.directoryUrl} AND state = 'deleting'
     UNION ALL SELECT 'conflicts', h.id FROM app.conflict_search JOIN app.harmonization h ON h.id = harmonization_id
      WHERE directory = ${deps.directoryUrl} AND wanted_at IS NOT NULL AND state <> 'deleting'
     UNION ALL SELECT t.kind::text, h.id FROM app.side_task t JOIN app.harmonization h ON h.id = harmonization_id
      WHERE directory = ${deps.directoryUrl} AND wanted_at IS NOT NULL AND state <> 'deleting' AND coalesce(t.retry_at, now()) <= now()
     UNION SELECT 'webhook', h.id FROM app.webhook_delivery d JOIN app.harmonization h ON h.id = d.harmonization_id
      WHERE directory = ${deps.directoryUrl} AND d.next_at <= now() AND state <> 'deleting'`;
  if (rows.length > 0) await deps.queue.send(rows);
}

async function moveOn(deps: Harmonizer, each: Unfinished): Promise<void> {
  const { id, state, pausedFor, isWaiting } = each;
  // Only a call shows whether the application is enabled again.
  const isOver =
    pausedFor === "application"
      ? !isWaiting
      : pausedFor === "connection" && ((await isConnected(deps, each)) || (await goOnWithAnother(deps, each)));
  if (isOver) await endPause(deps, each);
  if ((pausedFor === null || isOver) && !isWaiting) await sendNext(deps, id, state);
}

async function isConnected(deps: Harmonizer, { accountId }: Unfinished): Promise<boolean> {
  return (await authFor(deps, { accountId })) !== undefined;
}

// No effect if somebody else has paused it meanwhile.
async function endPause({ prisma }: Harmonizer, { id, pausedFor }: Unfinished): Promise<void> {
  await prisma.harmonization.updateMany({ where: { id, pausedFor }, data: { pausedFor: null } });
}
