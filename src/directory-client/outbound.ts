import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { isLoopbackHost } from "../shared/loopback.ts";
import { refusal } from "./addresses.ts";
import { DirectoryError } from "./errors.ts";

interface OutboundOptions {
  /** Whether a name other than localhost may lead to this machine: where the directory runs beside us. */
  allowLoopback?: boolean;
  /** Whether the directory may be in a private network. */
  allowPrivate?: boolean;
  /** For tests. */
  lookup?: LookupFunction;
}

/** Connections to one host of the directory; more calls wait for one that is free. */
const CONNECTIONS = 64;
const CONNECT_MS = 5000;

/**
 * Connections to a directory. Where one leads is decided when it is made, by the address that its name has at that
 * moment: a name may have been harmless before (DNS rebinding; attacks W20). Of several addresses those are tried that
 * are allowed; without any the call fails as `unreachable`, with the range for the log.
 *
 * `destroy()` it in the end: its connections would keep the process.
 */
export function createOutbound(options: OutboundOptions = {}): Dispatcher {
  const { allowLoopback = false, allowPrivate = false, lookup = systemLookup } = options;
  const objection = (address: string, hostname: string) => {
    const isLocal = isLoopbackHost(hostname);
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
      const why = isIP(host) ? objection(host, host) : undefined; // an address is not looked up
      if (why) callback(refused(why), null);
      else open(to, callback);
    },
  });
}

const refused = (why = "no address") =>
  new DirectoryError("unreachable", undefined, { reason: `not connected: the directory has ${why}` });
