import { deleteNumbered, deleteRows } from "../../db/bulk/delete-rows.ts";
import { withOwnConnection } from "../../db/own-connection.ts";
import type { Harmonizer } from "./deps.ts";
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
  await pool.query({
    name: "discard-lost-uploads",
    text: `UPDATE app.harmonization SET state = 'deleting' WHERE directory = $1 AND state = 'uploading'
      AND coalesce(started_at, created_at) < now() - interval '${LOST_AFTER}'`,
    values: [directoryUrl],
  });
}

/** The task `delete`: resumable. Keeps the rows while another run copies them (begin-again.ts). */
export async function deleteAll(
  { databaseUrl }: Pick<Harmonizer, "databaseUrl">,
  { id, state }: { id: string; state: string },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  if (state !== "deleting") return;
  await withOwnConnection(databaseUrl, { name: "deletion", statementMs: STATEMENT_MS, signal }, async (client) => {
    const copied = "SELECT FROM app.harmonization WHERE task->>'from' = $1 AND state = 'reading' LIMIT 1";
    if ((await client.query(copied, [id])).rowCount) return;
    const condition = `harmonization_id = '${id}'`;
    await deleteNumbered(client, "app.listing", condition);
    for (const table of ["app.decision_step", "app.bridge_row", "app.venue_look", "app.file_part"])
      await deleteRows(client, table, condition);
    await client.query("DELETE FROM app.harmonization WHERE id = $1 AND state = 'deleting'", [id]);
  });
}
