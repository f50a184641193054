import type { Pool } from "pg";
import type { Count, CountedCall } from "../counters.ts";

interface Counted {
  counted?: Count | undefined;
}

interface Turn {
  cost: number;
  hasBegun: boolean;
  caller: Promise<Counted>;
}

const turns = new WeakMap<Pool, Map<string, Turn>>();

/**
 * Looks up concurrent calls with the same credentials, `key`, at once. A call that arrives during a look-up waits for the next
 * one, so none is answered by what was read before it came, and a token revoked meanwhile is refused. Each gets its own count.
 */
export async function sharedLookUp<Caller extends Counted>(
  pool: Pool,
  key: string,
  { group, cost }: CountedCall,
  look: (call: CountedCall) => Promise<Caller>,
): Promise<Caller> {
  const ofPool = turns.get(pool) ?? new Map<string, Turn>();
  turns.set(pool, ofPool);
  const last = ofPool.get(key);
  const turn = last && !last.hasBegun ? last : begin(last);
  turn.cost += cost;
  const upTo = turn.cost;
  const caller = (await turn.caller) as Caller;
  const { counted } = caller;
  return { ...caller, counted: counted && { ...counted, count: counted.count - turn.cost + upTo } };

  function begin(before: Turn | undefined): Turn {
    const made: Turn = { cost: 0, hasBegun: false, caller: lookAfter() };
    ofPool.set(key, made);
    return made;

    async function lookAfter(): Promise<Caller> {
      await before?.caller.catch(() => undefined);
      await undefined; // `made` exists from here on
      made.hasBegun = true;
      return look({ group, cost: made.cost }).finally(() => {
        if (ofPool.get(key) === made) ofPool.delete(key);
      });
    }
  }
}
