import type { FastifyInstance } from "fastify";
import { MAP_LEVELS, MAP_TILE_PATH, mapTileParameters, mapTileResponse } from "../../contract/map.ts";
import { KnownError } from "../../shared/errors.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { openEndpoint } from "../endpoint/endpoint.ts";
import { readTile } from "../map/tile.ts";

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
      const isLevel = MAP_LEVELS.some((level) => level === parameters.z);
      const end = 2 ** parameters.z;
      if (!isLevel) throw new KnownError(400, "param_error", `z must be one of ${MAP_LEVELS.join(", ")}.`);
      if (parameters.x >= end || parameters.y >= end)
        throw new KnownError(400, "param_error", `At z=${parameters.z}, x and y must be less than ${end}.`);
      return { tile: await readTile(reads, parameters) };
    },
  });
}

const EXAMPLE = {
  streets: [{ name: "Dorrance St", line: "_atfG`uzsLhFkH" }],
  towns: [{ name: "Providence", lat: 41.8241, lng: -71.4128, venues: 3186 }],
  areas: [],
};
