import type { FastifyReply, FastifyRequest } from "fastify";
import { sendPageTile } from "../../map/page-tiles.ts";
import type { AuthDeps } from "../base/session.ts";

/** `GET /map/:z/:x/:y`: the map of the form for a venue. */
export const sendMapTile = ({ pool }: AuthDeps, request: FastifyRequest, reply: FastifyReply) =>
  sendPageTile(pool, request, reply);
