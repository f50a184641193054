/** True for localhost and for every loopback address. */
export function isLoopbackHost(host: string): boolean {
  return (
    host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || host === "::1" || /^127\./.test(host)
  );
}
