import { clientNetwork, type Origin } from "../../../http/network.ts";
import { countRefusal } from "../../../http/outcomes.ts";
import { t } from "../../../language/translate.ts";
import { KnownError, waitInWords } from "../../../shared/errors.ts";
import { type Count, countDown, countUp, forgetCount, readCount } from "../../counters.ts";
import type { DirectoryDeps } from "../../deps.ts";

/**
 * Limits attempts by subject and network, across instances (attacks B18). Stores both as keyed fingerprints, because
 * people type passwords into the handle field.
 */
export interface Brake {
  /** Returns a 429 with Retry-After if the limit is reached. */
  check(subject: string, from: Origin): Promise<KnownError | undefined>;
  /** Counts an attempt, or returns the 429. Concurrent calls never exceed the limit. */
  count(subject: string, from: Origin): Promise<KnownError | undefined>;
  forgive(subject: string, from: Origin): Promise<void>;
  clear(subject: string, from: Origin): Promise<void>;
}

interface Attempts {
  /** Unique among all brakes. */
  name: string;
  /** Attempts by one subject from one network. */
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
  countRefusal("attempts");
  const message = t("Too many failed attempts. Try again in {wait}.", { wait: waitInWords(secondsLeft) });
  return new KnownError(429, "rate_limit_exceeded", message, { headers: { "retry-after": String(secondsLeft) } });
}
