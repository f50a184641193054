import { isIP, isIPv6, SocketAddress } from "node:net";
import type { FastifyRequest } from "fastify";

/** Where a request comes from. */
export type Origin = Pick<FastifyRequest, "ip" | "socket">;

/**
 * The network of the client that sent a request, for every brake and limit: an IPv4 address, or the /64 of an IPv6 one. Where
 * the proxy names the client by something else than an address, it is the proxy's own, so that made-up names open no brake.
 */
export const clientNetwork = ({ ip, socket }: Origin): string =>
  networkOf(bareAddress(ip) ?? socket.remoteAddress ?? "");

/**
 * The address in an entry of X-Forwarded-For, to which some proxies add the port of the connection (attacks B44). Undefined
 * when there is none.
 */
export function bareAddress(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) ? address : undefined;
}

/** The network of an address: an IPv4 address itself, and of IPv6 the /64, because that much belongs to one customer. */
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
