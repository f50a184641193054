import { isIPv6 } from "node:net";
import { KnownError } from "../../errors.ts";

/** Counts failed attempts by whom they are made for and from where, in the memory of this process (attacks B18). */
export interface Brake {
  /** The refusal, 429 with Retry-After, when the limit is reached. */
  check(subject: string, address: string): KnownError | undefined;
  /** Counts an attempt. */
  count(subject: string, address: string): void;
  /** Takes one attempt back: it was good. */
  forgive(subject: string, address: string): void;
  /** Forgets all attempts: this one was good. */
  clear(subject: string, address: string): void;
}

/** Beyond this many, the oldest counters go: an attacker must not fill our memory with names. */
const MAX_COUNTERS = 50_000;

/** @param limit attempts of one subject from one address within `windowSeconds` of the first */
export function createBrake({ limit, windowSeconds }: { limit: number; windowSeconds: number }): Brake {
  const counters = new Map<string, { attempts: number; until: number }>();
  const keyOf = (subject: string, address: string) => `${network(address)} ${subject.slice(0, 100)}`;
  const current = (key: string) => {
    const counter = counters.get(key);
    return counter && counter.until > Date.now() ? counter : undefined;
  };
  return {
    check(subject, address) {
      const counter = current(keyOf(subject, address));
      if (!counter || counter.attempts < limit) return undefined;
      const seconds = Math.ceil((counter.until - Date.now()) / 1000);
      const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
      return new KnownError(429, "rate_limit_exceeded", `Too many failed attempts. Please try again in ${wait}.`, {
        headers: { "retry-after": String(seconds) },
      });
    },
    count(subject, address) {
      const key = keyOf(subject, address);
      const { attempts, until } = current(key) ?? { attempts: 0, until: Date.now() + windowSeconds * 1000 };
      counters.delete(key); // to the end of the map, so that the first key is the one not counted for longest
      counters.set(key, { attempts: attempts + 1, until });
      const [oldest] = counters.keys();
      if (counters.size > MAX_COUNTERS && oldest) counters.delete(oldest);
    },
    forgive(subject, address) {
      const counter = current(keyOf(subject, address));
      if (counter) counter.attempts -= 1;
    },
    clear(subject, address) {
      counters.delete(keyOf(subject, address));
    },
  };
}

/** The address, or the /64 of an IPv6 address: that much belongs to one customer. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  return [...groups, ...Array(missing).fill("0"), ...(tail ?? "").split(":")].slice(0, 4).join(":");
}
