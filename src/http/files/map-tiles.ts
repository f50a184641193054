import type { FastifyReply, FastifyRequest } from "fastify";
import { type MapTile, type MapTileAddress, mapTileParameters } from "../../contract/map.ts";
import { creditInWords } from "../../language/sentences.ts";
import { currentLanguage } from "../../language/translate.ts";
import { notFound } from "../../shared/errors.ts";
import { type StaticFile, sendStaticFile, staticFile } from "./static-file.ts";

const MOST_KEPT = 500;
const KEPT_MS = 10 * 60_000;
const CACHED = "private, max-age=3600";

type Tile = StaticFile & { until: number };

interface Asked {
  load(address: MapTileAddress): Promise<MapTile | undefined>;
  /** Also of a tile that is kept. */
  mayRead?(address: MapTileAddress): Promise<boolean>;
}

/**
 * Sends `GET /map/:z/:x/:y`, a tile of the map beneath a page's own points. It is the same for all who read a language, so it is kept a
 * while for them. 204 if there is none: the map then shows a grid.
 */
export function createMapTiles() {
  const kept = new Map<string, Tile>();
  return async (request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<FastifyReply> => {
    const { data: address } = mapTileParameters.safeParse(request.params);
    if (!address || (await asked.mayRead?.(address)) === false) throw notFound();
    const name = [currentLanguage(), ...Object.values(address)].join("/");
    const tile = await keptTile(kept, name, () => asked.load(address).then(inWords));
    if (!tile) return reply.code(204).send();
    return sendStaticFile(request, reply, { file: tile, cacheControl: CACHED, effort: "kept" });
  };
}

const inWords = (tile: MapTile | undefined) =>
  tile?.credit ? { ...tile, credit: tile.credit.split(", ").map(creditInWords).join(", ") } : tile;

async function keptTile(
  tiles: Map<string, Tile>,
  name: string,
  load: () => Promise<object | undefined>,
): Promise<Tile | undefined> {
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
