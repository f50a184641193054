import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { randomToken, sha256 } from "../crypto.ts";
import type { Web } from "./deps.ts";

/** How many log-ins one browser may have under way; older ones are forgotten. */
const KEPT_PER_BROWSER = 10;
const TTL_SECONDS = 600;

/**
 * Begins a log-in: a random `state` of which only the hash is stored, and a cookie of its own that ties it to this
 * browser (RFC 6749 section 10.12), so that many can run side by side. The PKCE verifier is derived from the state
 * and never stored (RFC 7636).
 */
export async function beginAttempt(web: Web, request: FastifyRequest, reply: FastifyReply, next: string) {
  const state = randomToken();
  const binding = `${Date.now().toString(36)}.${randomToken()}`;
  await web.pool.query(
    `INSERT INTO app.login_attempt (state_hash, binding_hash, next, expires_at)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
    [Buffer.from(sha256(state)), Buffer.from(sha256(binding)), next, TTL_SECONDS],
  );
  forgetOldest(web, request, reply);
  reply.setCookie(cookieName(web, state), binding, { ...attributes(web), maxAge: TTL_SECONDS });
  const codeChallenge = createHash("sha256").update(codeVerifier(web, state)).digest("base64url");
  return { state, codeChallenge };
}

/** The registered redirect URI. Built from the settings alone, never from a Host header (attacks A19). */
export const redirectUri = (web: Web): string => `${web.config.web.url}/login/callback`;

export type Consumed = { next: string } | { refused: "unknown" | "used" | "expired" | "elsewhere" };

/**
 * Uses an attempt up, once and only from the browser that began it; decided by the database and its clock in one
 * statement. Otherwise says what is wrong, and the attempt stays as it is.
 */
export async function consumeAttempt(web: Web, request: FastifyRequest, state: string): Promise<Consumed> {
  const binding = request.cookies[cookieName(web, state)] ?? "";
  const values = [Buffer.from(sha256(state)), Buffer.from(sha256(binding))];
  const used = await web.pool.query(
    `UPDATE app.login_attempt SET used_at = now()
     WHERE state_hash = $1 AND binding_hash = $2 AND used_at IS NULL AND expires_at > now() RETURNING next`,
    values,
  );
  if (used.rows[0]) return { next: used.rows[0].next };
  const { rows } = await web.pool.query(
    `SELECT CASE WHEN used_at IS NOT NULL THEN 'used' WHEN expires_at <= now() THEN 'expired' ELSE 'elsewhere' END AS why
     FROM app.login_attempt WHERE state_hash = $1`,
    values.slice(0, 1),
  );
  return { refused: rows[0]?.why ?? "unknown" };
}

/** The cookie of an attempt that is over. */
export function forgetAttempt(web: Web, reply: FastifyReply, state: string): void {
  reply.clearCookie(cookieName(web, state), attributes(web));
}

/** PKCE's secret of an attempt: only who has both the state and our key can make it. */
export function codeVerifier(web: Web, state: string): string {
  return Buffer.from(web.vault.fingerprint(state, "pkce")).toString("base64url");
}

/** The values begin with the time, so that the oldest can be told. */
function forgetOldest(web: Web, request: FastifyRequest, reply: FastifyReply): void {
  const prefix = cookiePrefix(web);
  const mine = Object.entries(request.cookies).filter(([name]) => name.startsWith(prefix));
  mine.sort(([, one = ""], [, other = ""]) => (one < other ? 1 : -1));
  for (const [name] of mine.slice(KEPT_PER_BROWSER - 1)) reply.clearCookie(name, attributes(web));
}

/** `__Host-` keeps a neighbouring subdomain from planting an attempt of its own. */
const cookiePrefix = (web: Web) => `${isSecure(web) ? "__Host-" : ""}samespot_login_`;
const cookieName = (web: Web, state: string) =>
  cookiePrefix(web) + Buffer.from(sha256(state)).toString("hex").slice(0, 8);
const isSecure = (web: Web) => web.config.web.url.startsWith("https:");
const attributes = (web: Web) => ({ path: "/", httpOnly: true, sameSite: "lax", secure: isSecure(web) }) as const;
