import { deleteNumbered, deleteRows } from "../../db/delete-rows.ts";
import { withOwnConnection } from "../../db/own-connection.ts";
import type { Harmonizer } from "./deps.ts";

/** An upload that has given no sign of life for this long has ended with its process. */
const LOST_AFTER = "1 minute";
/** The last statement has to pass the remains of a million listings that were just deleted. */
const STATEMENT_MS = 600_000;

/**
 * Deletes a harmonization: from now on nobody sees it and no worker goes on with it. A worker deletes its rows.
 *
 * @returns false where it was deleted before
 */
export async function deleteHarmonization(
  { prisma, queue }: Pick<Harmonizer, "prisma" | "queue">,
  id: string,
): Promise<boolean> {
  const { count } = await prisma.harmonization.updateMany({
    where: { id, state: { not: "deleting" } },
    data: { state: "deleting", pausedFor: null, retryAt: null },
  });
  // A worker that looks after what is under way finds it in any case.
  await queue.send({ kind: "delete", harmonizationId: id }).catch(() => {});
  return count === 1;
}

/** Marks uploads whose process has ended for deletion. */
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

/**
 * The worker's task `delete`: deletes the rows of a harmonization that nobody sees any more, in pieces, and last itself. Cut short
 * at any point, it goes on where it was. The rows stay while they become the file of a run that was begun again.
 */
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
    for (const table of ["app.decision_step", "app.file_part"]) await deleteRows(client, table, condition);
    await client.query("DELETE FROM app.harmonization WHERE id = $1 AND state = 'deleting'", [id]);
  });
}
