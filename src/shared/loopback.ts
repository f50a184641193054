import { isIPv4 } from "node:net";

/** True for localhost and loopback addresses, but not for names such as 127.example.org. */
export function isLoopbackHost(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  return host === "[::1]" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
