import { connect } from "node:tls";

export interface Certificate {
  validTo: Date;
  /** Why a browser would not trust it, as Node's code for it; undefined when it would. */
  distrust: string | undefined;
}

/**
 * The certificate that answers at an https address of the settings, whoever runs it there. Nothing is sent but the name.
 *
 * @throws Error with a code when nobody answers there in time
 */
export function readCertificate(address: string, deadlineMs: number): Promise<Certificate> {
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    // An untrusted one is what this looks for.
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

/** Server names are no addresses (RFC 6066 section 3). */
const nameOf = (host: string): string => (/^[\d.]+$|:/.test(host) ? "" : host);
