import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";
import { Histogram } from "prom-client";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { isLoopbackHost } from "../../shared/loopback.ts";
import { DirectoryError } from "./errors.ts";

interface OutboundOptions {
  allowLoopback?: boolean;
  allowPrivate?: boolean;
  /** Who has written the addresses. Those of people may not be names of this machine, unless `allowLoopback` (attacks W130). */
  writtenBy?: "operator" | "people";
  /** For tests. */
  lookup?: LookupFunction;
}

const CONNECTIONS = 64;
const CONNECT_MS = 5000;

/**
 * Checks addresses when connecting, against DNS rebinding (attacks W20). `destroy()` it: open connections keep the
 * process.
 */
export function createOutbound(options: OutboundOptions = {}): Dispatcher {
  const { allowLoopback = false, allowPrivate = false, writtenBy = "operator", lookup = systemLookup } = options;
  const objection = (address: string, hostname: string) => {
    const isLocal = writtenBy === "operator" && isLoopbackHost(hostname);
    return refusal(address, { allowLoopback: allowLoopback || isLocal, allowPrivate, isLocal });
  };
  const guardedLookup: LookupFunction = (hostname, wanted, callback) => {
    lookup(hostname, { ...wanted, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : [];
      const allowed = addresses.filter(({ address }) => objection(address, hostname) === undefined);
      const [first] = allowed;
      if (error) callback(error, []);
      else if (!first) callback(refused(objection(addresses[0]?.address ?? "", hostname)), []);
      else if (wanted.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
  const open = buildConnector({ allowH2: false, timeout: CONNECT_MS, lookup: guardedLookup });
  return new Agent({
    connections: CONNECTIONS,
    maxHeaderSize: 16_384,
    connect(to, callback) {
      const host = to.hostname.replace(/^\[|\]$/g, "");
      const why = isIP(host) ? objection(host, host) : undefined; // addresses are not looked up
      if (why) callback(refused(why), null);
      else open(to, callback);
    },
  });
}

const refused = (why = "no address") =>
  new DirectoryError("unreachable", undefined, {
    reason: `not connected: the directory has ${why}`,
    errorType: "address_refused",
  });

const seconds = new Histogram({
  name: "samespot_directory_call_seconds",
  help: "Calls of this process to the directory, by host (auth, api) and outcome: ok, aborted by us, or the kind of error",
  labelNames: ["host", "outcome"],
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
});

export async function measured<T>(host: "auth" | "api", call: () => Promise<T>): Promise<T> {
  const end = seconds.startTimer({ host });
  try {
    const value = await call();
    end({ outcome: "ok" });
    return value;
  } catch (error) {
    end({ outcome: outcomeOf(error) });
    throw error;
  }
}

function outcomeOf(error: unknown): string {
  if (!(error instanceof DirectoryError)) return "failed";
  return error.cause instanceof Error && error.cause.message === "AbortError" ? "aborted" : error.kind;
}

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

function refusal(address: string, { allowLoopback, allowPrivate, isLocal }: Allowed): string | undefined {
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
