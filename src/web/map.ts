import type { FastifyReply, FastifyRequest } from "fastify";
import { type MapTile, mapTileParameters } from "../contract/map.ts";
import { DirectoryError } from "../directory-client/calls/errors.ts";
import { type StaticFile, sendStaticFile, staticFile } from "../http/files/static-file.ts";
import { creditInWords } from "../language/sentences.ts";
import { currentLanguage } from "../language/translate.ts";
import { notFound } from "../shared/errors.ts";
import type { Web } from "./base/deps.ts";
import type { Visit } from "./base/members.ts";

const MOST_KEPT = 500;
const KEPT_MS = 10 * 60_000;
const CACHED = "private, max-age=3600";

type Tile = StaticFile & { until: number };

const kept = new WeakMap<Web, Map<string, Tile>>();

/**
 * A tile of the directory's map. The same for all members of a language, so it is kept a while for them. 204 if the directory has no tiles or
 * fails: the map then shows a grid.
 */
export async function sendMapTile(web: Web, request: FastifyRequest, reply: FastifyReply, { auth }: Visit) {
  const address = mapTileParameters.safeParse(request.params);
  if (!address.success) throw notFound();
  const tile = await keptTile(web, [currentLanguage(), ...Object.values(address.data)].join("/"), () =>
    web.directory.mapTile(auth, address.data).then(inWords, nothingUnlessRefused),
  );
  if (!tile) return reply.code(204).send();
  return sendStaticFile(request, reply, { file: tile, cacheControl: CACHED, effort: "fast" });
}

const inWords = (tile: MapTile | undefined) =>
  tile?.credit ? { ...tile, credit: tile.credit.split(", ").map(creditInWords).join(", ") } : tile;

function nothingUnlessRefused(error: unknown): undefined {
  if (!(error instanceof DirectoryError) || error.kind === "refused_token") throw error;
}

async function keptTile(web: Web, name: string, load: () => Promise<object | undefined>): Promise<Tile | undefined> {
  const tiles = kept.get(web) ?? new Map<string, Tile>();
  kept.set(web, tiles);
  const known = tiles.get(name);
  if (known && performance.now() < known.until) return known;
  const loaded = await load();
  if (!loaded) return undefined;
  const file = staticFile(Buffer.from(JSON.stringify(loaded)), "application/json; charset=utf-8");
  const tile = { ...file, until: performance.now() + KEPT_MS };
  tiles.delete(name);
  tiles.set(name, tile);
  for (const oldest of tiles.keys()) if (tiles.size > MOST_KEPT) tiles.delete(oldest);
  return tile;
}
