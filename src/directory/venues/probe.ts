import type { Pool } from "pg";
import { isDistributed } from "../../db/citus/distributed.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { withoutStoreNumber } from "../../matching/normalize/store-number.ts";
import type { Listing } from "../../matching/prepare.ts";
import { formatPoint, type Region, regionsAround } from "./mercator.ts";
import { phonesSought } from "./phones.ts";
import { type Tile, tilesUnder } from "./tiles.ts";

/** Metres within which a venue with a similar name is a candidate. */
export const SAME_NAME = 1500;

/** A name this similar (`pg_trgm` similarity) within these metres ends the search for farther candidates. */
export const CLOSE = { metres: 600, likeness: 0.7 };

/** A close name this similar limits other names to the close ones, because to find them farther away takes longest. */
export const SIMILAR = 0.45;

/** Metres within which another name matters although a close name ends the search. */
export const NEAR = 200;

/** `%` finds names that are at least so similar (`pg_trgm.similarity_threshold`). */
export const LEAST_LIKENESS = 0.3;

/** Metres within which any venue is a candidate. */
export const SAME_SPOT = 30;

/** Takes the most similar of the nearest with a similar name, of which there may be 20,000 in one place. */
export const MOST_NAMESAKES = { looked: 400, taken: 50 };

/** Venues on the spot or near it, and venues with the same phone number. */
export const NEAREST = 20;

/** What to ask one tile for a listing. */
export interface Probe {
  /** The listing's index. */
  listing: number;
  tile: Tile;
  name: string;
  /** A point literal. */
  point: string;
  spot: Region;
  near: Region;
  close: Region;
  wide: Region;
  /** Keys of its telephone numbers, with commas between them; empty if all tiles are asked for them at once. */
  phones: string;
}

export function probesOf(pool: Pool, given: Listing, listing: number): Probe[] {
  const regions = regionsAround(given, SAME_NAME);
  const within = (metres: number) => (regions.length === 1 ? regionsAround(given, metres) : regions);
  const [spots, nears, closes] = [within(SAME_SPOT), within(NEAR), within(CLOSE.metres)];
  const [name, point] = [nameSought(given), formatPoint(given)];
  const phones = isDistributed(pool) ? "" : phonesSought(given);
  return regions.flatMap((wide, at) => {
    const regions = { spot: spots[at] ?? wide, near: nears[at] ?? wide, close: closes[at] ?? wide, wide };
    const probe = { listing, name, point, phones, ...regions };
    return tilesUnder(pool, [wide]).map((tile) => ({ ...probe, tile }));
  });
}

/** Where another name is searched for. @param likeness of the most similar name of the close venues' own */
export const reachOfOtherNames = (likeness: number): "near" | "close" | "wide" =>
  likeness >= CLOSE.likeness ? "near" : likeness >= SIMILAR ? "close" : "wide";

export const nameSought = ({ name }: Listing): string => normalizeName(withoutStoreNumber(name));
