import { readFileSync } from "node:fs";
import type { Server } from "node:tls";
import type { Logger } from "./logger.ts";

export interface Tls {
  cert: Buffer;
  key: Buffer;
  /** Where both come from, and their successors. */
  files: { cert: string; key: string };
}

/**
 * Uses a renewed certificate for new connections. Compares the content, because a link may lead to an older file, and a certificate may
 * come a moment before its key: a pair that cannot be used leaves the former in use.
 */
export function renewTls(
  server: Pick<Server, "setSecureContext" | "once">,
  { files, ...first }: Tls,
  { log, everyMs }: { log: Pick<Logger, "info" | "warn">; everyMs: number },
): void {
  let last = first;
  let said = "";
  const look = () => {
    try {
      const pair = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
      if (pair.cert.equals(last.cert) && pair.key.equals(last.key)) return;
      last = pair;
      server.setSecureContext(pair);
      said = "";
      log.info("TLS_CERT and TLS_KEY have changed; new connections use them");
    } catch (error) {
      const { message } = error as Error;
      if (message !== said)
        log.warn(`TLS_CERT and TLS_KEY have changed but cannot be used, so the former stay: ${message}`);
      said = message;
    }
  };
  const timer = setInterval(look, everyMs).unref();
  server.once("close", () => clearInterval(timer));
}
