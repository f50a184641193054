import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyContextConfig, FastifyInstance } from "fastify";

export interface Registered {
  /** "METHOD /path" */
  route: string;
  /** Guard and handler, if the route is in a table. */
  config: Pick<FastifyContextConfig, "who" | "handler">;
  /** Files below `src` on the stack at registration. */
  files: string[];
}

/** Returns the routes of each server that `start` makes, without HEAD. Fastify announces each server. */
export async function registeredRoutes(start: () => Promise<unknown>): Promise<Registered[][]> {
  const servers: Registered[][] = [];
  const depth = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    const routes: Registered[] = [];
    servers.push(routes);
    fastify.addHook("onRoute", ({ method, url, config = {} }) => {
      const files = [...(new Error().stack ?? "").matchAll(/\/src\/([\w/-]+\.ts):/g)].map(([, file = ""]) => file);
      for (const each of [method].flat()) if (each !== "HEAD") routes.push({ route: `${each} ${url}`, config, files });
    });
  };
  subscribe("fastify.initialization", listen);
  await start();
  unsubscribe("fastify.initialization", listen);
  Error.stackTraceLimit = depth;
  return servers;
}

/** Returns "METHOD /path" of each route. */
export const routesOf = async (start: () => Promise<unknown>): Promise<string[][]> =>
  (await registeredRoutes(start)).map((routes) => routes.map(({ route }) => route));
