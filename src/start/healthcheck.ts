import { get as getPlain } from "node:http";
import { get as getSecure } from "node:https";
import { readConfig } from "../config/config.ts";

// The container's health check: exits 0 if all listeners in ROLES and, at METRICS_PORT, the whole process are ready.
const { roles, web, auth, api, metricsPort, tls } = readConfig(process.env);
const host = ["0.0.0.0", "::"].includes(web.host) ? "127.0.0.1" : web.host;
const listeners = [
  ...(roles.has("app") ? [{ port: web.port, get: tls ? getSecure : getPlain }] : []),
  ...(roles.has("directory") ? [auth, api].map(({ port }) => ({ port, get: tls ? getSecure : getPlain })) : []),
  ...(metricsPort === undefined ? [] : [{ port: metricsPort, get: getPlain }]),
];

function isReady({ port, get }: (typeof listeners)[number]): Promise<boolean> {
  return new Promise((resolve) => {
    // The certificate is for the public name.
    const options = { host, port, path: "/readyz", timeout: 2000, rejectUnauthorized: false };
    get(options, (answer) => resolve(answer.resume().statusCode === 200))
      .on("timeout", () => resolve(false))
      .on("error", () => resolve(false));
  });
}

if (listeners.length === 0)
  console.error("Set METRICS_PORT: a process with only the worker has no other port for the health check.");
const ready = await Promise.all(listeners.map(isReady));
process.exit(ready.length > 0 && ready.every(Boolean) ? 0 : 1);
