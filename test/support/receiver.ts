import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

type Answer = (request: IncomingMessage, reply: ServerResponse) => void;

/** A receiver of webhooks on this machine. `answer` says what it does with each; usually 204. Call it at the top of a test file. */
export async function startReceiver(answer: Answer = (_request, reply) => void reply.writeHead(204).end()) {
  const received: Received[] = [];
  const state = { answer };
  const server = createServer(async (request, reply) => {
    const chunks = await request.toArray().catch(() => undefined);
    if (!chunks) return; // the sender has died
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    state.answer(request, reply);
  });
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, state };
}
