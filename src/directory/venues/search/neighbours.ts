import type { Pool } from "pg";
import { isAscii } from "../../../matching/normalize/repair.ts";
import type { Listing } from "../../../matching/prepare.ts";
import { CLOSE, NAMESAKES, NEAREST, nameSought, phonesSought, SAME_NAME, SAME_SPOT } from "../candidates.ts";
import { formatPoint, mercatorY, type Region, regionsAround } from "../mercator.ts";
import { VENUE_COLUMNS, type VenueRow } from "../rows.ts";
import { byId, type Cells, distanceTo, FARTHEST_NORTH, isIn, isRead, nearestIn, noCells, readCells } from "./cells.ts";
import { eachAlike, trigramNumbers } from "./name-index.ts";
import { turn } from "./turns.ts";

/** Venues per listing that are worth reading, for those around it and for those farther away. */
const WORTH = { close: 40, wide: 150 };

/**
 * Finds the candidates of `candidatesOfEach`, in the same order, for listings that lie close to one another: reads the
 * venues around them once. Returns undefined for listings that must be searched for one by one.
 */
export async function candidatesAmongNeighbours(
  pool: Pool,
  listings: readonly Listing[],
): Promise<(VenueRow[] | undefined)[]> {
  const ids = await idsAmongNeighbours(pool, listings);
  const phones = await idsByPhone(
    pool,
    listings.map((listing, at) => (ids[at] ? listing : undefined)),
  );
  for (const { listing, id } of phones) ids[listing]?.add(id);
  const rows = await readVenues(pool, new Set(ids.flatMap((each) => [...(each ?? [])])));
  return ids.map((each) => each && [...each].flatMap((id) => rows.get(id) ?? []));
}

interface Probe {
  listing: number;
  trigrams: Uint16Array;
  point: { x: number; y: number };
  spot: Region;
  close: Region;
  wide: Region;
}

async function idsAmongNeighbours(pool: Pool, listings: readonly Listing[]): Promise<(Set<string> | undefined)[]> {
  const cells = noCells();
  const ids: (Set<string> | undefined)[] = listings.map(() => undefined);
  const take = ({ listing }: Probe, found: number[]) => {
    ids[listing] = new Set(found.map((at) => cells.ids[at] as string));
  };
  const left: [Probe, number[]][] = [];
  const probes = listings.flatMap(probeOf);
  await readCells(
    pool,
    cells,
    probes.map(({ close }) => close),
    WORTH.close,
  );
  for (const probe of probes) {
    if (!isRead(cells, probe.close)) continue;
    await turn();
    const { found, isEnough } = namesakesIn(cells, probe, probe.close);
    if (isEnough) take(probe, [...found, ...nearestIn(cells, probe.point, probe.spot, NEAREST)]);
    else left.push([probe, found]);
  }
  await readCells(
    pool,
    cells,
    left.map(([{ wide }]) => wide),
    WORTH.wide,
  );
  for (const [probe, close] of left) {
    if (!isRead(cells, probe.wide)) continue;
    await turn();
    const { found } = namesakesIn(cells, probe, probe.wide);
    take(probe, [...close, ...found, ...nearestIn(cells, probe.point, probe.wide, NEAREST)]);
  }
  return ids;
}

function probeOf(given: Listing, listing: number): Probe[] {
  const [wide, across] = regionsAround(given, SAME_NAME);
  const [close] = regionsAround(given, CLOSE.metres);
  const [spot] = regionsAround(given, SAME_SPOT);
  const name = nameSought(given);
  const point = { x: given.lng, y: mercatorY(given.lat) };
  if (!wide || across || !close || !spot || !isAscii(name) || Math.abs(point.y) > FARTHEST_NORTH) return [];
  return [{ listing, trigrams: trigramNumbers(name), point, spot, close, wide }];
}

/** Returns those of `%` in the region, and whether they are enough to end the search for farther candidates. */
function namesakesIn(cells: Cells, { trigrams, point }: Probe, region: Region) {
  let found: { at: number; likeness: number }[] = [];
  for (const { first, index } of cells.names)
    eachAlike(index, trigrams, (name, likeness) => {
      if (isIn(region, cells, first + name)) found.push({ at: first + name, likeness });
    });
  if (found.length > NAMESAKES.looked) {
    const near = found.map((each) => ({ ...each, distance: distanceTo(point, cells, each.at) }));
    found = near.sort((a, b) => a.distance - b.distance || byId(cells, a.at, b.at)).slice(0, NAMESAKES.looked);
  }
  found.sort((a, b) => b.likeness - a.likeness || byId(cells, a.at, b.at));
  const isEnough = (found[0]?.likeness ?? 0) >= CLOSE.likeness;
  return { found: found.slice(0, NAMESAKES.taken).map(({ at }) => at), isEnough };
}

async function idsByPhone(pool: Pool, listings: readonly (Listing | undefined)[]) {
  const probes = listings.flatMap((listing, at) => {
    const phones = listing ? phonesSought(listing) : "";
    return listing && phones ? [{ at, phones, point: formatPoint(listing) }] : [];
  });
  if (probes.length === 0) return [];
  const values = [probes.map(({ at }) => at), probes.map(({ phones }) => phones), probes.map(({ point }) => point)];
  const query = { name: "ids-by-phone", text: IDS_BY_PHONE, values };
  return (await pool.query<{ listing: number; id: string }>(query)).rows;
}

const IDS_BY_PHONE = `SELECT q.listing, v.id
  FROM unnest($1::int[], $2::text[], $3::point[]) q (listing, phones, point)
  CROSS JOIN LATERAL (SELECT p.id FROM directory.venue p WHERE p.phone_norm = ANY (string_to_array(q.phones, ','))
                       ORDER BY (p.point <-> q.point) + 0, p.id COLLATE "C" LIMIT ${NEAREST}) v`;

async function readVenues(pool: Pool, ids: ReadonlySet<string>): Promise<Map<string, VenueRow>> {
  const text = `SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.id = ANY ($1)`;
  const { rows } = await pool.query<VenueRow>({ name: "venues-by-id", text, values: [[...ids]] });
  return new Map(rows.map((row) => [row.id, row]));
}
