import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import Fastify from "fastify";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createListener } from "../../src/http/listener.ts";

const silent = { info: () => {}, warn: () => {} };
/** Shorter than for users. */
const STALL_MS = 1000;
const app = Fastify({
  serverFactory: createListener({ log: silent, isBehindProxy: false, stallMs: STALL_MS }),
});
let [running, most] = [0, 0];
app.get("/:number", async ({ params }) => {
  running += 1;
  most = Math.max(most, running);
  await new Promise((resolve) => setTimeout(resolve, 5));
  running -= 1;
  return `<${(params as { number: string }).number}>`;
});
app.get("/large", (_request, reply) => {
  const piece = Buffer.alloc(64 * 1024, "x");
  return reply.send(Readable.from(Array.from({ length: 1000 }, () => piece)));
});
await app.listen({ port: 0, host: "127.0.0.1" });
afterAll(() => app.close());

function pipeline(count: number): Socket {
  const socket = connect(Number(new URL(app.listeningOrigin).port), "127.0.0.1").setEncoding("utf8");
  const requests = Array.from({ length: count }, (_, n) => {
    return `GET /${n} HTTP/1.1\r\nhost: a\r\n${n === count - 1 ? "connection: close\r\n" : ""}\r\n`;
  });
  socket.on("error", () => {}).write(requests.join(""));
  return socket;
}

test("C29: pipelined requests are handled one at a time, in order", async () => {
  const socket = pipeline(60);
  let text = "";
  socket.on("data", (more) => {
    text += more;
  });
  await once(socket, "close");
  expect([...text.matchAll(/<(\d+)>/g)].map(([, n]) => Number(n))).toEqual([...Array(60).keys()]);
  expect(most).toBe(1);
});

test("C29: a connection with hundreds of pipelined requests is cut", async () => {
  const socket = pipeline(800);
  let text = "";
  socket.on("data", (more) => {
    text += more;
  });
  await once(socket, "close");
  expect([...text.matchAll(/<(\d+)>/g)].length).toBeLessThan(100);
});

/** Requests a response too large for the system's buffers. `take` reads of it. */
async function askLarge() {
  const served = once(app.server, "connection") as Promise<Socket[]>;
  const socket = connect(Number(new URL(app.listeningOrigin).port), "127.0.0.1");
  socket.on("error", () => {}).on("readable", () => {});
  const [theirs] = await served;
  if (!theirs) throw new Error("There is no connection.");
  socket.write("GET /large HTTP/1.1\r\nhost: a\r\n\r\n");
  onTestFinished(() => void socket.destroy());
  return { theirs, take: (bytes: number) => socket.read(Math.min(bytes, socket.readableLength)) };
}

test("C30: an unread response is cut, and a slowly read one continues", async () => {
  const slow = await askLarge();
  const taking = setInterval(() => slow.take(200_000), STALL_MS / 20);
  onTestFinished(() => clearInterval(taking));
  for (const _ of [1, 2]) {
    const unread = await askLarge();
    await expect.poll(() => unread.theirs.destroyed).toBe(true);
  }
  expect(slow.theirs.destroyed).toBe(false);
});

test("C30: no client of ours keeps a connection that it neither reads nor uses for 15 s, proxies keep theirs for a minute", () => {
  const waits = [false, true].map((isBehindProxy) => {
    const server = createListener({ log: silent, isBehindProxy })(() => {});
    return { stalled: server.timeout, idle: server.keepAliveTimeout, headers: server.headersTimeout };
  });
  expect(waits).toEqual([
    { stalled: 7000, idle: 8000, headers: 10_000 },
    { stalled: 7000, idle: 72_000, headers: 10_000 },
  ]);
});

test("C30: a network with 500 open connections gets no more until one closes, while other networks do", async () => {
  const port = Number(new URL(app.listeningOrigin).port);
  const dial = async (localAddress = "127.0.0.1") => {
    const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
    await once(socket, "connect");
    return socket;
  };
  const isServed = async (socket: Socket) => {
    socket.setEncoding("utf8").write("GET /1 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    let text = "";
    for await (const more of socket) text += more;
    return text.includes("<1>");
  };
  const sockets = await Promise.all(Array.from({ length: 500 }, () => dial()));
  const answers = [await isServed(await dial()).catch(() => false), await isServed(await dial("127.0.0.2"))];
  const [first] = sockets;
  answers.push(first ? await isServed(first) : false);
  expect(answers).toEqual([false, true, true]);
  await expect.poll(async () => isServed(await dial()).catch(() => false)).toBe(true);
  for (const socket of sockets) socket.destroy();
});
