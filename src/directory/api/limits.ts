import type { FastifyReply } from "fastify";
import { KnownError } from "../../errors.ts";
import { countUp } from "../counters.ts";
import type { Caller } from "./credentials.ts";
import type { ApiDeps } from "./deps.ts";

const HOUR = 60 * 60;

/** Calls an hour in each group of endpoints (wire-format 5). */
const USUAL = { user: 500, userless: { venues: 5000, others: 500 } };

/** What is told to clients that read the headers on every answer, where there is no limit. */
const NO_LIMIT = 1_000_000;

/**
 * Counts a call of the caller's in its group, such as venues/*, and says on the answer what is left of the hour.
 *
 * @throws KnownError 403 rate_limit_exceeded when nothing is left (wire-format 3)
 */
export async function limitCall(deps: ApiDeps, caller: Caller, path: string, reply: FastifyReply, cost = 1) {
  const group = path.split("/")[2] ?? "";
  const limit = limitOf(deps, caller, group);
  if (limit === undefined) {
    reply.headers({ "x-ratelimit-limit": NO_LIMIT, "x-ratelimit-remaining": NO_LIMIT });
    return;
  }
  const subject = `${group} of ${caller.userId ?? "application"} ${caller.clientId}`;
  const { count, resetAt } = await countUp(deps.pool, { subject, windowSeconds: HOUR }, cost);
  const remaining = Math.max(0, limit - count);
  reply.headers({
    "x-ratelimit-limit": limit,
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-path": `/v2/${group}/*`,
  });
  if (count <= limit) return;
  const seconds = Math.max(1, Math.ceil(resetAt - Date.now() / 1000));
  const message = `The limit of ${limit} calls an hour to ${group}/* is used up.`;
  throw new KnownError(403, "rate_limit_exceeded", message, {
    headers: { "x-ratelimit-reset": String(resetAt), "retry-after": String(seconds) },
  });
}

function limitOf({ config }: ApiDeps, { userId, rateLimit }: Caller, group: string): number | undefined {
  if (config.rateLimit === "off" || rateLimit === 0) return undefined;
  if (rateLimit !== null) return rateLimit;
  if (config.rateLimit !== undefined) return config.rateLimit;
  if (userId !== undefined) return USUAL.user;
  return group === "venues" ? USUAL.userless.venues : USUAL.userless.others;
}
