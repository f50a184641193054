import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { z } from "zod";
import type { Envelope } from "../../contract/envelope.ts";
import { parseParameters } from "../../http/parameters.ts";
import { KnownError } from "../../shared/errors.ts";
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
    done(new KnownError(400, "param_error", `The body may have at most ${most} lines in one call.`));
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
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new KnownError(400, "param_error", refusal);
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
