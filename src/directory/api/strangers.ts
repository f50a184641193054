import type { FastifyReply, FastifyRequest } from "fastify";
import { toKnownError } from "../../http/server.ts";
import { KnownError, waitInWords } from "../../shared/errors.ts";
import { type Count, countUp, HOUR } from "../counters.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { whatIsLeft, whenItEnds } from "../endpoint/limits.ts";
import { networkKey } from "../network-key.ts";

/** Refused calls of nobody known an hour, of one network. */
const LIMIT = 1000;

/** Beyond this many networks that are over the limit, the first noted are counted in the database again. */
const MAX_NOTED = 10_000;

/**
 * Counts by network what is refused before it is known who calls: bad credentials, paths and methods that do not exist,
 * bodies that cannot be read (attacks C25). Beyond the limit such a call is answered 429 whatever was wrong with it.
 * Good credentials work all the while: others sit behind the same address, and no token is short enough to be guessed.
 *
 * Takes an error and answers the one to tell, with what is left in the headers of `reply`. It never throws: a database
 * that does not count must not change what was wrong.
 */
export function countStrangers({ pool, vault }: Pick<ApiDeps, "pool" | "vault">) {
  // A network over its limit costs the database nothing more: else it could keep it from everybody's good calls.
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
  const message = `Too many calls from your network were refused. Try again in ${waitInWords(count.secondsLeft)}.`;
  return new KnownError(429, "rate_limit_exceeded", message, { headers: whenItEnds(count) });
}
