import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Histogram } from "prom-client";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { isLoopbackHost } from "../../shared/loopback.ts";
import { refusal } from "./addresses.ts";
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
