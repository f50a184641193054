import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { execute, queryRow, queryRows } from "../../db/sql.ts";
import type { Display } from "../../directory-client/auth-host.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { randomToken, sha256 } from "../../shared/crypto.ts";
import type { Web } from "../base/deps.ts";

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

type Refusal = { refused: "unknown" | "used" | "expired" | "elsewhere" | "other_directory" };

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

/** Log-in attempts per browser; the oldest are forgotten. */
const KEPT_PER_BROWSER = 10;

/**
 * Binds an attempt to this browser with its own cookie. Values must sort by creation time: if there are too many, the
 * oldest are cleared to keep the header small (attacks A12).
 *
 * @param alone forget all others
 */
function keepBinding(
  web: Web,
  reply: FastifyReply,
  attempt: { stateHash: Uint8Array; binding: string; seconds: number; alone: boolean },
): void {
  const mine = Object.entries(bindingsOf(web, reply.request));
  mine.sort(([, one], [, other]) => (one < other ? 1 : -1));
  for (const [name] of mine.slice(attempt.alone ? 0 : KEPT_PER_BROWSER - 1))
    reply.clearCookie(name, cookieAttributes(web));
  const name = cookieName(web, attempt.stateHash);
  reply.setCookie(name, attempt.binding, { ...cookieAttributes(web), maxAge: attempt.seconds });
}

const bindingOf = (web: Web, request: FastifyRequest, stateHash: Uint8Array): string =>
  request.cookies[cookieName(web, stateHash)] ?? "";

function bindingsOf(web: Web, request: FastifyRequest): Record<string, string> {
  const prefix = cookiePrefix(web);
  const mine = Object.entries(request.cookies).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(mine.map(([name, value = ""]) => [name, value]));
}

function forgetBinding(web: Web, reply: FastifyReply, stateHash: Uint8Array): void {
  reply.clearCookie(cookieName(web, stateHash), cookieAttributes(web));
}

/** `__Host-` prevents a neighbouring subdomain from planting an attempt. */
const cookiePrefix = (web: Web) => `${isSecure(web) ? "__Host-" : ""}samespot_login_`;
const cookieName = (web: Web, stateHash: Uint8Array) =>
  cookiePrefix(web) + Buffer.from(stateHash).toString("hex").slice(0, 8);
const isSecure = (web: Web) => web.config.web.url.startsWith("https:");
export const cookieAttributes = (web: Web) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isSecure(web) }) as const;

/**
 * What the directory does with the `state` of a log-in, which proves who started it. The interface does not show
 * `state`, so a directory may drop it; RFC 6749 requires it to be returned.
 *
 * - `echoes`: an answer without it is refused
 * - `drops`: an answer belongs to the single log-in that is waiting in this browser
 * - `unknown`: the person has to confirm that they started it
 */
type StateHandling = "echoes" | "drops" | "unknown";

/**
 * Uses the directory's metadata, or otherwise what was learnt from its answers. Without either, because the directory
 * is unreachable, returns `echoes`: in doubt nobody is logged in.
 */
export async function stateHandling({ prisma, authHost }: Pick<Web, "prisma" | "authHost">): Promise<StateHandling> {
  const known = await prisma.knownDirectory.findUnique({ where: { authUrl: authHost.url } });
  const learnt = known?.state;
  if (learnt === "echoes") return "echoes";
  const features = await authHost.features().catch((error) => {
    if (error instanceof DirectoryError) return undefined;
    throw error;
  });
  if (features?.echoesState) return "echoes";
  return learnt ?? (features ? "unknown" : "echoes");
}

/**
 * Stores how a log-in succeeded. A directory that has once returned `state` never counts as one that drops it:
 * otherwise an answer with its `state` cut off would admit strangers' codes (attacks A02). The price: somebody who adds
 * their `state` to an answer of a directory that drops it locks everyone out until the operator deletes the row.
 */
export async function learnStateHandling(
  { pool, authHost }: Pick<Web, "pool" | "authHost">,
  seen: "echoes" | "drops",
): Promise<void> {
  await execute(pool)`
    INSERT INTO app.known_directory AS known (auth_url, state) VALUES (${authHost.url}, ${seen}::app.state_handling)
    ON CONFLICT (auth_url) DO UPDATE SET state = excluded.state, since = now()
    WHERE known.state = 'drops' AND excluded.state = 'echoes'`;
}
