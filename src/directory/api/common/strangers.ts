import type { FastifyReply, FastifyRequest } from "fastify";
import { countRefusal } from "../../../http/metrics.ts";
import { toKnownError } from "../../../http/server.ts";
import { KnownError, waitInWords } from "../../../shared/errors.ts";
import { type Count, countUp, HOUR, networkKey } from "../../counters.ts";
import type { ApiDeps } from "../../endpoint/declaration.ts";
import { whatIsLeft, whenItEnds } from "../../endpoint/limits.ts";

/** Refused unauthenticated calls an hour from one network. */
const LIMIT = 1000;

/** Most networks over the limit to remember; beyond it, the oldest are counted in the database again. */
const MAX_NOTED = 10_000;

/**
 * Counts calls rejected before authentication, by network (attacks C25); over the limit they get 429. Calls with valid
 * credentials still work, because other users may share the address, and tokens are too long to guess. Returns the
 * error to send, and sets the rate limit headers. Never throws: if counting fails, the original error stands.
 */
export function countStrangers({ pool, vault }: Pick<ApiDeps, "pool" | "vault">) {
  // Networks over the limit cause no further database work, so that they cannot slow down valid calls.
  const over = new Map<string, Omit<Count, "secondsLeft">>();

  async function countOne(request: FastifyRequest): Promise<Count> {
    const who = networkKey(vault, request, "network");
    const noted = over.get(who);
    const secondsLeft = noted ? Math.ceil(noted.resetAt - Date.now() / 1000) : 0;
    if (noted && secondsLeft > 0) return { ...noted, secondsLeft };
    over.delete(who);
    const count = await countUp(pool, { subject: `refused calls of ${who}`, windowSeconds: HOUR });
    if (count.count > LIMIT) over.set(who, count);
    const [first] = over.keys();
    if (over.size > MAX_NOTED && first) over.delete(first);
    return count;
  }

  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (reply.hasHeader("x-ratelimit-limit")) return error;
    const isStranger = !request.caller && toKnownError(error).status < 500;
    const count = isStranger ? await countOne(request).catch(() => undefined) : undefined;
    reply.headers(whatIsLeft(LIMIT, count ?? { count: 0 }));
    return count && count.count > LIMIT ? tooMany(count) : error;
  };
}

function tooMany(count: Count): KnownError {
  countRefusal("rate_limit");
  const message = `Too many refused calls from your network. Try again in ${waitInWords(count.secondsLeft)}.`;
  return new KnownError(429, "rate_limit_exceeded", message, { headers: whenItEnds(count) });
}
