import { isIPv6, SocketAddress } from "node:net";
import type { Vault } from "../crypto.ts";

/** The network of an address: an IPv4 address itself, and of IPv6 the /64, because that much belongs to one customer. */
export function network(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = new SocketAddress({ address, family: "ipv6" }).address; // one spelling, without a zone
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped) return mapped;
  const [head = "", tail] = plain.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  return [...groups, ...Array(missing).fill("0"), ...(tail ?? "").split(":")].slice(0, 4).join(":");
}

/** The network of an address as it may rest in the database: keyed, and another for each purpose. */
export const networkKey = (vault: Vault, address: string, purpose: string): string =>
  Buffer.from(vault.fingerprint(network(address), purpose)).toString("base64url");
