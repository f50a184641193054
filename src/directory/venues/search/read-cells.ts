import type { Pool } from "pg";
import { boxArray, formatBox, type Region } from "../mercator.ts";
import { inTile, type Tile, tileOfPoint } from "../tiles.ts";
import { CELLS_PER_ROW, type Cells, cellOf, cellsUnder, edge, indexOf } from "./cells.ts";
import { indexNames } from "./name-index.ts";

/** Adjacent cells of a row that are read as one box. */
const LONGEST_RUN = 8;

/** A region is not worth reading if more of it than this is for it alone (a cell under two regions counts by half). */
const MOST_ALONE = 0.75;

/** Venues of one statement, some 200 bytes each. */
const MOST_AT_ONCE = 60_000;

/**
 * Reads the cells under the regions in one statement for each tile, but no lonely regions, and no boxes of cells with more venues
 * than are worth reading for each region there. These cells stay unread.
 */
export async function readCells(
  pool: Pool,
  cells: Cells,
  regions: readonly Region[],
  { worth, due }: { worth: number; due: number },
): Promise<void> {
  const runs = runsOf(sharesOf(cells, regions), (cell) => tileOfCell(pool, cell));
  if (runs.length === 0) return;
  const most = Math.min(worth, MOST_AT_ONCE / runs.reduce((sum, { share }) => sum + share, 0));
  const tiles = [...Map.groupBy(runs, ({ tile }) => tile)];
  const answers = await Promise.all(tiles.map(([tile, own]) => readTile(pool, tile, own, most)));
  const first = cells.ids.length;
  const added = answers.flat().map(([run, row]) => addVenues(cells, run, row));
  cells.names.push(
    await indexNames(
      added.flatMap(({ names }) => names),
      first,
      due,
    ),
  );
  const others = added.flatMap((each) => each.others);
  if (others.length === 0) return;
  const index = await indexNames(
    others.map(({ name }) => name),
    0,
    due,
  );
  cells.others.push({ index, venues: others.map(({ venue }) => venue) });
}

/** Leaves out runs with too many venues. */
async function readTile(pool: Pool, tile: Tile, runs: Run[], most: number): Promise<[Run, VenuesInBox][]> {
  const limits = runs.map(({ share }) => Math.ceil(most * share));
  const values = [boxArray(runs.map(boxOf)), limits, tile];
  const { rows } = await pool.query<VenuesInBox>({
    name: "venues-in-boxes",
    text: tile === null ? OF_WHOLE_MAP : OF_TILE,
    values,
  });
  const isAll = ({ ids, run }: VenuesInBox) => (ids ?? []).length <= (limits[run - 1] as number);
  return rows.filter(isAll).map((row) => [runs[row.run - 1] as Run, row]);
}

/** Returns the cells that are worth reading, each with the sum of its shares in the regions. */
function sharesOf({ venues }: Cells, regions: readonly Region[]): Map<number, number> {
  const unread = regions.map((region) => cellsUnder(region).filter((cell) => !venues.has(cell)));
  const counts = new Map<number, number>();
  for (const own of unread) for (const cell of own) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const shares = new Map<number, number>();
  for (const own of unread) {
    const alone = own.reduce((sum, cell) => sum + 1 / (counts.get(cell) ?? 1), 0);
    if (alone <= MOST_ALONE * own.length)
      for (const cell of own) shares.set(cell, (shares.get(cell) ?? 0) + 1 / own.length);
  }
  return shares;
}

/** Adjacent cells of a tile, from `first` to `last`. */
interface Run {
  first: number;
  last: number;
  share: number;
  tile: Tile;
}

function runsOf(shares: Map<number, number>, tileOf: (cell: number) => Tile): Run[] {
  const runs: Run[] = [];
  for (const cell of Float64Array.from(shares.keys()).sort()) {
    const [share, tile] = [shares.get(cell) ?? 0, tileOf(cell)];
    const run = runs.at(-1);
    if (run?.last === cell - 1 && cell - run.first < LONGEST_RUN && run.tile === tile) {
      run.last = cell;
      run.share += share;
    } else runs.push({ first: cell, last: cell, share, tile });
  }
  return runs;
}

