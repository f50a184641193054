import Fastify from "fastify";
import { expect, test } from "vitest";
import { requireHost, requireHttps, trustedProxies } from "../../src/http/transport.ts";

const PROXY = "10.1.2.3";

async function statusOf(publicUrl: string, peer: string, headers: Record<string, string> = {}): Promise<number> {
  const isTrusted = trustedProxies(["10.0.0.0/8", "fd00::/8"]);
  const app = Fastify({ trustProxy: isTrusted });
  app.setErrorHandler((error: { status?: number }, _request, reply) => reply.code(error.status ?? 500).send());
  requireHttps(app, publicUrl, isTrusted);
  app.get("/", () => "fine");
  const { statusCode } = await app.inject({ url: "/", remoteAddress: peer, headers });
  await app.close();
  return statusCode;
}

const PUBLIC = "https://samespot.example.org";
const LAPTOP = "http://localhost:3000";

test.each([
  ["over plain http from this machine", LAPTOP, "127.0.0.1", {}, 200],
  ["over plain http from this machine by IPv6", LAPTOP, "::1", {}, 200],
  ["over plain http from this machine by IPv4-mapped IPv6", LAPTOP, "::ffff:127.0.0.1", {}, 200],
  ["over plain http from this machine to an https address", PUBLIC, "127.0.0.1", {}, 400],
  [
    "over plain http from a proxy that puts its own address into Host",
    PUBLIC,
    "127.0.0.1",
    { host: "127.0.0.1:3002" },
    400,
  ],
  ["over plain http from elsewhere", PUBLIC, "203.0.113.9", {}, 400],
  ["over plain http from elsewhere to a laptop's address", LAPTOP, "203.0.113.9", {}, 400],
  ["from a trusted proxy that reports https", PUBLIC, PROXY, { "x-forwarded-proto": "https" }, 200],
  ["from a trusted IPv6 proxy that reports https", PUBLIC, "fd00::7", { "x-forwarded-proto": "https" }, 200],
  ["from a trusted proxy that reports http", PUBLIC, PROXY, { "x-forwarded-proto": "http" }, 400],
  ["from a trusted proxy that reports no protocol", PUBLIC, PROXY, {}, 400],
  ["with https forged by another peer", PUBLIC, "203.0.113.9", { "x-forwarded-proto": "https" }, 400],
  ["from an untrusted local proxy", PUBLIC, "127.0.0.1", { "x-forwarded-for": "203.0.113.9" }, 400],
  ["from an untrusted local proxy that reports https", PUBLIC, "127.0.0.1", { "x-forwarded-proto": "https" }, 400],
  ["through a container's published port on a laptop", LAPTOP, PROXY, {}, 200],
  ["from a laptop's proxy that reports http", LAPTOP, PROXY, { "x-forwarded-proto": "http" }, 400],
])("C02: a request %s (to %s, peer %s, headers %j) returns %i", async (_case, publicUrl, peer, headers, status) => {
  expect(await statusOf(publicUrl, peer, headers)).toBe(status);
});

async function answerOf(publicUrl: string, headers: Record<string, string>) {
  const app = Fastify();
  app.setErrorHandler((error: { status?: number }, _request, reply) => reply.code(error.status ?? 500).send());
  requireHost(app, publicUrl);
  app.get("/", () => "fine");
  const { statusCode, headers: given } = await app.inject({ url: "/?a=b", headers });
  await app.close();
  return [statusCode, given.location];
}

test.each([
  ["localhost:3000", 200],
  ["127.0.0.1:3000", 302],
  ["[::1]:3000", 302],
  ["127.0.0.1:3001", 421],
  ["evil.example:3000", 421],
])("on a laptop a request for host %s returns %i", async (host, status) => {
  expect(await answerOf(LAPTOP, { host })).toEqual([status, status === 302 ? `${LAPTOP}/?a=b` : undefined]);
});

test.each([
  ["samespot.example.org", 200],
  ["evil.example", 421],
  ["samespot.example.org.evil.example", 421],
  ["samespot.example.org:8443", 421],
])("a request for host %s returns %i", async (host, status) => {
  const headers = { host, "x-forwarded-host": "samespot.example.org" };
  expect(await answerOf(PUBLIC, headers)).toEqual([status, undefined]);
});
