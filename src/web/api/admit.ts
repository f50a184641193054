import type { FastifyRequest } from "fastify";
import { queryRow } from "../../db/sql.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { findMember, isRefused, type Member } from "../base/members.ts";
import { type Granted, type Scope, useToken } from "./tokens.ts";

/** Calls of a person's programs in a minute. */
export const MOST_CALLS = 600;

/**
 * Returns the person of the bearer token. Cookies count for nothing.
 *
 * @throws KnownError 401 without a token that is live and whose person may use Samespot, 403 if it lacks the scope, 429 beyond MOST_CALLS
 */
export async function admit(
  web: Web,
  request: FastifyRequest,
  scope: Scope,
): Promise<{ member: Member; token: Granted }> {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (bearer === undefined) throw unauthorized('Bearer realm="samespot"', NO_TOKEN);
  const token = await useToken(web, bearer);
  const member = token ? await findMember(web, token.accountId) : "unknown";
  if (!token || typeof member === "string")
    throw unauthorized(INVALID, "The token is unknown, or has ended or expired.");
  if (await isRefused(web, member)) throw unauthorized(INVALID, NOT_CONNECTED);
  await countCall(web, member);
  if (!token.scopes.includes(scope))
    throw new KnownError(403, "insufficient_scope", `This call needs a token with the scope ${scope}.`, {
      headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
    });
  return { member: { ...member, isProgram: true }, token };
}

const NO_TOKEN = "Send a token as Authorization: Bearer. People make them in their settings, at Tokens for programs.";
const NOT_CONNECTED =
  "The directory no longer accepts the access of the token's person. It works again once they have logged in to Samespot.";
/** RFC 6750 section 3. */
const INVALID = 'Bearer realm="samespot", error="invalid_token"';

const unauthorized = (challenge: string, message: string) =>
  new KnownError(401, "invalid_token", message, { headers: { "www-authenticate": challenge } });

async function countCall({ pool }: Web, { id }: Member): Promise<void> {
  const use = await queryRow<{ calls: number; secondsLeft: number }>(pool)`
    INSERT INTO app.api_use AS u (account_id, window_start, calls) VALUES (${id}, now(), 1)
    ON CONFLICT (account_id) DO UPDATE
      SET calls = CASE WHEN u.window_start > now() - interval '1 minute' THEN u.calls + 1 ELSE 1 END,
          window_start = CASE WHEN u.window_start > now() - interval '1 minute' THEN u.window_start ELSE now() END
    RETURNING calls, greatest(1, ceil(extract(epoch FROM window_start + interval '1 minute' - now())))::int AS "secondsLeft"`;
  if (use && use.calls > MOST_CALLS)
    throw new KnownError(429, "rate_limit_exceeded", `At most ${MOST_CALLS} calls a minute. Wait, then go on.`, {
      headers: { "retry-after": String(use.secondsLeft) },
    });
}
