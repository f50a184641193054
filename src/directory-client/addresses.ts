import { BlockList, isIPv6 } from "node:net";

const LOOPBACK = ranges("127.0.0.0/8", "::1/128");

/** Private networks (RFC 1918, 4193, 6598), those of tests (RFC 2544), and the translation of IPv4 in them (RFC 8215). */
const PRIVATE = ranges(
  ...["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "198.18.0.0/15"],
  ...["fc00::/7", "64:ff9b:1::/48"],
);

/**
 * Where no directory is: unspecified, link-local, multicast and reserved addresses, those at which clouds tell a machine
 * its secrets, and the old ways to write an IPv4 address as an IPv6 one.
 */
const CLOSED = ranges(
  ...["0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "100.100.100.200/32", "168.63.129.16/32", "224.0.0.0/4"],
  ...["240.0.0.0/4", "::/96", "fe80::/10", "fec0::/10", "ff00::/8", "fd00:ec2::254/128", "2001::/32", "2002::/16"],
);

interface Allowed {
  allowLoopback: boolean;
  allowPrivate: boolean;
  /** Nothing but this machine: the address says so itself, and then http is spoken, which nobody else may read. */
  isLocal: boolean;
}

/** Why no connection may be made to an IP address, for the log; undefined where one may. */
export function refusal(address: string, { allowLoopback, allowPrivate, isLocal }: Allowed): string | undefined {
  const plain = address.split("%", 1)[0] ?? ""; // without a zone
  const rangeIn = (ranges: Range[]) => ranges.find(({ list }) => list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4"));
  const loopback = rangeIn(LOOPBACK);
  if (loopback)
    return allowLoopback ? undefined : `an address of this machine (${loopback.range}), not named localhost`;
  if (isLocal) return "a loopback name and an address elsewhere";
  const closed = rangeIn(CLOSED);
  if (closed) return `an address that no directory has (${closed.range})`;
  const nearby = rangeIn(PRIVATE);
  return nearby && !allowPrivate
    ? `an address of a private network (${nearby.range}), see PRIVATE_DIRECTORY`
    : undefined;
}

interface Range {
  range: string;
  list: BlockList;
}

/** An IPv4 range also holds its addresses written as IPv6: mapped (a BlockList does that) and by NAT64 (RFC 6052). */
function ranges(...all: string[]): Range[] {
  return all.map((range) => {
    const [address = "", bits] = range.split("/");
    const list = new BlockList();
    list.addSubnet(address, Number(bits), isIPv6(address) ? "ipv6" : "ipv4");
    if (!isIPv6(address)) list.addSubnet(`64:ff9b::${address}`, 96 + Number(bits), "ipv6");
    return { range, list };
  });
}
