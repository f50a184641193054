import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { execute, queryRow, queryRows } from "../../db/sql.ts";
import type { Display } from "../../directory-client/authorization.ts";
import { randomToken, sha256 } from "../../shared/crypto.ts";
import type { Web } from "../base/deps.ts";
import { bindingOf, bindingsOf, forgetBinding, keepBinding } from "./attempt-cookies.ts";

const TTL_SECONDS = 600;

export interface Attempt {
  next: string;
  display: Display | null;
  /** The account that confirms its identity; null for a log-in. */
  confirms: string | null;
  /** By the database's clock. */
  begunAt: Date;
  codeVerifier: string;
}

interface Beginning {
  next: string;
  display: Display | undefined;
  confirms: string | undefined;
  alone: boolean;
}

/**
 * Starts a log-in: a random `state`, stored as a hash, and a cookie that binds it to this browser (RFC 6749 section
 * 10.12), so that several can run side by side. The PKCE verifier is derived from the cookie: it is never stored, and
 * exists even if the directory drops `state` (RFC 7636).
 */
export async function beginAttempt(web: Web, reply: FastifyReply, { next, display, confirms, alone }: Beginning) {
  const state = randomToken();
  const stateHash = sha256(state);
  const binding = `${Date.now().toString(36)}.${randomToken()}`;
  await execute(web.pool)`
    INSERT INTO app.login_attempt (state_hash, binding_hash, directory, next, display, confirms, expires_at)
    VALUES (${stateHash}, ${sha256(binding)}, ${web.authHost.url}, ${next}, ${display ?? null},
            ${confirms ?? null}, now() + make_interval(secs => ${TTL_SECONDS}))`;
  keepBinding(web, reply, { stateHash, binding, seconds: TTL_SECONDS, alone });
  const codeChallenge = createHash("sha256").update(codeVerifier(web, binding)).digest("base64url");
  return { state, codeChallenge };
}

/** The registered redirect URI. Depends on the settings alone, never on a Host header (attacks A19). */
export const redirectUri = (web: Web): string => `${web.config.web.url}/login/callback`;

export type Refusal = { refused: "unknown" | "used" | "expired" | "elsewhere" | "other_directory" };

/**
 * Uses up the attempt with this state, or returns why it cannot be used. `other_directory`: it was started at another
 * directory than the configured one, which must not see the code (attacks A08).
 */
export async function consumeAttempt(web: Web, reply: FastifyReply, state: string): Promise<Attempt | Refusal> {
  const stateHash = sha256(state);
  const attempt = await useUp(web, reply, { stateHash, binding: bindingOf(web, reply.request, stateHash) });
  if (attempt) return attempt;
  const row = await queryRow<Refusal>(web.pool)`
    SELECT CASE WHEN used_at IS NOT NULL THEN 'used' WHEN expires_at <= now() THEN 'expired'
                WHEN directory <> ${web.authHost.url} THEN 'other_directory' ELSE 'elsewhere' END AS refused
    FROM app.login_attempt WHERE state_hash = ${stateHash}`;
  return row ?? { refused: "unknown" };
}

/** An attempt that an answer without state may belong to. */
export interface PendingAttempt {
  stateHash: Uint8Array;
  binding: string;
  begunAt: Date;
}

export async function pendingAttempts(web: Web, request: FastifyRequest): Promise<PendingAttempt[]> {
  const bindings = Object.values(bindingsOf(web, request));
  if (bindings.length === 0) return [];
  return queryRows<PendingAttempt>(web.pool)`
    SELECT state_hash AS "stateHash", binding, created_at AS "begunAt"
    FROM unnest(${bindings}::text[], ${bindings.map(sha256)}::bytea[]) AS mine (binding, hash)
    JOIN app.login_attempt ON binding_hash = hash
    WHERE directory = ${web.authHost.url} AND used_at IS NULL AND expires_at > now()`;
}

/**
 * Uses up an attempt, once and only from the browser that started it, in one statement by the database's clock. Returns
 * undefined if that is not possible, for example if another request was faster.
 */
export async function useUp(
  web: Web,
  reply: FastifyReply,
  { stateHash, binding }: Pick<PendingAttempt, "stateHash" | "binding">,
): Promise<Attempt | undefined> {
  const row = await queryRow<Omit<Attempt, "codeVerifier">>(web.pool)`
    UPDATE app.login_attempt SET used_at = now()
    WHERE state_hash = ${stateHash} AND binding_hash = ${sha256(binding)} AND directory = ${web.authHost.url}
      AND used_at IS NULL AND expires_at > now()
    RETURNING next, display, confirms, created_at AS "begunAt"`;
  if (!row) return undefined;
  forgetBinding(web, reply, stateHash);
  return { ...row, codeVerifier: codeVerifier(web, binding) };
}

/** Needs both the cookie and our key. */
const codeVerifier = (web: Web, binding: string): string =>
  Buffer.from(web.vault.fingerprint(binding, "pkce")).toString("base64url");
