import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { limitInFlight, setCost } from "../../src/http/in-flight.ts";

let app: FastifyInstance;
let answers: (() => void)[] = [];
/** The rounds of the event loop in which the handler began whose work is in one piece. */
let begunIn: number[] = [];
let round = 0;

afterEach(() => app.close());

async function start() {
  [answers, begunIn, round] = [[], [], 0];
  app = Fastify({ trustProxy: true });
  const busy = async () => () => ({ headers: { "content-type": "text/plain" }, body: "busy" });
  limitInFlight(app, { busy, headers: () => ({ "x-mark": "bare" }) });
  const wait = () => new Promise((resolve) => answers.push(() => resolve("done")));
  app.route({ method: ["GET", "POST"], url: "/", handler: wait });
  app.route({ method: ["GET", "POST"], url: "/at-once", handler: async () => begunIn.push(round) });
  app.get("/healthz", { config: { cost: "nothing" } }, wait);
  await app.register(async (files) => {
    setCost(files, "file");
    files.get("/file", wait);
  });
  await app.ready();
}

/** Sends `count` requests at once, from a local proxy that names `ip`, or from this machine itself. */
async function ask(count: number, ip: string | undefined, url = "/", method: "GET" | "POST" = "GET") {
  const before = answers.length;
  const refused: { status: number; retryAfter: unknown; body: string }[] = [];
  const payload = method === "POST" ? { payload: { a: 1 } } : {};
  for (let n = 0; n < count; n += 1)
    app
      .inject({ method, url, headers: ip === undefined ? {} : { "x-forwarded-for": ip }, ...payload })
      .then(({ statusCode, headers, body }) => {
        if (statusCode === 503) refused.push({ status: statusCode, retryAfter: headers["retry-after"], body });
      });
  await expect.poll(() => answers.length - before + refused.length).toBe(count);
  return { begun: answers.length - before, refused };
}

const finish = () => {
  for (const answer of answers) answer();
};

test.each(["GET", "POST"] as const)(
  "F19: %ss of one network use at most half of the request slots, and the rest are refused at once",
  async (method) => {
    await start();
    const { begun, refused } = await ask(100, "203.0.113.1", "/", method);
    expect(begun).toBe(20);
    expect(refused).toHaveLength(80);
    expect(refused[0]).toEqual({ status: 503, retryAfter: "2", body: "busy" });
    expect((await ask(10, "203.0.113.2", "/", method)).begun).toBe(10);
    finish();
  },
);

test("F19: all networks together can use all request slots, and this machine has its own", async () => {
  await start();
  for (const ip of ["203.0.113.1", "2001:db8::1"]) expect((await ask(20, ip)).begun).toBe(20);
  expect((await ask(1, "203.0.113.3")).begun).toBe(0);
  expect((await ask(1, "2001:db8::2")).begun).toBe(0);
  expect((await ask(50, undefined)).begun).toBe(40);
  finish();
});

test.each(["_hidden", "unknown", "127.0.0.1"])(
  "F19: clients that a local proxy calls %s use at most half of the request slots, and none of this machine's",
  async (name) => {
    await start();
    expect((await ask(50, name)).begun).toBe(20);
    expect((await ask(20, "203.0.113.1")).begun).toBe(20);
    expect((await ask(1, name)).begun).toBe(0);
    expect((await ask(50, undefined)).begun).toBe(40);
    finish();
  },
);

test("F19: each kind of request has its own slots, and health checks are never refused", async () => {
  await start();
  expect((await ask(30, "203.0.113.1")).begun).toBe(20);
  expect((await ask(30, "203.0.113.1", "/file")).begun).toBe(30);
  expect((await ask(1000, "203.0.113.1", "/healthz")).begun).toBe(1000);
  finish();
});

test("F19: a request slot is free again once its request is answered", async () => {
  await start();
  await ask(20, "203.0.113.1");
  finish();
  await expect.poll(async () => (await ask(1, "203.0.113.1")).begun).toBe(1);
  finish();
});

test.each(["GET", "POST"] as const)(
  "F82: %ss that arrive together take their request slots before the first is handled, although none ever waits",
  async (method) => {
    await start();
    const body = method === "POST" ? '{"a":1}' : "";
    const answers = await overSockets(
      400,
      `${method} /at-once HTTP/1.1\r\nhost: a\r\nx-forwarded-for: 203.0.113.1\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const refused = answers.filter((answer) => answer.startsWith("HTTP/1.1 503"));
    // Some arrive once the first have been answered.
    expect(begunIn.length + refused.length).toBe(400);
    expect(refused.length).toBeGreaterThan(40);
    expect(refused.every((answer) => answer.includes("retry-after: 2"))).toBe(true);
  },
);

test("F82: one request is begun per round of the event loop, so that what comes meanwhile is seen to", async () => {
  await start();
  const count = () => {
    round += 1;
    if (begunIn.length < 10) setImmediate(count);
  };
  count();
  await Promise.all(Array.from({ length: 10 }, () => app.inject("/at-once")));
  expect(new Set(begunIn).size).toBe(10);
});

/** Sends a request over each of `count` connections in one moment. */
async function overSockets(count: number, request: string): Promise<string[]> {
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  let open = 0;
  const accepted = new Promise<void>((resolve) => {
    app.server.on("connection", () => {
      open += 1;
      if (open === count) resolve();
    });
  });
  const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1"));
  await accepted;
  for (const socket of sockets) socket.write(request);
  return Promise.all(sockets.map((socket) => text(socket)));
}
