import { get as getPlain } from "node:http";
import { get as getSecure } from "node:https";
import { readConfig } from "./config.ts";

/** Exits 0 when every listener of ROLES is ready: the container's health check. */
const config = readConfig(process.env);
const listeners = [
  config.roles.has("app") && config.web,
  config.roles.has("directory") && config.auth,
  config.roles.has("directory") && config.api,
];

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const get = config.tls ? getSecure : getPlain;
    // Its own certificate is for the public name, and this is the loopback interface.
    const options = { host: "127.0.0.1", port, path: "/readyz", timeout: 2000, rejectUnauthorized: false };
    get(options, (answer) => resolve(answer.resume().statusCode === 200))
      .on("timeout", () => resolve(false))
      .on("error", () => resolve(false));
  });
}

const ready = await Promise.all(listeners.map((listener) => !listener || isReady(listener.port)));
process.exit(ready.every(Boolean) ? 0 : 1);
