import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import { createMapTiles } from "../../http/files/map-tiles.ts";
import { readTile } from "./tile.ts";
import { missingTile } from "./tiles.ts";

const senders = new WeakMap<Pool, ReturnType<typeof createMapTiles>>();

/** Sends a tile of the map on a host's own pages. */
export function sendPageTile(pool: Pool, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const send = senders.get(pool) ?? createMapTiles();
  senders.set(pool, send);
  return send(request, reply, {
    load: (address) => readTile(pool, address),
    mayRead: async (address) => missingTile(address) === undefined,
  });
}
