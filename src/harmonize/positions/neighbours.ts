import type { LatLng } from "../../contract/parameters.ts";
import { inStretches } from "../../db/bulk.ts";
import { queryRows, type Sql, sql } from "../../db/sql.ts";
import { ROW_SLIPS, undoSlip } from "../query/slips.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { RowSlip } from "../run/problems/slips.ts";
import { firstColumn } from "../run/rows.ts";
import { countryIn } from "./spots.ts";

export interface Slipped {
  slip: RowSlip;
  wouldBe: LatLng;
}

export interface Mistyped extends Slipped {
  number: number;
  cells: string[];
  is: LatLng;
}

/** How many listings of a file are in a cell of a tenth of a degree, and name this country. */
export interface Cell {
  /** Tenths of degrees, whole: of its south-west corner. */
  lat: number;
  lng: number;
  /** ISO 3166-1 alpha-2; null for none. */
  country: string | null;
  listings: number;
}

/** Where the listings of a file are. */
export interface Neighbours {
  /** Cells of one degree, by their south-west corners, of listings that may have slipped: few others are around them. */
  lonely: LatLng[];
  /** Which slip took a listing away from the others; undefined if it has neighbours, or none brings it among many times as many. */
  slipOf(is: LatLng, country: string | undefined): Slipped | undefined;
}

/** For a page that cannot wait for those of a large file. */
export const NO_NEIGHBOURS: Neighbours = { lonely: [], slipOf: () => undefined };

const TIMES_AS_MANY = 5;
const LEAST_THERE = 3;
/** Degrees. */
const AWAY = 1;
/** Degrees: two places so near each other may both be of one country, such as Madrid and Barcelona on two sides of a meridian. */
const IN_REACH = 20;
/** Listings in a region within reach: a country's thinly covered part has more. */
const MOST_ASTRAY = 14;

/** They bring near each other what was apart, so that a group shows nothing. */
const PRESSING: ReadonlySet<RowSlip> = new Set<RowSlip>(["lat tenth", "lng tenth", "both tenth"]);

/**
 * A listing that names another country than those around the place where a slip would have taken it from has not slipped. Of several
 * slips the first counts that leads to a cell with many listings: near the equator one may lead beside it.
 *
 * Other listings within reach may truly be where a slip would have taken them, so there a listing that is not alone has not slipped,
 * and one that is alone must come as near to others as those of a town are.
 */
export function neighboursOf(cells: readonly Cell[]): Neighbours {
  const towns = new Map<number, number>();
  const degrees = new Map<number, number>();
  const around = new Map<number, Around>();
  for (const { lat, lng, country, listings } of cells) {
    const town = keyOf(lat, lng, TENTHS);
    const south = Math.floor(lat / TENTHS);
    const west = Math.floor(lng / TENTHS);
    towns.set(town, (towns.get(town) ?? 0) + listings);
    degrees.set(keyOf(south, west), (degrees.get(keyOf(south, west)) ?? 0) + listings);
    for (const key of keysAround(south, west)) {
      const sum = around.get(key) ?? { listings: 0, countries: new Set() };
      around.set(key, sum);
      sum.listings += listings;
      if (country !== null) sum.countries.add(country);
    }
  }
  const countAround = (is: LatLng) => around.get(cellOf(is))?.listings ?? 0;
  const most = [...around.values()].reduce((most, { listings }) => Math.max(most, listings), 0);
  const isLonely = (is: LatLng) => countAround(is) * TIMES_AS_MANY <= most;
  const isAmongThem = amongThem(towns);
  return {
    lonely: [...cornersOf(cells)].filter(isLonely),
    slipOf(is, country) {
      if (!isLonely(is)) return undefined;
      const least = Math.max(LEAST_THERE, TIMES_AS_MANY * countAround(is));
      const ways = ROW_SLIPS.flatMap((slip) => {
        const wouldBe = undoSlip(slip, is);
        const there = wouldBe && around.get(cellOf(wouldBe));
        if (!there || there.listings < least || isWithin(AWAY, is, wouldBe)) return [];
        if (country && there.countries.size > 0 && !there.countries.has(country)) return [];
        if (isWithin(IN_REACH, is, wouldBe) && countAround(is) > MOST_ASTRAY) return [];
        return isAmongThem(slip, is, wouldBe) ? [{ slip, wouldBe, listings: degrees.get(cellOf(wouldBe)) ?? 0 }] : [];
      });
      const best = Math.max(...ways.map(({ listings }) => listings));
      const way = ways.find(({ listings }) => listings * 2 >= best);
      return way && { slip: way.slip, wouldBe: way.wouldBe };
    },
  };
}

interface Around {
  listings: number;
  countries: Set<string>;
}

const isWithin = (degrees: number, one: LatLng, other: LatLng): boolean =>
  Math.max(Math.abs(one.lat - other.lat), Math.abs(one.lng - other.lng)) <= degrees;

/** @param towns listings in each cell of a tenth of a degree */
function amongThem(towns: ReadonlyMap<number, number>) {
  const countNear = ({ lat, lng }: LatLng) =>
    [...keysAround(Math.floor(lat * TENTHS), Math.floor(lng * TENTHS), TENTHS)].reduce(
      (sum, key) => sum + (towns.get(key) ?? 0),
      0,
    );
  return (slip: RowSlip, is: LatLng, wouldBe: LatLng): boolean => {
    const isAlone = countNear(is) <= LEAST_THERE;
    const isInTown = countNear(wouldBe) >= LEAST_THERE;
    if (isWithin(IN_REACH, is, wouldBe)) return isAlone && isInTown;
    return isAlone || isInTown || PRESSING.has(slip);
  };
}

