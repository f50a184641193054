import { get as getPlain } from "node:http";
import { get as getSecure } from "node:https";
import { readConfig } from "../config/config.ts";

/**
 * Exits 0 when every listener of ROLES is ready and, at METRICS_PORT, the process as a whole with its worker: the container's
 * health check.
 */
const { roles, web, auth, api, metricsPort, tls } = readConfig(process.env);
const host = ["0.0.0.0", "::"].includes(web.host) ? "127.0.0.1" : web.host;
const listeners = [
  ...(roles.has("app") ? [{ port: web.port, get: tls ? getSecure : getPlain }] : []),
  ...(roles.has("directory") ? [auth, api].map(({ port }) => ({ port, get: tls ? getSecure : getPlain })) : []),
  ...(metricsPort === undefined ? [] : [{ port: metricsPort, get: getPlain }]),
];

function isReady({ port, get }: (typeof listeners)[number]): Promise<boolean> {
  return new Promise((resolve) => {
    // Its own certificate is for the public name, and this is the machine itself.
    const options = { host, port, path: "/readyz", timeout: 2000, rejectUnauthorized: false };
    get(options, (answer) => resolve(answer.resume().statusCode === 200))
      .on("timeout", () => resolve(false))
      .on("error", () => resolve(false));
  });
}

if (listeners.length === 0) console.error("A worker alone is asked at METRICS_PORT, which is not set.");
const ready = await Promise.all(listeners.map(isReady));
process.exit(ready.length > 0 && ready.every(Boolean) ? 0 : 1);
