import type { FastifyRequest } from "fastify";
import { execute, queryRow, sql } from "../../db/sql.ts";
import { sha256 } from "../../shared/crypto.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";

interface Made {
  status: number;
  body: object;
}

interface Keyed {
  accountId: string;
  key: string;
  request: FastifyRequest;
}

/** A call whose process died may be made again after this time. */
const LEASE_SECONDS = 60;
const LEASE = sql`make_interval(secs => ${LEASE_SECONDS})`;
const RENEW_MS = 20_000;

/**
 * Makes a call with an Idempotency-Key once: the same call again, for a day, gets the same answer. A call that is refused leaves its key.
 * Of one that died or failed nobody knows whether it was carried out. What makes something gives it the id that all attempts get, and makes
 * it only if it is not there; what else is refused because an earlier attempt was carried out says so.
 * A call that has sent its answer itself (`make` returns undefined) leaves its key too. Of a file that is the body only length and type are compared.
 *
 * @throws KnownError 422 if the key was used for another call, 409 while that is being made
 */
export async function callOnce(
  { pool }: Pick<Web, "pool">,
  { accountId, key, request }: Keyed,
  make: (id: string) => Promise<Made | undefined>,
): Promise<Made | undefined> {
  const hash = hashOf(request);
  const claim = await queryRow<{ isAgain: boolean; makes: string }>(pool)`
    INSERT INTO app.api_call AS c (account_id, key, hash) VALUES (${accountId}, ${key}, ${hash})
    ON CONFLICT (account_id, key) DO UPDATE SET created_at = now()
      WHERE c.status IS NULL AND c.hash = excluded.hash AND c.created_at < now() - ${LEASE}
    RETURNING xmax <> 0 AS "isAgain", makes`;
  if (!claim) return madeBefore(pool, { accountId, key }, hash);
  const renewing = setInterval(
    () =>
      void execute(pool)`
        UPDATE app.api_call SET created_at = now() WHERE account_id = ${accountId} AND key = ${key} AND status IS NULL`.catch(
        () => {},
      ),
    RENEW_MS,
  );
  try {
    const made = await make(claim.makes);
    if (!made) await forget(pool, { accountId, key });
    else
      await execute(pool)`
        UPDATE app.api_call SET status = ${made.status}, body = ${JSON.stringify(made.body)}::jsonb, created_at = now()
         WHERE account_id = ${accountId} AND key = ${key}`;
    return made;
  } catch (error) {
    const isRefused = error instanceof KnownError && error.status < 500;
    const leave = isRefused && !claim.isAgain ? forget : free;
    await leave(pool, { accountId, key }).catch(() => {}); // the lease ends
    throw isRefused && claim.isAgain ? perhapsDone(error) : error;
  } finally {
    clearInterval(renewing);
  }
}

type Call = Omit<Keyed, "request">;

async function forget(pool: Web["pool"], { accountId, key }: Call): Promise<void> {
  await execute(pool)`DELETE FROM app.api_call WHERE account_id = ${accountId} AND key = ${key} AND status IS NULL`;
}

/** The key stays known, and the call may be made again at once. */
async function free(pool: Web["pool"], { accountId, key }: Call): Promise<void> {
  await execute(pool)`
    UPDATE app.api_call SET created_at = now() - ${LEASE}
     WHERE account_id = ${accountId} AND key = ${key} AND status IS NULL`;
}

function perhapsDone({ status, code, message, title, headers, cause }: KnownError): KnownError {
  const hint =
    "An earlier attempt with this Idempotency-Key may have been carried out: look before you try anything else.";
  const more = { headers, cause, response: { earlier_attempt: true }, ...(title !== undefined && { title }) };
  return new KnownError(status, code, `${message} ${hint}`, more);
}

async function madeBefore(pool: Web["pool"], { accountId, key }: Call, hash: Uint8Array): Promise<Made> {
  const before = await queryRow<{ hash: Buffer; status: number | null; body: object }>(pool)`
    SELECT hash, status, body FROM app.api_call WHERE account_id = ${accountId} AND key = ${key}`;
  if (before && !before.hash.equals(hash))
    throw new KnownError(
      422,
      "idempotency_key_reused",
      "This Idempotency-Key was used for another call. Send a new one.",
    );
  if (before?.status != null) return { status: before.status, body: before.body };
  throw new KnownError(409, "in_progress", "The call with this Idempotency-Key is being made. Send it again shortly.", {
    headers: { "retry-after": "2" },
  });
}

function hashOf({ method, url, body, headers }: FastifyRequest): Uint8Array<ArrayBuffer> {
  // Each form has a boundary of its own.
  const [type = ""] = headers["content-type"]?.split(";") ?? [];
  const isFile =
    type === "multipart/form-data" || (typeof body === "object" && body !== null && Symbol.asyncIterator in body);
  const sent = isFile ? [headers["content-length"] ?? "", type] : (body ?? null);
  return sha256(JSON.stringify([method, url, sent]));
}
