import type { Prisma } from "../db/generated/client.ts";
import { sha256 } from "../shared/crypto.ts";
import { KnownError } from "../shared/errors.ts";
import type { DirectoryDeps, Transaction } from "./deps.ts";

interface Keyed {
  /** The caller; keys of different scopes are different. */
  scope: string;
  key: string | undefined;
  call: unknown;
}

/**
 * A repeated call with the key, concurrent or later, returns the stored result. A failed call stores nothing. Throws
 * KnownError 409 if the key was used with another call.
 */
export function once<T extends object>(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  { scope, key, call }: Keyed,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return prisma.$transaction(async (tx) => {
    if (key === undefined) return work(tx);
    const paramsHash = sha256(JSON.stringify(call));
    const before = await claim(tx, scope, key, paramsHash);
    if (before) return answerOf<T>(before, paramsHash);
    const answer = await work(tx);
    await tx.idempotencyKey.update({
      where: { scope_key: { scope, key } },
      data: { body: answer as Prisma.InputJsonObject },
    });
    return answer;
  });
}

/** Claims the key. If another call has it, waits for that call and returns its row. */
async function claim(tx: Transaction, scope: string, key: string, paramsHash: Uint8Array<ArrayBuffer>) {
  const taken = await tx.idempotencyKey.createMany({ data: { scope, key, paramsHash }, skipDuplicates: true });
  return taken.count === 1 ? undefined : tx.idempotencyKey.findUniqueOrThrow({ where: { scope_key: { scope, key } } });
}

function answerOf<T>(before: { paramsHash: Uint8Array; body: unknown }, paramsHash: Uint8Array): T {
  if (Buffer.from(before.paramsHash).equals(paramsHash)) return before.body as T;
  throw new KnownError(409, "other", "This Idempotency-Key was already used with other parameters. Send a new key.");
}
