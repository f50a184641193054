import { deleteNumbered, deleteRows } from "../../db/bulk.ts";
import { withOwnConnection } from "../../db/own-connection.ts";
import { execute, queryRows } from "../../db/sql.ts";
import type { Harmonizer } from "./deps.ts";
import { dropList } from "./lists.ts";
import { sendEarly } from "./queue.ts";

/** Without a sign of life from the process that receives the upload. */
const LOST_AFTER = "1 minute";
/** Enough to scan the dead rows of a million deleted listings. */
const STATEMENT_MS = 600_000;

/** Hides it and lets a worker delete its rows. Returns false if it was deleted before. */
export async function deleteHarmonization(
  { prisma, queue }: Pick<Harmonizer, "prisma" | "queue">,
  id: string,
): Promise<boolean> {
  const { count } = await prisma.harmonization.updateMany({
    where: { id, state: { not: "deleting" } },
    data: { state: "deleting", pausedFor: null, retryAt: null },
  });
  await sendEarly(queue, { kind: "delete", harmonizationId: id });
  return count === 1;
}

export async function discardLostUploads({
  pool,
  directoryUrl,
}: Pick<Harmonizer, "pool" | "directoryUrl">): Promise<void> {
  await execute(pool)`
    UPDATE app.harmonization SET state = 'deleting' WHERE directory = ${directoryUrl} AND state = 'uploading'
     AND coalesce(started_at, created_at) < now() - ${LOST_AFTER}::interval`;
}

/** The task `delete`: resumable. Keeps the rows while another run copies them (begin-again.ts). */
export async function deleteAll(
  { databaseUrl }: Pick<Harmonizer, "databaseUrl">,
  { id, state }: { id: string; state: string },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  if (state !== "deleting") return;
  await withOwnConnection(databaseUrl, { name: "deletion", statementMs: STATEMENT_MS, signal }, async (client) => {
    const copies = await execute(client)`
      SELECT FROM app.harmonization WHERE task->>'from' = ${id} AND state = 'reading' LIMIT 1`;
    if (copies > 0) return;
    const condition = `harmonization_id = '${id}'`;
    await deleteNumbered(client, "app.listing", condition);
    for (const table of ["app.note", "app.decision_step", "app.bridge_row", "app.venue_look", "app.file_part"])
      await deleteRows(client, table, condition);
    const [gone] = await queryRows<{ listId: string }>(client)`
      DELETE FROM app.harmonization WHERE id = ${id} AND state = 'deleting' RETURNING list_id AS "listId"`;
    if (gone) await dropList(client, gone.listId);
  });
}