/** The degrees that cells are in, each once. */
function cornersOf(cells: readonly Cell[]): Iterable<LatLng> {
  const corners = new Map<number, LatLng>();
  for (const { lat, lng } of cells) {
    const corner = { lat: Math.floor(lat / TENTHS), lng: Math.floor(lng / TENTHS) };
    corners.set(keyOf(corner.lat, corner.lng), corner);
  }
  return corners.values();
}

/** The keys of the cell and the eight around it, so that the edges of cells make no difference. */
function* keysAround(lat: number, lng: number, perDegree = 1): Generator<number> {
  for (const north of [-1, 0, 1]) for (const east of [-1, 0, 1]) yield keyOf(lat + north, lng + east, perDegree);
}

/** Cells for a degree. */
const TENTHS = 10;

const cellOf = ({ lat, lng }: LatLng): number => keyOf(Math.floor(lat), Math.floor(lng));

/** The 180th meridian is no edge. */
const keyOf = (lat: number, lng: number, perDegree = 1): number =>
  lat * 10_000 + ((lng + 540 * perDegree) % (360 * perDegree));

type Of = Pick<Harmonization, "id" | "listingCount" | "columns" | "acceptFrom" | "reviewFrom" | "matchedAt">;

const MOST_KNOWN = 4;
const known = new WeakMap<Harmonizer["pool"], Map<string, Promise<Neighbours>>>();

/** Like readNeighbours(), once for each matching of a file: until the next one, only single listings move. */
export function knownNeighbours(deps: Pick<Harmonizer, "pool">, h: Of): Promise<Neighbours> {
  const files = known.get(deps.pool) ?? new Map<string, Promise<Neighbours>>();
  known.set(deps.pool, files);
  const key = `${h.id} ${h.matchedAt?.getTime()} ${h.listingCount}`;
  const neighbours = files.get(key) ?? readNeighbours(deps, h);
  files.delete(key);
  files.set(key, neighbours);
  neighbours.catch(() => files.delete(key));
  for (const oldest of [...files.keys()].slice(0, -MOST_KNOWN)) files.delete(oldest);
  return neighbours;
}

const STRETCH = 20_000;

/** SQL: where a listing `l` is. */
export const LISTING_POSITION = {
  lat: sql`(l.query->'ll'->>'lat')::float8`,
  lng: sql`(l.query->'ll'->>'lng')::float8`,
};

export async function readNeighbours({ pool }: Pick<Harmonizer, "pool">, h: Of): Promise<Neighbours> {
  const cells = new Map<string, Cell>();
  await inStretches(h.listingCount, STRETCH, async (after, upTo) => {
    const rows = await queryRows<Cell>(pool)`
      SELECT floor(${LISTING_POSITION.lat} * 10)::int AS lat, floor(${LISTING_POSITION.lng} * 10)::int AS lng, l.cells[${firstColumn(h.columns, "country")}] AS country, count(*)::int AS listings
        FROM app.listing l WHERE l.harmonization_id = ${h.id} AND l.number > ${after} AND l.number <= ${upTo} AND l.query->'ll' IS NOT NULL
       GROUP BY 1, 2, 3`;
    for (const { country, listings, ...cell } of rows) {
      const iso = countryIn(country ?? undefined) ?? null;
      const key = `${cell.lat} ${cell.lng} ${iso}`;
      cells.set(key, { ...cell, country: iso, listings: listings + (cells.get(key)?.listings ?? 0) });
    }
  });
  return neighboursOf([...cells.values()]);
}

/**
 * Finds listings whose position looks mistyped: far from the others of the file, and among them without a slip.
 * @param isAsked SQL: which of the listings `l` of the harmonization `h`
 */
export async function findMistyped(
  { pool }: Pick<Harmonizer, "pool">,
  h: Of,
  { lonely, slipOf }: Neighbours,
  isAsked: Sql,
): Promise<Mistyped[]> {
  const mistyped: Mistyped[] = [];
  if (lonely.length === 0) return mistyped;
  await inStretches(h.listingCount, STRETCH, async (after, upTo) => {
    const rows = await queryRows<LatLng & Pick<Mistyped, "number" | "cells">>(pool)`
      SELECT l.number, l.cells, ${LISTING_POSITION.lat} AS lat, ${LISTING_POSITION.lng} AS lng
        FROM app.listing l JOIN unnest(${lonely.map(({ lat }) => lat)}::int[], ${lonely.map(({ lng }) => lng)}::int[]) AS c(lat, lng) ON c.lat = floor(${LISTING_POSITION.lat}) AND c.lng = floor(${LISTING_POSITION.lng}),
             (SELECT ${h.acceptFrom}::real AS accept_from, ${h.reviewFrom}::real AS review_from) AS h
       WHERE l.harmonization_id = ${h.id} AND l.number > ${after} AND l.number <= ${upTo} AND ${isAsked}
       ORDER BY l.number`;
    for (const { number, cells, ...is } of rows) {
      const slipped = slipOf(is, countryIn(cells[firstColumn(h.columns, "country") - 1]));
      if (slipped) mistyped.push({ number, cells, is, ...slipped });
    }
  });
  return mistyped;
}
