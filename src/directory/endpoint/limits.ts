import type { FastifyReply } from "fastify";
import { countRefusal } from "../../http/outcomes.ts";
import { KnownError, waitInWords } from "../../shared/errors.ts";
import { type Count, type CountedCall, callCounter, countUp } from "../counters.ts";
import type { Caller } from "./credentials.ts";
import type { ApiDeps } from "./deps.ts";

/** Default calls an hour in each group of endpoints (wire-format 5). */
const USUAL = { user: 500, userless: { venues: 5000, others: 500 } };

/** Reported if there is no limit, because clients read these headers from every response. */
const NO_LIMIT = 1_000_000;

export const callTo = (path: string, cost: number): CountedCall => ({
  group: path.split("/")[2] ?? "",
  cost: Math.max(1, cost),
});

/** Counts the call unless `authenticate` has. Throws KnownError 403 rate_limit_exceeded (wire-format 3). */
export async function limitCall(deps: ApiDeps, caller: Caller, call: CountedCall, reply: FastifyReply): Promise<void> {
  const limit = limitOf(deps, caller, call.group);
  if (limit === undefined) {
    reply.headers({ "x-ratelimit-limit": NO_LIMIT, "x-ratelimit-remaining": NO_LIMIT });
    return;
  }
  const count = caller.counted ?? (await countUp(deps.pool, callCounter(call, caller), call.cost));
  reply.headers({ ...whatIsLeft(limit, count), "x-ratelimit-path": `/v2/${call.group}/*` });
  if (count.count <= limit) return;
  countRefusal("rate_limit");
  const message = `The limit of ${limit} calls an hour to ${call.group}/* is used up. Try again in ${waitInWords(count.secondsLeft)}.`;
  throw new KnownError(403, "rate_limit_exceeded", message, { headers: whenItEnds(count) });
}

export const whatIsLeft = (limit: number, { count }: Pick<Count, "count">) => ({
  "x-ratelimit-limit": limit,
  "x-ratelimit-remaining": Math.max(0, limit - count),
});

export const whenItEnds = ({ resetAt, secondsLeft }: Omit<Count, "count">) => ({
  "x-ratelimit-reset": String(resetAt),
  "retry-after": String(secondsLeft),
});

/** An application's own limit takes precedence over RATE_LIMIT, even over "off". */
function limitOf({ config }: ApiDeps, { userId, rateLimit }: Caller, group: string): number | undefined {
  if (rateLimit !== null) return rateLimit || undefined;
  if (config.rateLimit === "off") return undefined;
  if (typeof config.rateLimit === "number") return config.rateLimit;
  if (userId !== undefined) return USUAL.user;
  return group === "venues" ? USUAL.userless.venues : USUAL.userless.others;
}
