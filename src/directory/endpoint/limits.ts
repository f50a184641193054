import type { FastifyReply } from "fastify";
import type { z } from "zod";
import { countRefusal } from "../../http/metrics.ts";
import { KnownError, waitInWords } from "../../shared/errors.ts";
import { type Count, type CountedCall, callCounter, spend } from "../counters.ts";
import type { Caller } from "./credentials.ts";
import type { ApiDeps, Endpoint } from "./declaration.ts";

/** Default calls an hour in each group of endpoints (wire-format 5). */
const USUAL = { user: 500, userless: { venues: 5000, others: 500 }, batches: 5000 };

/** Reported if there is no limit, because clients read these headers from every response. */
const NO_LIMIT = 1_000_000;

export const countedCall = ({ path, hasOwnLimit }: Counted, cost: number): CountedCall => ({
  group: hasOwnLimit ? path.slice("/v2/".length) : (path.split("/")[2] ?? ""),
  cost,
});

type Counted = Pick<Endpoint<z.ZodObject, Caller>, "path" | "hasOwnLimit">;

/** Counts the call unless `authenticate` has. Throws KnownError 403 rate_limit_exceeded (wire-format 3). */
export async function limitCall(deps: ApiDeps, caller: Caller, call: CountedCall, reply: FastifyReply): Promise<void> {
  const limit = limitOf(deps, caller, call.group);
  if (limit === undefined) {
    reply.headers({ "x-ratelimit-limit": NO_LIMIT, "x-ratelimit-remaining": NO_LIMIT });
    return;
  }
  const { counted } = caller;
  const spent = counted
    ? { ...counted, fits: counted.count <= limit }
    : await spend(deps.pool, callCounter(call, caller), call.cost, limit);
  const path = isBatch(call.group) ? call.group : `${call.group}/*`;
  reply.headers({ ...whatIsLeft(limit, spent), "x-ratelimit-path": `/v2/${path}` });
  if (!spent.fits) throw tooMany(spent, { cost: call.cost, limit, what: `calls an hour to ${path}`, status: 403 });
}

interface Asked {
  cost: number;
  limit: number;
  /** What is limited, such as "queries an hour". */
  what: string;
  status: 403 | 429;
}

/** A call of several may be more than what is left; then none of it has been counted. */
export function tooMany(count: Count, { cost, limit, what, status }: Asked): KnownError {
  countRefusal("rate_limit");
  const left = limit - count.count;
  const wait = count.resetAt ? waitInWords(count.secondsLeft) : undefined;
  const mayWait = cost <= limit;
  const message =
    left <= 0
      ? `The limit of ${limit} ${what} is used up. Try again in ${wait}.`
      : `This call counts as ${cost}, but ${left} of the ${limit} ${what} are left, and none was counted now. Send at most ${left} at once` +
        `${!wait ? "" : mayWait ? `, or all of them in ${wait}` : `; the next hour begins in ${wait}`}.`;
  const headers = { ...(wait && { ...whenItEnds(count) }) };
  if (left > 0 && !mayWait) delete headers["retry-after"];
  return new KnownError(status, "rate_limit_exceeded", message, { headers });
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
  if (isBatch(group)) return USUAL.batches;
  if (userId !== undefined) return USUAL.user;
  return group === "venues" ? USUAL.userless.venues : USUAL.userless.others;
}

const isBatch = (group: string): boolean => group.includes("/");
