import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Display } from "../../directory-client/authorization.ts";
import { randomToken, sha256 } from "../../shared/crypto.ts";
import type { Web } from "../base/deps.ts";
import { bindingOf, bindingsOf, forgetBinding, keepBinding } from "./attempt-cookies.ts";

const TTL_SECONDS = 600;

/** A log-in on its way, as its row tells. */
export interface Attempt {
  /** Local path to go to afterwards. */
  next: string;
  display: Display | null;
  /** The account that is to show that it is still itself; null for a log-in. */
  confirms: string | null;
  /** By the database's clock. */
  begunAt: Date;
  /** PKCE's secret, for the exchange of the code. */
  codeVerifier: string;
}

interface Beginning {
  next: string;
  display: Display | undefined;
  confirms: string | undefined;
  /** Forget whatever else is under way in this browser. */
  alone: boolean;
}

/**
 * Begins a log-in: a random `state` of which only the hash is stored, and a cookie of its own that ties it to this
 * browser (RFC 6749 section 10.12), so that many can run side by side. The PKCE verifier is derived from the cookie, so
 * that it is there also where a directory does not give the state back, and is never stored (RFC 7636).
 */
export async function beginAttempt(web: Web, reply: FastifyReply, { next, display, confirms, alone }: Beginning) {
  const state = randomToken();
  const stateHash = sha256(state);
  const binding = `${Date.now().toString(36)}.${randomToken()}`;
  await web.pool.query(
    `INSERT INTO app.login_attempt (state_hash, binding_hash, directory, next, display, confirms, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
    [stateHash, sha256(binding), web.authHost.url, next, display, confirms, TTL_SECONDS],
  );
  keepBinding(web, reply, { stateHash, binding, seconds: TTL_SECONDS, alone });
  const codeChallenge = createHash("sha256").update(codeVerifier(web, binding)).digest("base64url");
  return { state, codeChallenge };
}

/** The registered redirect URI. Built from the settings alone, never from a Host header (attacks A19). */
export const redirectUri = (web: Web): string => `${web.config.web.url}/login/callback`;

export type Refusal = { refused: "unknown" | "used" | "expired" | "elsewhere" | "other_directory" };

/**
 * Uses the attempt with this state up, or says what is wrong with it, and it stays as it is. `other_directory`: it was
 * begun at another than the one in the settings now, which must not see the code (attacks A08).
 */
export async function consumeAttempt(web: Web, reply: FastifyReply, state: string): Promise<Attempt | Refusal> {
  const stateHash = sha256(state);
  const attempt = await useUp(web, reply, { stateHash, binding: bindingOf(web, reply.request, stateHash) });
  if (attempt) return attempt;
  const { rows } = await web.pool.query<Refusal>(
    `SELECT CASE WHEN used_at IS NOT NULL THEN 'used' WHEN expires_at <= now() THEN 'expired'
                 WHEN directory <> $2 THEN 'other_directory' ELSE 'elsewhere' END AS refused
     FROM app.login_attempt WHERE state_hash = $1`,
    [stateHash, web.authHost.url],
  );
  return rows[0] ?? { refused: "unknown" };
}

/** An attempt that an answer without state may belong to. */
export interface PendingAttempt {
  stateHash: Uint8Array;
  binding: string;
  begunAt: Date;
}

/** Every attempt of this browser that can still be finished. */
export async function pendingAttempts(web: Web, request: FastifyRequest): Promise<PendingAttempt[]> {
  const bindings = Object.values(bindingsOf(web, request));
  if (bindings.length === 0) return [];
  const { rows } = await web.pool.query<PendingAttempt>(
    `SELECT state_hash AS "stateHash", binding, created_at AS "begunAt"
     FROM unnest($1::text[], $2::bytea[]) AS mine (binding, hash)
     JOIN app.login_attempt ON binding_hash = hash
     WHERE directory = $3 AND used_at IS NULL AND expires_at > now()`,
    [bindings, bindings.map(sha256), web.authHost.url],
  );
  return rows;
}

/**
 * Uses an attempt up, once and only from the browser that began it; decided by the database and its clock in one statement.
 * Undefined where that is not so, as when another request was faster.
 */
export async function useUp(
  web: Web,
  reply: FastifyReply,
  { stateHash, binding }: Pick<PendingAttempt, "stateHash" | "binding">,
): Promise<Attempt | undefined> {
  const { rows } = await web.pool.query<Omit<Attempt, "codeVerifier">>(
    `UPDATE app.login_attempt SET used_at = now()
     WHERE state_hash = $1 AND binding_hash = $2 AND directory = $3 AND used_at IS NULL AND expires_at > now()
     RETURNING next, display, confirms, created_at AS "begunAt"`,
    [stateHash, sha256(binding), web.authHost.url],
  );
  if (!rows[0]) return undefined;
  forgetBinding(web, reply, stateHash);
  return { ...rows[0], codeVerifier: codeVerifier(web, binding) };
}

/** Only who has both the cookie and our key can make it. */
const codeVerifier = (web: Web, binding: string): string =>
  Buffer.from(web.vault.fingerprint(binding, "pkce")).toString("base64url");
