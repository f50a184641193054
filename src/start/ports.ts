import { once } from "node:events";
import { createServer } from "node:net";
import type { Config } from "../config/config.ts";

/** Tries each port that the roles will listen on, before the start writes anything. Throws the error of the first one in use. */
export async function tryPorts({ roles, web, auth, api, metricsPort }: Config): Promise<void> {
  const places = [
    ...(roles.has("directory") ? [auth, api] : []),
    ...(roles.has("app") ? [web] : []),
    ...(metricsPort === undefined ? [] : [{ host: web.host, port: metricsPort }]),
  ];
  for (const { host, port } of places) {
    const server = createServer().listen({ host, port });
    await once(server, "listening");
    server.close();
    await once(server, "close");
  }
}
