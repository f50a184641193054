import { z } from "zod";
import { ours } from "./ours.ts";
import { wholeNumber } from "./parameters.ts";

export const MAP_TILE_PATH = "/v2/map/tile";

/** The zoom levels that have tiles. A map shows the next one below its own. */
export const MAP_LEVELS = [0, 3, 6, 9, 12] as const;

const MOST = 2 ** Math.max(...MAP_LEVELS) - 1;

export const mapTileParameters = z.object({
  z: wholeNumber("z", 0, Math.max(...MAP_LEVELS)).meta({
    description: `The zoom level: ${MAP_LEVELS.join(", ")}.`,
    examples: [12],
  }),
  x: wholeNumber("x", 0, MOST).meta({
    description: "The column, from the 180th meridian to the east.",
    examples: [1235],
  }),
  y: wholeNumber("y", 0, MOST).meta({ description: "The row, from the north to the south.", examples: [1526] }),
});
export type MapTileAddress = z.output<typeof mapTileParameters>;

const line = z.string().meta({ description: "Points as an encoded polyline with five decimals, latitude first." });

export const mapTileResponse = ours(
  z.object({
    tile: z.object({
      streets: z.array(z.object({ name: z.string(), line })).meta({ description: "The longest first." }),
      spots: z
        .object({ names: z.array(z.string()), line })
        .optional()
        .meta({ description: "Venues at no street that is known: a point of the line for each name." }),
      towns: z
        .array(z.object({ name: z.string(), lat: z.number(), lng: z.number(), venues: z.number().int() }))
        .meta({ description: "With the middle of their venues, the largest first." }),
      areas: z
        .array(z.object({ name: z.string(), rings: z.array(line) }))
        .meta({ description: "Land by postal code, cut at the edges of the tile." }),
      credit: z.string().optional().meta({ description: "The credit to show for the areas." }),
    }),
  }),
);
export type MapTile = z.output<typeof mapTileResponse>["tile"];

/** In degrees. */
export interface Bounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

export function boundsOf({ z, x, y }: MapTileAddress): Bounds {
  const lat = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** z))) * 180) / Math.PI;
  const lng = (column: number) => (column / 2 ** z) * 360 - 180;
  return { south: lat(y + 1), west: lng(x), north: lat(y), east: lng(x + 1) };
}
