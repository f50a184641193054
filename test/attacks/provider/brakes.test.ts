import { request } from "node:http";
import { expect, it } from "vitest";
import { formFields } from "../../support/http-client.ts";
import { CALLBACK, runningDirectory } from "../running-directory.ts";

const directory = await runningDirectory();

/** Sends raw headers, which may repeat a name. Returns status and Retry-After. */
function call(url: string, headers: string[], body = "") {
  return new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
    const { host } = new URL(url);
    const all = ["host", host, "x-forwarded-proto", "https", "content-length", String(body.length), ...headers];
    const sent = request(url, { method: body ? "POST" : "GET", headers: all, agent: false }, (reply) => {
      reply.resume().once("end", () => {
        resolve({ status: reply.statusCode ?? 0, retryAfter: reply.headers["retry-after"] });
      });
    });
    sent.on("error", reject).end(body);
  });
}

/** Builds the address of an exchange with a wrong secret. */
function guess(client_id: string, n: number): string {
  const fields = { grant_type: "authorization_code", redirect_uri: CALLBACK, code: "x", client_id };
  return `${directory.auth}/oauth2/access_token?${new URLSearchParams({ ...fields, client_secret: `guess ${n}` })}`;
}

it("B43: of fifty wrong secrets sent sixteen at a time, thirty are rejected as wrong and the rest with Retry-After", async () => {
  const { clientId } = await directory.application();
  const from = ["x-forwarded-for", "203.0.113.51"];
  const replies: { status: number; retryAfter: string | undefined }[] = [];
  // A network may have twenty calls in flight.
  for (let n = 0; n < 50; n += 16) {
    const wave = Array.from({ length: Math.min(16, 50 - n) }, (_, at) => call(guess(clientId, n + at), from));
    replies.push(...(await Promise.all(wave)));
  }
  const of = (status: number) => replies.filter((reply) => reply.status === status);
  expect([of(400), of(429), of(503)].map(({ length }) => length)).toEqual([30, 20, 0]);
  for (const { retryAfter } of of(429)) expect(Number(retryAfter)).toBeGreaterThan(0);
});

it("B43: of fifty wrong secrets sent at the same time, thirty are rejected as wrong and the rest with Retry-After", async () => {
  const { clientId } = await directory.application();
  const from = ["x-forwarded-for", "203.0.113.50"];
  const atOnce = () => Promise.all(Array.from({ length: 50 }, (_, n) => call(guess(clientId, n), from)));
  // Calls beyond the limit in flight are refused unseen.
  const replies = [...(await atOnce()), ...(await atOnce())];
  const of = (status: number) => replies.filter((reply) => reply.status === status);
  expect(of(400)).toHaveLength(30);
  expect(of(429).length).toBeGreaterThan(0);
  expect(of(429).length + of(503).length).toBe(70);
  for (const { retryAfter } of [...of(429), ...of(503)]) expect(Number(retryAfter)).toBeGreaterThan(0);
});

/** Ways in which proxies write a client's address, with a new port for each connection. */
const WRITTEN: [how: string, headers: (n: number) => string[]][] = [
  ["with its port", (n) => ["x-forwarded-for", `203.0.113.60:${40_000 + n}`]],
  ["of IPv6 in brackets with its port", (n) => ["x-forwarded-for", `[2001:db8:0:61::1]:${40_000 + n}`]],
  ["between spaces", (n) => ["x-forwarded-for", `${" ".repeat(n)}203.0.113.62\t `]],
  ["behind made-up ones", (n) => ["x-forwarded-for", `198.51.100.${n}, 203.0.113.63:${40_000 + n}`]],
  ["in the last of several headers", (n) => ["x-forwarded-for", `198.51.100.${n}`, "x-forwarded-for", "203.0.113.64"]],
  ["in front of a trusted proxy with a port", (n) => ["x-forwarded-for", `203.0.113.65:${n}, 127.0.0.9:${40_000 + n}`]],
  ["as no address at all", (n) => ["x-forwarded-for", `_made-up-${n}`]],
];

it.each(WRITTEN)("B44: guesses of a secret count for one network when its address comes %s", async (_how, headers) => {
  const { clientId } = await directory.application();
  for (let n = 0; n < 30; n += 1) expect((await call(guess(clientId, n), headers(n))).status).toBe(400);
  expect((await call(guess(clientId, 30), headers(30))).status).toBe(429);
});

it.each(WRITTEN.slice(0, 2))(
  "B44: guesses of a password count for one network when its address comes %s",
  async (_how, headers) => {
    const browser = directory.browser();
    const form = formFields(await browser.get("/login"), "/login");
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = ["cookie", cookie, "content-type", "application/x-www-form-urlencoded", "origin", directory.auth];
    const attempt = (n: number) => {
      const body = new URLSearchParams({ ...form, handle: "ada", password: `guess ${n}` }).toString();
      return call(`${directory.auth}/login`, [...sent, ...headers(n)], body);
    };
    for (let n = 0; n < 10; n += 1) expect((await attempt(n)).status).toBe(401);
    expect((await attempt(10)).status).toBe(429);
  },
);

it.each(WRITTEN.slice(0, 2))(
  "B44: refused calls of the API count for one network when its address comes %s",
  async (_how, headers) => {
    const remaining = async (n: number) => {
      const all = headers(n);
      const reply = await fetch(`${directory.api}/v2/nothing`, {
        headers: { "x-forwarded-proto": "https", [all[0] ?? ""]: all[1] ?? "" },
      });
      return Number(reply.headers.get("x-ratelimit-remaining"));
    };
    const before = await remaining(0);
    expect(await remaining(1)).toBe(before - 1);
  },
);

it("B44: two clients behind a trusted proxy with a port in its address count as two networks", async () => {
  const { clientId } = await directory.application();
  const from = (client: string) => ["x-forwarded-for", `${client}, 127.0.0.9:4711`];
  for (let n = 0; n < 31; n += 1) await call(guess(clientId, n), from("203.0.113.70"));
  expect((await call(guess(clientId, 31), from("203.0.113.71"))).status).toBe(400);
});
