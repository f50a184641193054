import type { Prisma } from "../../db/generated/client.ts";
import type { FileFormat } from "../../files/format.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, loadHarmonization } from "../run/harmonizations.ts";
import { sendEarly } from "../run/queue.ts";
import { repairsForNext } from "../run/row-repairs.ts";
import { copiedFrom, copyRows, rowsGone } from "./copy-rows.ts";
import { PART_BYTES } from "./parts.ts";
import type { Copying } from "./read-watch.ts";

type Deps = Pick<Harmonizer, "prisma" | "pool" | "databaseUrl" | "directoryUrl" | "queue">;

/** Larger or slower copies are left to a worker. */
const FEW_BYTES = PART_BYTES;
const FEW_MS = 2000;

/**
 * Makes a draft with the rows and settings of a run, and returns its id; there is one at a time (attacks F06).
 * @throws KnownError 409 while the file is being read, or if its rows were deleted
 */
export async function beginAgain(deps: Deps, run: Harmonization, { isRepaired = false } = {}): Promise<string> {
  if (run.state === "reading") throw beingRead();
  const answer = isRepaired && run.positions?.repair ? "repair" : run.positions?.answer;
  const { id, isNew, size } = await deps.prisma.$transaction((transaction) => draftOf(deps, transaction, run, answer));
  if (!isNew) return id;
  if (size > FEW_BYTES) await sendEarly(deps.queue, { kind: "read", harmonizationId: id });
  else await copyNow(deps, id).catch(() => {});
  return id; // the supervision resumes it
}

const beingRead = () => {
  const message = t("The file is still being read. Wait until that is done or cancel it, then begin again.");
  return new KnownError(409, "being_read", message);
};

async function copyNow(deps: Deps, id: string): Promise<void> {
  const draft = await loadHarmonization(deps, id);
  if (draft) await copyRows(deps, draft, { signal: AbortSignal.timeout(FEW_MS) });
}

async function draftOf(
  { directoryUrl: directory }: Deps,
  transaction: Prisma.TransactionClient,
  run: Harmonization,
  answer: string | undefined,
): Promise<{ id: string; isNew: boolean; size: number }> {
  // A draft cancelled before it had rows takes them from its own source.
  const from = run.listingCount === 0 ? (copiedFrom(run) ?? run.id) : run.id;
  const [source] = await transaction.$queryRaw<{ rows: number; size: bigint; hasFile: boolean }[]>`
    SELECT listing_count AS rows, size,
           EXISTS (SELECT FROM app.file_part WHERE harmonization_id = ${from}::uuid AND part >= 0) AS "hasFile" FROM app.harmonization
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
  const { listId, accountId, name, header, columns, previousId, positions } = run;
  const { columnsFrom: _, ...kept } = run.format;
  const task: Copying = { from, total: source.rows };
  const chosen = { listId, accountId, name, header, columns: { ...columns }, previousId };
  const { id } = await transaction.harmonization.create({
    data: {
      directory,
      state: "reading",
      task: { ...task },
      againOf: from,
      ...chosen,
      format: source.hasFile ? kept : asWritten(kept),
      repairs: JSON.parse(JSON.stringify(repairsForNext(run.repairs, []))),
      ...(positions && { positions: JSON.parse(JSON.stringify({ ...positions, answer })) }),
    },
    select: { id: true },
  });
  return { id, isNew: true, size };
}

const asWritten = ({ isEscaped: _, isWrapped: _by, ...format }: FileFormat) => ({ ...format, encoding: "utf-8" });
