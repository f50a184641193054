import type { FastifyInstance } from "fastify";
import { MAP_TILE_PATH, mapTileParameters, mapTileResponse } from "../../contract/map.ts";
import { badRequest } from "../../shared/errors.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { openEndpoint } from "../endpoint/endpoint.ts";
import { readTile } from "../map/tile.ts";
import { missingTile } from "../map/tiles.ts";

export function registerMapTile(app: FastifyInstance, deps: ApiDeps): void {
  openEndpoint(app, deps, {
    methods: ["GET"],
    path: MAP_TILE_PATH,
    summary: "Streets and towns for a map",
    description:
      "The streets are drawn through the addresses of the directory's own venues, so they are where venues are. Tiles are numbered like those of other web maps (Web Mercator).",
    isOurs: true,
    parameters: mapTileParameters,
    response: mapTileResponse,
    example: () => ({ tile: EXAMPLE }),
    answer: async ({ parameters, reads }) => {
      const missing = missingTile(parameters);
      if (missing) throw badRequest(missing);
      return { tile: await readTile(reads, parameters) };
    },
  });
}

const EXAMPLE = {
  streets: [{ name: "Dorrance St", line: "_atfG`uzsLhFkH" }],
  spots: { names: ["Slater Mill"], line: "_atfG`uzsL" },
  towns: [{ name: "Providence", lat: 41.8241, lng: -71.4128, venues: 3186 }],
  areas: [],
};
