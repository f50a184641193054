import { isIP, isIPv6, SocketAddress } from "node:net";
import type { FastifyRequest } from "fastify";

export interface Origin extends Pick<FastifyRequest, "socket"> {
  /** Undefined once the client has gone, which Fastify's type denies. */
  ip: string | undefined;
}

/** For rate limits. If the proxy names no address, uses the proxy's own, so invented names do not evade a limit. */
export const clientNetwork = ({ ip, socket }: Origin): string =>
  networkOf(bareAddress(ip ?? "") ?? socket.remoteAddress ?? "");

/** Returns the address in an entry of X-Forwarded-For, to which some proxies add a port (attacks B44). */
export function bareAddress(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) ? address : undefined;
}

/** Returns an IPv4 address itself, or the /64 of an IPv6 address, which belongs to one customer. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = new SocketAddress({ address, family: "ipv6" }).address; // one spelling, without a zone
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped) return mapped;
  const [head = "", tail] = plain.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  return [...groups, ...Array(missing).fill("0"), ...(tail ?? "").split(":")].slice(0, 4).join(":");
}
