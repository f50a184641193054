import type { FastifyReply, FastifyRequest } from "fastify";
import { boundsOf, type MapTileAddress } from "../contract/map.ts";
import { prepared, queryRow } from "../db/sql.ts";
import type { Auth } from "../directory-client/calls/answers.ts";
import { DirectoryError } from "../directory-client/calls/errors.ts";
import { findExample } from "../harmonize/file/example.ts";
import { createMapTiles } from "../http/files/map-tiles.ts";
import type { Guard } from "../http/routes.ts";
import type { Web } from "./base/deps.ts";
import { connected } from "./base/members.ts";

interface Reader {
  /** Undefined for a guest. */
  auth?: Auth;
}

/** Members with a connection, and guests, who look at the cards of the example. */
export const mapReaders: Guard<Web, Reader> = (web, handler, returnTo) => {
  const asMember = connected(web, handler, returnTo);
  return (request, reply) => (request.session.owner ? asMember(request, reply) : handler(web, request, reply, {}));
};

const senders = new WeakMap<Web, ReturnType<typeof createMapTiles>>();

/** A tile of the directory's map; none if the directory has no tiles or fails. */
export async function sendMapTile(web: Web, request: FastifyRequest, reply: FastifyReply, { auth }: Reader) {
  const send = senders.get(web) ?? createMapTiles();
  senders.set(web, send);
  return send(request, reply, {
    load: async (address) =>
      web.directory.mapTile(auth ?? (await web.credentials()), address).catch(nothingUnlessRefused),
    mayRead: async (address) => auth !== undefined || isAroundExample(web, address),
  });
}

function nothingUnlessRefused(error: unknown): undefined {
  if (!(error instanceof DirectoryError) || error.kind === "refused_token") throw error;
}

/** Whether a row of the example lies in a tile or in one beside it: guests cost the application no other calls (attacks S111). */
async function isAroundExample({ harmonizer, pool }: Web, address: MapTileAddress): Promise<boolean> {
  const example = await findExample(harmonizer, null);
  if (!example) return false;
  const { south, west, north, east } = boundsOf(address);
  const height = north - south;
  const width = east - west;
  const row = await queryRow<{ isThere: boolean }>(prepared(pool))`
    SELECT EXISTS (SELECT FROM app.listing WHERE harmonization_id = ${example.id}
      AND (query #>> '{ll,lat}')::float8 BETWEEN ${south - height} AND ${north + height}
      AND (query #>> '{ll,lng}')::float8 BETWEEN ${west - width} AND ${east + width}) AS "isThere"`;
  return row?.isThere === true;
}
