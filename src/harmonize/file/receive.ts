import { createHash } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import type { Harmonizer } from "../run/deps.ts";
import { changeState } from "../run/harmonizations.ts";
import { encodingWatch, refuseOtherFiles, unusableFile } from "./encoding.ts";
import { guessLayout } from "./guess.ts";
import { PART_BYTES, storePart } from "./parts.ts";

type Deps = Pick<Harmonizer, "prisma" | "pool" | "directoryUrl">;

export const MOST_BYTES = 200 * 1024 * 1024;
/** Parts from which the layout is guessed: longer than any line. */
export const GUESSED_FROM = 5;

interface Upload {
  /** Null on the command line. */
  accountId: string | null;
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  limit?: number;
}

/**
 * Stores a file as a new draft, and returns its id. Nobody sees it until it is complete; an incomplete or rejected file
 * is deleted (attacks W13, F17).
 * @throws KnownError 413 for more than `limit` bytes, 400 for a file without rows or of another kind
 */
export async function receiveFile(deps: Deps, { accountId, name, bytes, limit = MOST_BYTES }: Upload): Promise<string> {
  const { prisma, directoryUrl } = deps;
  const { id } = await prisma.harmonization.create({
    data: { directory: directoryUrl, accountId, name: tidyFileName(name), header: [] },
    select: { id: true },
  });
  const alive = setInterval(() => void deps.pool.query(ALIVE, [id]).catch(() => {}), ALIVE_EVERY_MS);
  try {
    const { begin, size, hash, encoding } = await storeParts(deps.pool, id, bytes, limit);
    const layout = await guessLayout(begin, { isWhole: begin.length === size, encoding: await encoding() });
    const data = { state: "draft" as const, startedAt: null, size, hash, ...layoutColumns(layout) };
    if (!(await changeState(deps, id, ["uploading"], data))) throw unusableFile("The upload took too long.", 408);
    return id;
  } catch (error) {
    await discard(deps.pool, id).catch(() => {}); // otherwise the supervision deletes it
    throw error;
  } finally {
    clearInterval(alive);
  }
}

// Keeps discardLostUploads() away.
const ALIVE_EVERY_MS = 10_000;
const ALIVE = "UPDATE app.harmonization SET started_at = now() WHERE id = $1 AND state = 'uploading'";

export const layoutColumns = ({ format, header, columns }: Awaited<ReturnType<typeof guessLayout>>) => ({
  ...{ format: { ...format }, header, columns: { ...columns } },
});

export async function storeParts(
  database: Pick<ClientBase, "query">,
  id: string,
  bytes: AsyncIterable<Uint8Array>,
  limit = Infinity,
) {
  const hash = createHash("sha256");
  const watch = encodingWatch();
  const begin: Buffer[] = [];
  let [part, size] = [0, 0];
  for await (const each of inParts(bytes)) {
    if (part === 0) refuseOtherFiles(each);
    size += each.length;
    if (size > limit) throw tooLarge(limit);
    hash.update(each);
    watch.see(each);
    if (part < GUESSED_FROM) begin.push(each);
    await storePart(database, id, part, each);
    part += 1;
  }
  return { begin: Buffer.concat(begin), size, hash: hash.digest(), encoding: () => watch.encoding() };
}

async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; ) {
      const next = piece.subarray(at, at + PART_BYTES - size);
      pieces.push(next);
      size += next.length;
      at += next.length;
      if (size < PART_BYTES) continue;
      yield Buffer.concat(pieces);
      [pieces, size] = [[], 0];
    }
  }
  if (size > 0) yield Buffer.concat(pieces);
}

export const tooLarge = (limit = MOST_BYTES) =>
  unusableFile(`A file may have at most ${limit / 1024 / 1024} MB. Split it and upload the parts separately.`, 413);

/** Removes folders and invisible characters; at most 120 characters (attacks W13). */
function tidyFileName(name: string): string {
  const [last = ""] = name.split(/[\\/]/).slice(-1);
  const visible = last
    .toWellFormed()
    .replace(/[\p{C}\u2028\u2029]+/gu, " ")
    .trim();
  return [...visible].slice(0, 120).join("").trim() || "listings.csv";
}

// In stretches, because one statement for a large file would time out.
async function discard(pool: Pool, id: string): Promise<void> {
  const text = `DELETE FROM app.file_part WHERE harmonization_id = $1 AND part IN
    (SELECT part FROM app.file_part WHERE harmonization_id = $1 LIMIT 100)`;
  while ((await pool.query(text, [id])).rowCount);
  await pool.query("DELETE FROM app.harmonization WHERE id = $1 AND state = 'uploading'", [id]);
}
