import type { Prisma } from "../db/generated/client.ts";
import { sha256 } from "../shared/crypto.ts";
import { KnownError } from "../shared/errors.ts";
import type { DirectoryDeps, Transaction } from "./deps.ts";

interface Keyed {
  /** Who calls: a key of another user or application is another key. */
  scope: string;
  /** The Idempotency-Key of the call, if it has one. */
  key: string | undefined;
  /** Endpoint and parameters. */
  call: unknown;
}

/**
 * Does the work in one transaction and remembers its answer under the key: the same call with the same key, also at the
 * same moment, is answered with it and does nothing. A call that fails is not remembered, and leaves nothing behind.
 *
 * @throws KnownError 409 when the key came with another call before
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

/** Takes the key, or waits for the call that has it and answers with what that left. */
async function claim(tx: Transaction, scope: string, key: string, paramsHash: Uint8Array<ArrayBuffer>) {
  const taken = await tx.idempotencyKey.createMany({ data: { scope, key, paramsHash }, skipDuplicates: true });
  return taken.count === 1 ? undefined : tx.idempotencyKey.findUniqueOrThrow({ where: { scope_key: { scope, key } } });
}

function answerOf<T>(before: { paramsHash: Uint8Array; body: unknown }, paramsHash: Uint8Array): T {
  if (Buffer.from(before.paramsHash).equals(paramsHash)) return before.body as T;
  throw new KnownError(409, "other", "This Idempotency-Key was used with other parameters before. Send a new key.");
}
