import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Pool } from "pg";
import type { z } from "zod";
import type { Envelope } from "../../contract/envelope.ts";
import { parseParameters } from "../../http/parameters.ts";
import { badRequest, type KnownError } from "../../shared/errors.ts";
import type { Count, CountedCall } from "../counters.ts";
import type { Outcome } from "../idempotency.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The most lines that a body of NDJSON may have; without it, the route takes none. */
    lines?: number;
  }
}

const NDJSON = "application/x-ndjson";

/** Bytes of lines, also where a form may have less. */
const LARGEST_BODY = 1024 * 1024;

/** A body of NDJSON, without blank lines. */
export class Lines {
  readonly sent: string[];
  constructor(sent: string[]) {
    this.sent = sent;
  }
}

export function acceptLines(app: FastifyInstance, refuse: () => KnownError): void {
  app.addContentTypeParser(NDJSON, { parseAs: "string", bodyLimit: LARGEST_BODY }, ({ routeOptions }, body, done) => {
    const most = routeOptions.config.lines;
    if (most === undefined) return done(refuse());
    const sent = String(body)
      .split("\n")
      .filter((line) => line.trim() !== "");
    if (sent.length <= most) return done(null, new Lines(sent));
    done(badRequest(`The body may have at most ${most} lines in one call.`));
  });
}

/** Returns undefined, which is no object, if a line is not JSON. */
export function readLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Reads parameters that arrive as JSON; `refusal` says what is wrong if `given` is no object. */
export function readParameters<S extends z.ZodObject>(
  schema: S,
  given: unknown,
  refusal: string,
): Outcome<z.output<S>> {
  try {
    return { done: parseParameters(schema, fieldsIn(given, refusal)) };
  } catch (error) {
    return { error };
  }
}

/** Accepts numbers as text, because postal codes arrive as numbers. */
function fieldsIn(given: unknown, refusal: string): Record<string, unknown> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw badRequest(refusal);
  const known = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(known.map(([name, value]) => [name, typeof value === "number" ? String(value) : value]));
}

/** Sends the envelopes while they are made, if the client reads. */
export const sendLines = (reply: FastifyReply, envelopes: AsyncIterable<Envelope>) =>
  reply.type(NDJSON).send(Readable.from(written(envelopes)));

/** Characters of a write: one for each line would take as long as the matching. */
const ENOUGH = 64 * 1024;

async function* written(envelopes: AsyncIterable<Envelope>): AsyncGenerator<string> {
  let lines = "";
  for await (const envelope of envelopes) {
    lines += `${JSON.stringify(envelope)}\n`;
    if (lines.length < ENOUGH) continue;
    yield lines;
    lines = "";
  }
  if (lines !== "") yield lines;
}

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
