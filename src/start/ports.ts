import { once } from "node:events";
import { createServer } from "node:net";
import type { Config } from "../config/config.ts";

/** Tries each port that the roles will listen on, before the start writes anything. Throws an Error that names the setting of the first that fails. */
export async function tryPorts({ roles, web, auth, api, metricsPort }: Config): Promise<void> {
  const { host } = web;
  const ports = [
    ...(roles.has("directory") ? [{ setting: "AUTH_PORT", port: auth.port }] : []),
    ...(roles.has("directory") ? [{ setting: "API_PORT", port: api.port }] : []),
    ...(roles.has("app") ? [{ setting: "APP_PORT", port: web.port }] : []),
    ...(metricsPort === undefined ? [] : [{ setting: "METRICS_PORT", port: metricsPort }]),
  ];
  const servers = [];
  try {
    for (const { setting, port } of ports) {
      const server = createServer();
      servers.push(server);
      const listening = once(server.listen({ host, port }), "listening");
      await listening.catch((error: NodeJS.ErrnoException) => {
        throw new Error(wordsOf(error, setting), { cause: error });
      });
    }
  } finally {
    for (const server of servers) if (server.listening) await once(server.close(), "close");
  }
}

function wordsOf({ code, message }: NodeJS.ErrnoException, setting: string): string {
  if (code === "EADDRINUSE")
    return `${setting}: ${message}. Samespot may already be running; otherwise choose another port.`;
  if (code === "EACCES")
    return `${setting}: ${message}. Choose a port from 1024 on, or give the process the right to this one.`;
  return `HOST: ${message}. It must be an address of this machine.`;
}
