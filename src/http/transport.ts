import { BlockList, isIPv6 } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { KnownError } from "../shared/errors.ts";
import { isLoopbackHost } from "../shared/loopback.ts";
import { bareAddress } from "./network.ts";

/**
 * Refuses plain HTTP (interface, "Authentication", rule 5), unless a proxy of TRUST_PROXY reports https. A public loopback
 * address allows it from loopback peers and trusted hops (a container's published port), but never through a proxy, so that
 * one missing in TRUST_PROXY is noticed. A proxy without headers looks like a local client (attacks C02, W17). Never redirects,
 * so that clients that send secrets in clear notice.
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

export const cameByProxy = ({ headers }: Pick<FastifyRequest, "headers">): boolean =>
  PROXY_HEADERS.some((name) => headers[name] !== undefined);

/** Refuses other host names (attacks W16). Redirects 127.0.0.1 to localhost, which has the cookies. */
export function requireHost(app: FastifyInstance, publicUrl: string): void {
  const { host, hostname } = new URL(publicUrl);
  app.addHook("onRequest", async (request, reply) => {
    if (isHealthCheck(request)) return undefined;
    if (request.host === host) return undefined;
    const isAlias = isLoopbackHost(request.hostname) && request.host === host.replace(hostname, request.hostname);
    if (isAlias && isLoopbackHost(hostname) && request.method === "GET")
      return reply.redirect(publicUrl + request.url, 302);
    throw new KnownError(421, "other", `The address of this server is ${publicUrl}. Open that address instead.`, {
      title: "Another address",
    });
  });
}

/** Refuses two Host headers (RFC 9112 section 3.2), because a proxy may use the other one (attacks C15). */
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

/** Returns a check whether an address, or an entry of X-Forwarded-For, is in TRUST_PROXY (addresses and CIDR ranges). */
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
