import { connect } from "node:tls";

export interface Certificate {
  validTo: Date;
  /** Node's error code if a browser would not trust the certificate. */
  distrust: string | undefined;
}

/**
 * Returns the certificate at an https address of the settings. Sends nothing but the server name.
 *
 * @throws Error with a code if nothing answers within `deadlineMs`
 */
export function readCertificate(address: string, deadlineMs: number): Promise<Certificate> {
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    // An untrusted certificate is reported, not refused.
    const socket = connect({ host, port: Number(port || 443), servername: nameOf(host), rejectUnauthorized: false });
    socket.setTimeout(deadlineMs, () => socket.destroy(new Error("no answer in time")));
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      const distrust = socket.authorized ? undefined : String(socket.authorizationError);
      socket.destroy();
      resolve({ validTo: new Date(validTo), distrust });
    });
  });
}

/** An IP address is not allowed as a server name (RFC 6066 section 3). */
const nameOf = (host: string): string => (/^[\d.]+$|:/.test(host) ? "" : host);
