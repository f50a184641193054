import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { limitInFlight, setCost } from "../../src/http/in-flight.ts";

let app: FastifyInstance;
let answers: (() => void)[] = [];

afterEach(() => app.close());

async function start() {
  answers = [];
  app = Fastify({ trustProxy: true });
  const busy = async () => () => ({ headers: { "content-type": "text/plain" }, body: "busy" });
  limitInFlight(app, { busy, headers: () => ({ "x-mark": "bare" }) });
  const wait = () => new Promise((resolve) => answers.push(() => resolve("done")));
  app.route({ method: ["GET", "POST"], url: "/", handler: wait });
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
