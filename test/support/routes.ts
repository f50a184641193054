import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";

/**
 * "METHOD /path" of every route of each server that `start` makes, in the order they are made; HEAD left out. Fastify
 * announces each server.
 */
export async function routesOf(start: () => Promise<unknown>): Promise<string[][]> {
  const servers: string[][] = [];
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    const routes: string[] = [];
    servers.push(routes);
    fastify.addHook("onRoute", ({ method, url }) => {
      for (const each of [method].flat()) if (each !== "HEAD") routes.push(`${each} ${url}`);
    });
  };
  subscribe("fastify.initialization", listen);
  await start();
  unsubscribe("fastify.initialization", listen);
  return servers;
}
