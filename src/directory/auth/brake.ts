import { clientNetwork, type Origin } from "../../http/network.ts";
import { KnownError, waitInWords } from "../../shared/errors.ts";
import { type Count, countDown, countUp, forgetCount, readCount } from "../counters.ts";
import type { DirectoryDeps } from "../deps.ts";

/**
 * Slows down who guesses: counts attempts by whom they are made for and from which network, in the database, so that it
 * holds across instances (attacks B18). Names and networks are kept as keyed fingerprints: people type passwords where
 * handles belong.
 */
export interface Brake {
  /** The refusal, 429 with Retry-After, when the limit is reached. */
  check(subject: string, from: Origin): Promise<KnownError | undefined>;
  /** Counts an attempt, or answers the refusal: of any number at once, no more than the limit are counted. */
  count(subject: string, from: Origin): Promise<KnownError | undefined>;
  /** Takes one attempt back: it was good. */
  forgive(subject: string, from: Origin): Promise<void>;
  /** Forgets all attempts: this one was good. */
  clear(subject: string, from: Origin): Promise<void>;
}

interface Attempts {
  /** What is attempted, as no other brake says it. */
  name: string;
  /** Attempts of one subject from one network within `windowSeconds` of the first. */
  limit: number;
  windowSeconds: number;
}

export function createBrake(
  { pool, vault }: Pick<DirectoryDeps, "pool" | "vault">,
  { name, limit, windowSeconds }: Attempts,
): Brake {
  const counter = (subject: string, from: Origin) => {
    const who = vault.fingerprint(`${clientNetwork(from)} ${subject}`, "brake");
    return { subject: `${name} ${Buffer.from(who).toString("base64url")}`, windowSeconds };
  };
  return {
    async check(subject, from) {
      const count = await readCount(pool, counter(subject, from));
      return count && count.count >= limit ? refusal(count) : undefined;
    },
    async count(subject, from) {
      const count = await countUp(pool, counter(subject, from));
      if (count.count <= limit) return undefined;
      await countDown(pool, counter(subject, from));
      return refusal(count);
    },
    forgive: (subject, from) => countDown(pool, counter(subject, from)),
    clear: (subject, from) => forgetCount(pool, counter(subject, from)),
  };
}

function refusal({ secondsLeft }: Count): KnownError {
  const message = `Too many failed attempts. Please try again in ${waitInWords(secondsLeft)}.`;
  return new KnownError(429, "rate_limit_exceeded", message, { headers: { "retry-after": String(secondsLeft) } });
}
