import { connect } from "node:tls";

export interface Certificate {
  validTo: Date;
  /** Whether it should have been renewed: usually that is done when a third to a half of its life is left. */
  isEnding: boolean;
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
      const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
      const distrust = socket.authorized ? undefined : String(socket.authorizationError);
      socket.destroy();
      const validTo = new Date(to);
      resolve({ validTo, isEnding: isEnding(new Date(from), validTo), distrust });
    });
  });
}

const MOST_MS = 21 * 86_400_000;

/** Less than a fifth of its life is left: certificates live from hours to years. */
export function isEnding(from: Date, to: Date, now = Date.now()): boolean {
  return to.getTime() - now < Math.min(MOST_MS, (to.getTime() - from.getTime()) / 5);
}

/** An IP address is not allowed as a server name (RFC 6066 section 3). */
const nameOf = (host: string): string => (/^[\d.]+$|:/.test(host) ? "" : host);
