import { sha256 } from "../shared/crypto.ts";
import { KnownError } from "../shared/errors.ts";
import type { DirectoryDeps, Transaction } from "./deps.ts";

export interface Keyed {
  /** No two calls made together have the same one. */
  key: string | undefined;
  call: unknown;
}

export type Outcome<T> = { done: T } | { error: unknown };

/**
 * Makes calls in one transaction. A repeated call with a key, concurrent or later, returns the stored result. A failed call
 * stores nothing. A key that was used with another call is a KnownError 409. `work` may leave out calls, whose outcome is then
 * undefined. Whatever it throws undoes all.
 * @param scope the caller; keys of different scopes are different
 * @param undoneAmong tells which stored results have been undone since, so that their calls are made again
 */
export function onceEach<T extends object>(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  scope: string,
  calls: readonly Keyed[],
  work: (tx: Transaction, due: number[]) => Promise<Map<number, Outcome<T>>>,
  undoneAmong?: (results: T[]) => Promise<Set<T>>,
): Promise<(Outcome<T> | undefined)[]> {
  return prisma.$transaction(async (tx) => {
    const before = await claim<T>(tx, scope, calls);
    const results = [...before.values()].flatMap((outcome) => ("done" in outcome ? outcome.done : []));
    if (undoneAmong && results.length > 0) await reclaim(tx, scope, calls, before, await undoneAmong(results));
    const due = [...calls.keys()].filter((at) => !before.has(at));
    if (due.length === 0) return calls.map((_, at) => before.get(at));
    const made = await work(tx, due);
    await store(tx, scope, calls, due, made);
    return calls.map((_, at) => before.get(at) ?? made.get(at));
  });
}

interface Claimed {
  at: number;
  key: string;
  hash: string;
}

/** Claims the keys, in one order to avoid deadlocks. Waits for other calls that have them, and returns their outcomes. */
async function claim<T>(tx: Transaction, scope: string, calls: readonly Keyed[]): Promise<Map<number, Outcome<T>>> {
  const keyed = [...calls.entries()].flatMap(([at, { key, call }]): Claimed[] =>
    key === undefined ? [] : [{ at, key, hash: Buffer.from(sha256(JSON.stringify(call))).toString("hex") }],
  );
  if (keyed.length === 0) return new Map();
  const claimed = await tx.$queryRaw<{ key: string }[]>`
    INSERT INTO directory.idempotency_key (scope, key, params_hash)
    SELECT ${scope}, key, decode(hash, 'hex') FROM jsonb_to_recordset(${JSON.stringify(keyed)}::jsonb) AS c(key text, hash text)
     ORDER BY key COLLATE "C" ON CONFLICT DO NOTHING RETURNING key`;
  if (claimed.length === keyed.length) return new Map();
  const own = new Set(claimed.map(({ key }) => key));
  const taken = keyed.filter(({ key }) => !own.has(key));
  const rows = await tx.idempotencyKey.findMany({ where: { scope, key: { in: taken.map(({ key }) => key) } } });
  const stored = new Map(rows.map((row) => [row.key, row]));
  return new Map(taken.map((each) => [each.at, outcomeOf<T>(stored.get(each.key), each)]));
}

function outcomeOf<T>(
  stored: { paramsHash: Uint8Array; body: unknown } | undefined,
  { key, hash }: Claimed,
): Outcome<T> {
  if (!stored) throw new Error(`The Idempotency-Key ${key} was swept meanwhile.`);
  if (Buffer.from(stored.paramsHash).toString("hex") === hash) return { done: stored.body as T };
  return {
    error: new KnownError(409, "other", "This Idempotency-Key was already used with other parameters. Send a new key."),
  };
}

/** Claims the keys of results that were undone. Of two such calls at once, the later one fails. */
async function reclaim<T>(
  tx: Transaction,
  scope: string,
  calls: readonly Keyed[],
  before: Map<number, Outcome<T>>,
  undone: ReadonlySet<T>,
): Promise<void> {
  if (undone.size === 0) return;
  const stale = [...before].flatMap(([at, outcome]) =>
    "done" in outcome && undone.has(outcome.done) ? { at, key: calls[at]?.key, body: outcome.done } : [],
  );
  const claimed = await tx.$queryRaw<{ key: string }[]>`
    UPDATE directory.idempotency_key k SET body = NULL, created_at = now()
      FROM jsonb_to_recordset(${JSON.stringify(stale)}::jsonb) AS s(key text, body jsonb)
     WHERE k.scope = ${scope} AND k.key = s.key AND k.body = s.body RETURNING k.key`;
  const keys = new Set(claimed.map(({ key }) => key));
  const busy = () =>
    new KnownError(409, "other", "Another call with this Idempotency-Key is being made. Send it again.");
  for (const { at, key = "" } of stale) {
    if (keys.has(key)) before.delete(at);
    else before.set(at, { error: busy() });
  }
}

/** Stores what is done, and gives back the other keys. */
async function store<T>(
  tx: Transaction,
  scope: string,
  calls: readonly Keyed[],
  due: readonly number[],
  made: ReadonlyMap<number, Outcome<T>>,
): Promise<void> {
  const done: { key: string; body: T }[] = [];
  const undone: string[] = [];
  for (const at of due) {
    const { key } = calls[at] as Keyed;
    const outcome = made.get(at);
    if (key === undefined) continue;
    if (outcome && "done" in outcome) done.push({ key, body: outcome.done });
    else undone.push(key);
  }
  if (done.length > 0)
    await tx.$executeRaw`
      UPDATE directory.idempotency_key k SET body = d.body
        FROM jsonb_to_recordset(${JSON.stringify(done)}::jsonb) AS d(key text, body jsonb)
       WHERE k.scope = ${scope} AND k.key = d.key`;
  if (undone.length > 0) await tx.idempotencyKey.deleteMany({ where: { scope, key: { in: undone } } });
}
