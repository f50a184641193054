import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Envelope } from "../../contract/envelope.ts";
import { KnownError } from "../../shared/errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The most lines that a body of NDJSON may have; without it, the route takes none. */
    lines?: number;
  }
}

const NDJSON = "application/x-ndjson";

/** A body of NDJSON, without blank lines. */
export class Lines {
  readonly sent: string[];
  constructor(sent: string[]) {
    this.sent = sent;
  }
}

export function acceptLines(app: FastifyInstance, refuse: () => KnownError): void {
  app.addContentTypeParser(NDJSON, { parseAs: "string" }, ({ routeOptions }, body, done) => {
    const most = routeOptions.config.lines;
    if (most === undefined) return done(refuse());
    const sent = String(body)
      .split("\n")
      .filter((line) => line.trim() !== "");
    if (sent.length <= most) return done(null, new Lines(sent));
    done(new KnownError(400, "param_error", `The body may have at most ${most} lines in one call.`));
  });
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
