import type { Prisma } from "../../db/generated/client.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, loadHarmonization } from "../run/harmonizations.ts";
import type { FileFormat } from "../run/rows.ts";
import { copiedFrom, copyRows, rowsGone } from "./copy-rows.ts";
import { PART_BYTES } from "./parts.ts";
import type { Copying } from "./read-watch.ts";

type Deps = Pick<Harmonizer, "prisma" | "pool" | "databaseUrl" | "directoryUrl" | "queue">;

/** So little is written while somebody waits, in a fraction of a second; what fails or takes longer is a worker's. */
const [FEW_BYTES, FEW_MS] = [PART_BYTES, 2000];

/**
 * A new run of the same file, by its id: with the same rows, each on its line, and the name, the columns and the edition before
 * that were chosen last. It is in the state `reading` until a worker has written the rows, a small one no longer, and then a
 * draft. What is there stays as it is. A run has one such draft at a time: begun again twice, it is the same one (attacks F06).
 *
 * @param isRepaired its positions are put right, where it is known how
 * @throws KnownError 409 while the file is being read, or where its rows were deleted
 */
export async function beginAgain(deps: Deps, run: Harmonization, { isRepaired = false } = {}): Promise<string> {
  if (run.state === "reading") throw beingRead();
  const answer = isRepaired && run.positions?.repair ? "repair" : run.positions?.answer;
  const { id, isNew, size } = await deps.prisma.$transaction((transaction) => draftOf(deps, transaction, run, answer));
  if (!isNew) return id;
  if (size > FEW_BYTES) await deps.queue.send({ kind: "read", harmonizationId: id }).catch(() => {});
  else await copyNow(deps, id).catch(() => {});
  return id; // a worker that looks after what is under way finds it in any case
}

const beingRead = () => {
  const message = "Its file is still being read. Wait a moment until that is done, or cancel it, then begin again.";
  return new KnownError(409, "being_read", message);
};

async function copyNow(deps: Deps, id: string): Promise<void> {
  const draft = await loadHarmonization(deps, id);
  if (draft) await copyRows(deps, draft, { signal: AbortSignal.timeout(FEW_MS) });
}

/** In bytes, `size` is that of the file whose rows they are. */
async function draftOf(
  { directoryUrl: directory }: Deps,
  transaction: Prisma.TransactionClient,
  run: Harmonization,
  answer: string | undefined,
): Promise<{ id: string; isNew: boolean; size: number }> {
  // One that was cancelled before it had its rows has them from where they were to come from.
  const from = run.listingCount === 0 ? (copiedFrom(run) ?? run.id) : run.id;
  const [source] = await transaction.$queryRaw<{ rows: number; size: bigint }[]>`
    SELECT listing_count AS rows, size FROM app.harmonization
     WHERE id = ${from}::uuid AND (listing_count > 0 OR state = 'cancelled') AND state <> 'deleting'
       FOR NO KEY UPDATE`;
  if (!source) throw rowsGone();
  const size = Number(source.size);
  const [twin] = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM app.harmonization
     WHERE task->>'from' = ${from} AND state IN ('reading', 'draft')
       AND positions->>'answer' IS NOT DISTINCT FROM ${answer ?? null}::text
     ORDER BY created_at LIMIT 1`;
  if (twin) return { id: twin.id, isNew: false, size };
  const { accountId, name, header, columns, previousId, positions, format } = run;
  const task: Copying = { from, total: source.rows };
  const chosen = { accountId, name, header, columns: { ...columns }, previousId };
  const { id } = await transaction.harmonization.create({
    data: {
      ...{ directory, state: "reading", task: { ...task }, ...chosen },
      format: { ...format, ...(source.rows > 0 && WRITTEN) },
      // What is known of the positions holds for the same rows, and so does what their owner said to it.
      ...(positions && { positions: JSON.parse(JSON.stringify({ ...positions, answer })) }),
    },
    select: { id: true },
  });
  return { id, isNew: true, size };
}

const WRITTEN = { encoding: "utf-8" } satisfies Partial<FileFormat>;
