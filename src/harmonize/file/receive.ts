import type { Pool } from "pg";
import { execute, queryRow, queryRows } from "../../db/sql.ts";
import { unusableFile } from "../../files/formats/base/refusal.ts";
import { guessLayout } from "../../files/guess/guess.ts";
import type { Harmonizer } from "../run/deps.ts";
import { changeState } from "../run/harmonizations.ts";
import { dropList, newList } from "../run/lists.ts";
import { columnsAsBefore } from "./kept-columns.ts";
import { dropParts } from "./parts.ts";
import { type Upload as StoredUpload, storeUpload } from "./store.ts";

type Deps = Pick<Harmonizer, "prisma" | "pool" | "directoryUrl" | "limits">;

interface Upload {
  /** Of the draft; by default a new one. */
  id?: string;
  /** Null on the command line. */
  accountId: string | null;
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  /** Aborted when the sender has left: the work ends, and nothing is stored. */
  signal: AbortSignal;
}

/**
 * Stores a file as a new draft, and returns its id. Nobody sees it until it is complete; an incomplete or rejected file
 * is deleted (attacks W13, F17).
 * @throws KnownError 413 for a file that is too large, 400 for one without rows or of an unsupported kind, 503 if too many
 * files are being read
 */
export const receiveFile = (deps: Deps, upload: Upload): Promise<string> =>
  withUpload(deps, upload, async (id, { size, hash, ...guessed }) => {
    const { accountId } = upload;
    const isNamed = accountId !== null && guessed.format.hasHeader;
    const { columns, from } = isNamed
      ? await columnsAsBefore(deps, accountId, guessed)
      : { columns: guessed.columns, from: undefined };
    const format = { ...guessed.format, ...(from !== undefined && { columnsFrom: from }) };
    const layout = { ...guessed, columns, format };
    const data = { state: "draft" as const, startedAt: null, size, hash, ...storedLayout(layout) };
    if (!(await changeState(deps, id, ["uploading"], data))) throw unusableFile("The upload took too long.", 408);
    return id;
  });

/** Whether a file of this id is complete. An incomplete one, whose process has died, is deleted. */
export async function isUploadComplete(pool: Pool, id: string): Promise<boolean> {
  const found = await queryRow<{ isComplete: boolean }>(pool)`
    SELECT state <> 'uploading' AS "isComplete" FROM app.harmonization WHERE id = ${id}`;
  if (found?.isComplete === false) await discard(pool, id);
  return found?.isComplete ?? false;
}

type Received = Awaited<ReturnType<typeof guessLayout>> & Pick<StoredUpload, "size" | "hash">;

/** Like receiveFile(), for rows that become something else: `use` reads them with readParts(), then they are deleted. */
export const receiveRows = <T>(
  deps: Deps,
  upload: Upload,
  use: (id: string, received: Received) => Promise<T>,
): Promise<T> =>
  withUpload(deps, upload, async (id, received) => {
    const result = await use(id, received);
    await discard(deps.pool, id).catch(() => undefined); // the supervision deletes it otherwise
    return result;
  });

async function withUpload<T>(
  deps: Deps,
  { id: wanted, accountId, name, bytes, signal }: Upload,
  use: (id: string, received: Received) => Promise<T>,
): Promise<T> {
  const { prisma, directoryUrl, limits } = deps;
  const file = { directory: directoryUrl, accountId, name: tidyFileName(name) };
  const { id } = await prisma.harmonization.create({
    data: { ...file, ...(wanted !== undefined && { id: wanted }), listId: await newList(prisma, file), header: [] },
    select: { id: true },
  });
  const alive = setInterval(
    () =>
      void execute(deps)`
        UPDATE app.harmonization SET started_at = now() WHERE id = ${id} AND state = 'uploading'`.catch(() => {}),
    ALIVE_EVERY_MS,
  );
  try {
    const { begin, size, hash, encoding, format } = await storeUpload(deps.pool, id, bytes, {
      limits,
      accountId,
      signal,
    });
    const mostColumns = limits.columns;
    const layout = await guessLayout(begin, { ...format, isWhole: begin.length === size, encoding, mostColumns });
    signal.throwIfAborted();
    return await use(id, { ...layout, size, hash });
  } catch (error) {
    await discard(deps.pool, id).catch(() => {}); // otherwise the supervision deletes it
    throw error;
  } finally {
    clearInterval(alive);
  }
}

// Keeps discardLostUploads() away.
const ALIVE_EVERY_MS = 10_000;

export const storedLayout = ({ format, header, columns }: Awaited<ReturnType<typeof guessLayout>>) => ({
  format: { ...format },
  header,
  columns: { ...columns },
});

/** Removes folders and invisible characters; at most 120 characters (attacks W13). */
export function tidyFileName(name: string): string {
  const [last = ""] = name.split(/[\\/]/).slice(-1);
  const visible = last
    .toWellFormed()
    .replace(/[\p{C}\u2028\u2029]+/gu, " ")
    .trim();
  return [...visible].slice(0, 120).join("").trim() || "listings.csv";
}

async function discard(pool: Pool, id: string): Promise<void> {
  await dropParts(pool, id);
  const [gone] = await queryRows<{ listId: string }>(pool)`
    DELETE FROM app.harmonization WHERE id = ${id} AND state = 'uploading' RETURNING list_id AS "listId"`;
  if (gone) await dropList(pool, gone.listId);
}