/** With its borders: a venue there is in two boxes. */
function boxOf({ first, last }: Run): string {
  const { row, column } = placeOf(first);
  const [west, east] = [edge(column), edge(column + last - first + 1)];
  return formatBox({ west, south: edge(row), east, north: edge(row + 1) });
}

const placeOf = (cell: number) => ({
  row: Math.floor(cell / CELLS_PER_ROW) - indexOf(90),
  column: (cell % CELLS_PER_ROW) - indexOf(180),
});

function tileOfCell(pool: Pool, cell: number): Tile {
  const { row, column } = placeOf(cell);
  return tileOfPoint(pool, edge(column), edge(row));
}

interface VenuesInBox {
  run: number;
  ids: string[] | null;
  xs: number[];
  ys: number[];
  names: string[];
  shown: (string[] | null)[];
  /** All other names of a venue, with "|" between them. */
  others: (string | null)[] | null;
  /** Of each of them, as `shown`; null if all are in ASCII. */
  othersShown: ((string[] | null)[] | null)[] | null;
}

/** Returns the names for the index, and the other names in the order of the venues. */
function addVenues({ ids: allIds, xs: allXs, ys: allYs, venues }: Cells, { first, last }: Run, row: VenuesInBox) {
  const { ids, xs, ys, names, shown, others, othersShown } = row;
  const cellsOf = (ids ?? []).map((_, at) => cellOf(indexOf(xs[at] as number), indexOf(ys[at] as number)));
  const added: (string | string[])[] = [];
  const addedOthers: { venue: number; name: string | string[] }[] = [];
  for (let cell = first; cell <= last; cell++) {
    const from = allIds.length;
    for (let at = cellsOf.indexOf(cell); at >= 0; at = cellsOf.indexOf(cell, at + 1)) {
      for (const [nth, name] of (others?.[at]?.split("|") ?? []).entries())
        addedOthers.push({ venue: allIds.length, name: othersShown?.[at]?.[nth] ?? name });
      allIds.push(ids?.[at] as string);
      allXs.push(xs[at] as number);
      allYs.push(ys[at] as number);
      added.push(shown[at] ?? names[at] ?? "");
    }
    venues.set(cell, { from, to: allIds.length });
  }
  return { names: added, others: addedOthers };
}

/** Aggregated, because JSON costs Node a third of what rows cost. */
const venuesInBoxes = (tile: Tile) => `SELECT q.run::int, found.*
  FROM unnest($1::box[], $2::int[]) WITH ORDINALITY q (box, most, run)
  CROSS JOIN LATERAL (
    SELECT json_agg(id) AS ids, json_agg(x) AS xs, json_agg(y) AS ys, json_agg(name_norm) AS names, json_agg(shown) AS shown,
           CASE WHEN count(others) > 0 THEN json_agg(others) END AS others,
           CASE WHEN count(others_shown) > 0 THEN json_agg(others_shown) END AS "othersShown"
      FROM (SELECT v.id, v.name_norm, v.point[0] AS x, v.point[1] AS y,
                   CASE WHEN octet_length(v.name_norm) > char_length(v.name_norm) THEN show_trgm(v.name_norm) END AS shown,
                   v.other_names_norm AS others,
                   CASE WHEN octet_length(v.other_names_norm) > char_length(v.other_names_norm) THEN (
                     SELECT json_agg(CASE WHEN octet_length(name) > char_length(name) THEN show_trgm(name) END)
                       FROM unnest(string_to_array(v.other_names_norm, '|')) AS name) END AS others_shown
              FROM directory.venue v WHERE ${inTile("v", "$3", tile)} AND v.closed_at IS NULL AND v.point <@ q.box LIMIT q.most + 1) few) found`;

const OF_WHOLE_MAP = venuesInBoxes(null);
const OF_TILE = venuesInBoxes(0);
