import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { connect as connectSecure } from "node:tls";
import { Worker } from "node:worker_threads";
import { generate } from "selfsigned";
import { expect, onTestFinished, test } from "vitest";
import { answerError, busyEnvelope } from "../../src/directory/endpoint/envelope.ts";
import type { Tls } from "../../src/http/listener.ts";
import { createLogger } from "../../src/http/logger.ts";
import { createServer } from "../../src/http/server.ts";

const READY = { status: "ready", problems: [] };

/** A server with a page that waits until `release` is called. */
async function start(tls?: Tls) {
  const stopping = new AbortController();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const app = await createServer({
    ...{ log: createLogger({ level: "silent" }), url: "http://localhost", isApi: true, stopping: stopping.signal, tls },
    ...{ ready: async () => [], busy: async () => busyEnvelope, onError: answerError },
  });
  app.decorateRequest("caller", null);
  app.get("/quick", async () => "quick");
  app.get("/slow", async () => {
    begin();
    await released;
    return "slow";
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => app.close());
  const port = Number(new URL(app.listeningOrigin).port);
  const dial = async () => {
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    await once(socket, "connect");
    return socket;
  };
  return { app, stopping, begun, release, dial };
}

/** Sends a request, and reads until the answer is complete. */
async function ask(socket: Socket, path: string): Promise<{ status: number; head: string; body: string }> {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  let text = "";
  for await (const more of socket.iterator({ destroyOnReturn: false })) {
    text += more;
    const [head = "", body = ""] = text.split(/\r\n\r\n(.*)/s);
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    if (length !== undefined && Buffer.byteLength(body) >= Number(length))
      return { status: Number(head.split(" ")[1]), head: head.toLowerCase(), body };
  }
  throw new Error(`The connection was closed after "${text}"`);
}

test("F33: once the process is stopping, /readyz is 503 and every answer ends its connection, also those already begun", async () => {
  const { stopping, release, dial } = await start();
  const [slow, quick] = [await dial(), await dial()];
  expect(JSON.parse((await ask(quick, "/readyz")).body)).toEqual(READY);
  const waiting = ask(slow, "/slow");
  const early = await ask(quick, "/quick");
  expect(early.head).not.toContain("connection: close");
  stopping.abort();
  release();
  expect(await waiting).toMatchObject({ status: 200, head: expect.stringContaining("connection: close") });
  expect(await ask(quick, "/quick")).toMatchObject({ status: 200, head: expect.stringContaining("connection: close") });
  const ready = await ask(await dial(), "/readyz");
  expect([ready.status, JSON.parse(ready.body)]).toEqual([503, { status: "stopping", problems: [] }]);
});

test("F33: a request that arrives after the listener has closed gets an envelope with Retry-After", async () => {
  const { app, begun, release, dial } = await start();
  const [slow, late, health] = [await dial(), await dial(), await dial()];
  const waiting = ask(slow, "/slow");
  await expect.poll(() => countConnections(app.server)).toBe(3);
  await begun;
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  const [answer, alive] = await Promise.all([ask(late, "/quick"), ask(health, "/healthz")]);
  expect(answer).toMatchObject({ status: 503, head: expect.stringMatching(/^retry-after: 2\r$/m) });
  expect(answer.head).toMatch(/^connection: close\r?$/m);
  expect(JSON.parse(answer.body).meta).toMatchObject({ code: 503, errorType: "server_error" });
  expect(alive.status).toBe(200);
  release();
  expect((await waiting).status).toBe(200);
  await closed;
});

test.each([["http"], ["https"]])(
  "F16: a spare connection over %s, on which nobody asked anything, does not delay the close",
  async (scheme) => {
    const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], { keyType: "ec" });
    const [tls, files] = [
      { cert: Buffer.from(cert), key: Buffer.from(key) },
      { cert: "never read", key: "never read" },
    ];
    const { app, dial } = await start(scheme === "https" ? { ...tls, files } : undefined);
    const socket = await dial();
    const spare = scheme === "https" ? connectSecure({ socket, rejectUnauthorized: false }) : socket;
    if (scheme === "https") await once(spare, "secureConnect");
    await expect.poll(() => countConnections(app.server)).toBe(1);
    const ended = once(
      spare.on("error", () => {}),
      "close",
    ).then(() => "the spare one ends");
    // The limit of requests in flight, from before the close.
    const cut = after(4000, "all are cut");
    const closed = app.close();
    expect(await Promise.race([cut, ended])).toBe("the spare one ends");
    await closed;
  },
);

const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

/** In a thread of its own: sends one request on a used connection and one on a new one whenever told to, and posts the answers. */
const CLIENT = `
  const { once } = require("node:events");
  const { connect } = require("node:net");
  const { parentPort, workerData: port } = require("node:worker_threads");
  const request = "GET /quick HTTP/1.1\\r\\nhost: localhost\\r\\n\\r\\n";
  const ask = (socket) => new Promise((resolve) => {
    socket.once("data", (data) => resolve(String(data).split("\\r\\n")[0]));
    socket.once("error", ({ code }) => resolve(code));
    socket.once("close", () => resolve("closed"));
    socket.write(request);
  });
  const used = connect(port, "127.0.0.1");
  ask(used).then((first) => parentPort.postMessage([first]));
  parentPort.on("message", async () =>
    parentPort.postMessage(await Promise.all([ask(used), ask(connect(port, "127.0.0.1"))])));
`;

test("F33: requests that came while the process was busy are answered, though it closes before it has read them", async () => {
  const { app } = await start();
  const { port } = app.server.address() as AddressInfo;
  const client = new Worker(CLIENT, { eval: true, workerData: port });
  onTestFinished(async () => void (await client.terminate()));
  expect((await once(client, "message"))[0]).toEqual(["HTTP/1.1 200 OK"]);
  client.postMessage("again");
  const answers = once(client, "message");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  await app.close();
  expect((await answers)[0]).toEqual(Array(2).fill("HTTP/1.1 503 Service Unavailable"));
});
