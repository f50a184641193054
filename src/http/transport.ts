import { BlockList, isIPv6 } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { KnownError } from "../shared/errors.ts";
import { isLoopbackHost } from "../shared/loopback.ts";
import { bareAddress } from "./network.ts";

/**
 * "All requests must use HTTPS" (interface, "Authentication", rule 5): own TLS, or a proxy of TRUST_PROXY that says so.
 * Plain HTTP is accepted only where the public address is a loopback one: from loopback peers, and from a trusted hop (the
 * published port of a container on one's own machine). Never when a proxy passed the request on, which its headers tell, so
 * that one which TRUST_PROXY forgot is noticed at once. Behind a public address every plain request is refused: a proxy on
 * this machine that sends no headers of its own cannot be told from a local client (attacks C02, W17).
 * The answer is an error and never a redirect, so that a client which sends secrets in clear notices at once. The log says
 * it too, once a minute: it may be the whole service that is behind such a proxy (attacks W17).
 */
export function requireHttps(app: FastifyInstance, publicUrl: string, isTrusted: (address: string) => boolean): void {
  const publicIsLoopback = publicUrl.startsWith("http:") && isLoopbackHost(new URL(publicUrl).hostname);
  let quietUntil = 0;
  app.addHook("onRequest", async (request) => {
    if (request.protocol === "https" || isHealthCheck(request)) return;
    const peer = request.socket.remoteAddress ?? "";
    const isPassedOn = cameByProxy(request);
    const isNear = isLoopbackAddress(peer) || isTrusted(peer);
    if (publicIsLoopback && !isPassedOn && isNear) return;
    if ((isPassedOn || isNear) && performance.now() > quietUntil) {
      quietUntil = performance.now() + 60_000;
      const why =
        isTrusted(peer) || !isPassedOn ? "does not say that it was https (X-Forwarded-Proto)" : "is not in TRUST_PROXY";
      request.log.warn({ proxy: peer, publicUrl }, `requests are refused: the proxy they come through ${why}`);
    }
    throw new KnownError(400, "other", !isPassedOn && isNear ? SILENT_PROXY : NOT_SECURE, {
      title: "HTTPS is required",
    });
  });
}

const NOT_SECURE =
  "This request did not use HTTPS, or came through a proxy that is not in TRUST_PROXY. Send it over https.";
const SILENT_PROXY =
  "This request did not use HTTPS. Send it over https. The proxy in front must set X-Forwarded-Proto and X-Forwarded-For, and be in TRUST_PROXY.";

const PROXY_HEADERS = ["x-forwarded-for", "x-forwarded-proto", "forwarded", "via"];

/** Whether a proxy passed a request on, as its headers tell. */
export const cameByProxy = ({ headers }: Pick<FastifyRequest, "headers">): boolean =>
  PROXY_HEADERS.some((name) => headers[name] !== undefined);

/**
 * Refuses requests made for another host name, so that nothing is ever built from a forged Host (attacks W16). Who wrote
 * 127.0.0.1 for localhost is sent to the right address, where the cookies are.
 */
export function requireHost(app: FastifyInstance, publicUrl: string): void {
  const { host, hostname } = new URL(publicUrl);
  app.addHook("onRequest", async (request, reply) => {
    if (isHealthCheck(request)) return undefined;
    if (request.host === host) return undefined;
    const isAlias = isLoopbackHost(request.hostname) && request.host === host.replace(hostname, request.hostname);
    if (isAlias && isLoopbackHost(hostname) && request.method === "GET")
      return reply.redirect(publicUrl + request.url, 302);
    throw new KnownError(421, "other", `This server answers at ${publicUrl}. Open that address instead.`, {
      title: "Another address",
    });
  });
}

/**
 * Refuses a request with two Host headers (RFC 9112 section 3.2) and closes: a proxy in front may go by the one, and we by
 * the other (attacks C15). Node refuses the other kinds of requests that can be read in two ways by itself.
 */
export function refuseTwoHosts(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ raw }) => {
    const names = raw.rawHeaders.filter((_, index) => index % 2 === 0);
    if (names.filter((name) => name.toLowerCase() === "host").length < 2) return;
    throw new KnownError(400, "bad_request", "This request names two hosts. Send one Host header.", {
      headers: { connection: "close" },
    });
  });
}

function isHealthCheck(request: FastifyRequest): boolean {
  return request.routeOptions.url === "/healthz" || request.routeOptions.url === "/readyz";
}

export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

/** Tells whether an address, or an entry of X-Forwarded-For, is one of the proxies of TRUST_PROXY (addresses and CIDR ranges). */
export function trustedProxies(ranges: readonly string[] = []): (address: string) => boolean {
  const trusted = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    trusted.addSubnet(address, bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits), family);
  }
  return (entry) => {
    const address = bareAddress(entry);
    return address !== undefined && trusted.check(address, isIPv6(address) ? "ipv6" : "ipv4");
  };
}
