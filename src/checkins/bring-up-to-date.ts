import { randomUUID } from "node:crypto";
import { DirectoryError } from "../directory-client/calls/errors.ts";
import type { CheckinDeps } from "./deps.ts";
import { toRows } from "./row.ts";
import { beginPass, type CopyState, claimCopy, confirmCopy, endPass, releaseCopy, writePortion } from "./state.ts";

/** The most that the interface gives at once (wire-format 10). */
const PORTION = 250;
const NEWEST = 50;
/** Of a person; older ones are not copied. */
export const MOST_COPIED = 50_000;
/** Then the whole list is read again, because check-ins and venues may have been edited. */
const EDITED_AFTER_MS = 24 * 60 * 60 * 1000;
/** How often one reading may begin again because the list changed meanwhile. */
const MOST_BEGINNINGS = 3;

interface Reader extends CheckinDeps {
  accountId: string;
  auth: { token: string };
  holder: string;
}

/**
 * Copies what is new at the directory, or the whole list in portions, from where an earlier call ended. Needs of the directory
 * only `limit` and `offset`. Does nothing while another process copies. Ends early if the copy is deleted meanwhile.
 *
 * @throws DirectoryError
 */
export async function bringUpToDate(deps: CheckinDeps, accountId: string, auth: { token: string }): Promise<void> {
  const reader: Reader = { ...deps, accountId, auth, holder: randomUUID() };
  const copy = await claimCopy(deps, accountId, reader.holder);
  if (!copy) return;
  let pauseSeconds = copy.pauseSeconds || undefined;
  try {
    if (pauseSeconds) throw new DirectoryError("rate_limited", undefined, { retryAfter: pauseSeconds });
    const isWhole = copy.completeAt !== null && copy.reached === null;
    if (isWhole && (await copyNewest(reader, copy)) && !isOld(copy.completeAt)) return;
    const begun = isWhole ? await beginPass(deps, accountId, reader.holder) : copy;
    if (begun) await copyAll(reader, begun);
  } catch (error) {
    if (error instanceof DirectoryError && error.kind === "rate_limited") pauseSeconds ??= error.retryAfter;
    throw error;
  } finally {
    await releaseCopy(deps, accountId, { holder: reader.holder, pauseSeconds });
  }
}

const isOld = (at: Date | null) => at !== null && Date.now() - at.getTime() > EDITED_AFTER_MS;

/** Returns false if the directory's count shows that other check-ins were deleted or added too. */
async function copyNewest(reader: Reader, { total: before }: CopyState): Promise<boolean> {
  const { accountId, holder } = reader;
  const { count, items } = await reader.directory.checkins(reader.auth, { limit: NEWEST, offset: 0 });
  const rows = toRows(items);
  const written = await writePortion(reader, accountId, { holder, total: count, reached: undefined, rows });
  if (!written) return true;
  const added = rows.length - written.seen;
  const isAll = added < rows.length || rows.length >= count;
  if (count - before !== added || !isAll) return false;
  await confirmCopy(reader, accountId, holder);
  return true;
}

async function copyAll(reader: Reader, from: CopyState): Promise<void> {
  let reached = from.reached ?? 0;
  for (let beginnings = 1; beginnings <= MOST_BEGINNINGS; ) {
    const step = await copyPortion(reader, reached);
    if (step === "deleted") return;
    if (step === "end") return finish(reader, reached);
    if (step === "moved") {
      beginnings += 1;
      await beginPass(reader, reader.accountId, reader.holder);
    }
    reached = step === "moved" ? 0 : step;
  }
}

/** What was added while several portions were read stands before them. */
async function finish(reader: Reader, reached: number): Promise<void> {
  const { accountId, holder } = reader;
  if (reached > 0) {
    const { count, items } = await reader.directory.checkins(reader.auth, { limit: NEWEST, offset: 0 });
    await writePortion(reader, accountId, { holder, total: count, reached, rows: toRows(items) });
  }
  await endPass(reader, accountId, holder);
}

/**
 * Copies the next portion. It begins with the last check-in before it: if another one is there, some have been deleted
 * meanwhile, and as many passed by unseen.
 */
async function copyPortion(reader: Reader, before: number): Promise<number | "end" | "moved" | "deleted"> {
  const { accountId, holder } = reader;
  const offset = Math.max(0, before - 1);
  const { count, items } = await reader.directory.checkins(reader.auth, { limit: PORTION, offset });
  const reached = offset + items.length;
  const rows = toRows(items);
  const written = await writePortion(reader, accountId, { holder, total: count, reached, rows });
  if (!written) return "deleted";
  if (rows.length === written.seen) return "end"; // or a directory that ignores `offset` would never end
  if (before > 0 && !written.isJoined) return "moved";
  return reached >= Math.min(count, MOST_COPIED) ? "end" : reached;
}
