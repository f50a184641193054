import { BlockList, isIPv6 } from "node:net";

const LOOPBACK = ranges("127.0.0.0/8", "::1/128");

/** RFC 1918, 4193, 6598, 2544 (tests) and 8215 (translated IPv4). */
const PRIVATE = ranges(
  ...["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "198.18.0.0/15"],
  ...["fc00::/7", "64:ff9b:1::/48"],
);

/** Unspecified, link-local, multicast, reserved, cloud metadata, and obsolete IPv6 forms of IPv4. */
const CLOSED = ranges(
  ...["0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "100.100.100.200/32", "168.63.129.16/32", "224.0.0.0/4"],
  ...["240.0.0.0/4", "::/96", "fe80::/10", "fec0::/10", "ff00::/8", "fd00:ec2::254/128", "2001::/32", "2002::/16"],
);

interface Allowed {
  allowLoopback: boolean;
  allowPrivate: boolean;
  /** The host name is a loopback name, so http is allowed. */
  isLocal: boolean;
}

export function refusal(address: string, { allowLoopback, allowPrivate, isLocal }: Allowed): string | undefined {
  const plain = address.split("%", 1)[0] ?? ""; // drops the zone
  const rangeIn = (ranges: Range[]) => ranges.find(({ list }) => list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4"));
  const loopback = rangeIn(LOOPBACK);
  if (loopback)
    return allowLoopback ? undefined : `an address of this machine (${loopback.range}), not named localhost`;
  if (isLocal) return "a loopback name with an address elsewhere";
  const closed = rangeIn(CLOSED);
  if (closed) return `an address that no directory may have (${closed.range})`;
  const nearby = rangeIn(PRIVATE);
  return nearby && !allowPrivate
    ? `an address of a private network (${nearby.range}), see PRIVATE_DIRECTORY`
    : undefined;
}

interface Range {
  range: string;
  list: BlockList;
}

/** Includes IPv4 addresses written as IPv6: mapped (by BlockList) and NAT64 (RFC 6052). */
function ranges(...all: string[]): Range[] {
  return all.map((range) => {
    const [address = "", bits] = range.split("/");
    const list = new BlockList();
    list.addSubnet(address, Number(bits), isIPv6(address) ? "ipv6" : "ipv4");
    if (!isIPv6(address)) list.addSubnet(`64:ff9b::${address}`, 96 + Number(bits), "ipv6");
    return { range, list };
  });
}
