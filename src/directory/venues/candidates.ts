import type { Pool } from "pg";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { phoneKey } from "../../matching/normalize/phone.ts";
import { withoutStoreNumber } from "../../matching/normalize/store-number.ts";
import type { Listing } from "../../matching/prepare.ts";
import { boxArray, boxesAround, formatPoint } from "./mercator.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";

/** Metres within which a venue with a name like the listing's is a candidate. */
export const SAME_NAME = 1500;

/** Metres within which a name so alike (`pg_trgm` similarity) ends the search: nothing farther off is looked at. */
const CLOSE = { metres: 600, likeness: 0.7 };

/** Metres within which a venue is a candidate whatever its name, also where the search has ended. */
const SAME_SPOT = 30;

/** Of so many venues with similar names, the nearest, the most similar are candidates: a bound for 20,000 in one place. */
const NAMESAKES = { looked: 400, taken: 50 };

/** How many of the nearest are candidates whatever their names, at most. */
const NEAREST = 20;

/**
 * The venues that could be the listing's: those with its phone number, those close by with a similar name, and those on
 * the same spot whatever their names; unless one close by is very similar, also similar names farther off and the nearest
 * venues. One statement; at most 140 rows, and usually a few, however many venues share the place or the name.
 */
export async function candidatesOf(pool: Pool, listing: Listing): Promise<VenueRow[]> {
  return (await candidatesOfEach(pool, [listing]))[0] ?? [];
}

/** The same for several listings, in their order, and still one statement: a few dozen are as many as it has time for. */
export async function candidatesOfEach(pool: Pool, listings: readonly Listing[]): Promise<VenueRow[][]> {
  const probes = listings.flatMap(probesOf);
  const column = <K extends keyof Probe>(name: K): Probe[K][] => probes.map((probe) => probe[name]);
  const boxes = [boxArray(column("spot")), boxArray(column("close")), boxArray(column("wide"))];
  const values = [column("name"), column("point"), ...boxes, column("phone")];
  const { rows } = await pool.query<VenueRow & { probe: number }>({ name: "candidates", text: CANDIDATES, values });
  const found = listings.map(() => new Map<string, VenueRow>());
  for (const row of rows) found[probes[row.probe - 1]?.listing ?? -1]?.set(row.id, row);
  return found.map((each) => [...each.values()]);
}

/** Where to look for candidates of a listing, and for what. */
interface Probe {
  /** The index of the listing. */
  listing: number;
  name: string;
  point: string;
  /** Box literals. */
  spot: string;
  close: string;
  wide: string;
  phone: string | null;
}

/** One probe, or one for either side of the 180th meridian. */
function probesOf(given: Listing, listing: number): Probe[] {
  const wide = boxesAround(given, SAME_NAME);
  const within = (metres: number) => (wide.length === 1 ? boxesAround(given, metres) : wide);
  const [spots, closes] = [within(SAME_SPOT), within(CLOSE.metres)];
  const name = normalizeName(withoutStoreNumber(given.name));
  const point = formatPoint(given);
  const phone = (given.phone && phoneKey(given.phone)) || null;
  return wide.map((box, at) => {
    return { listing, name, point, phone, wide: box, spot: spots[at] ?? box, close: closes[at] ?? box };
  });
}

const alike = (box: string, condition = "true") => `
  SELECT * FROM (SELECT v.*, similarity(v.name_norm, q.name) AS likeness FROM directory.venue v
                  WHERE ${condition} AND v.name_norm % q.name AND v.point <@ ${box}
                  ORDER BY v.point <-> q.point LIMIT ${NAMESAKES.looked}) near
   ORDER BY likeness DESC LIMIT ${NAMESAKES.taken}`;

/**
 * Any number of probes at once, each as if it were alone. PostgreSQL plans it without looking at the values: with a name in
 * its hands it would run `%` over the statistics of the column, which takes longer than the search.
 */
const CANDIDATES = `SELECT q.probe::int, ${VENUE_COLUMNS}
  FROM unnest($1::text[], $2::point[], $3::box[], $4::box[], $5::box[], $6::text[])
       WITH ORDINALITY q (name, point, spot, close, wide, phone, probe)
  CROSS JOIN LATERAL (
    WITH close AS MATERIALIZED (${alike("q.close")}),
         found AS MATERIALIZED (SELECT EXISTS (SELECT FROM close WHERE likeness >= ${CLOSE.likeness}) AS enough)
    SELECT * FROM close
    UNION ALL (${alike("q.wide", "NOT (SELECT enough FROM found)")})
    UNION ALL (SELECT *, 0 FROM directory.venue n
                WHERE n.point <@ CASE WHEN (SELECT enough FROM found) THEN q.spot ELSE q.wide END
                ORDER BY n.point <-> q.point LIMIT ${NEAREST})
    UNION ALL (SELECT *, 0 FROM directory.venue p WHERE p.phone_norm = q.phone
                ORDER BY (p.point <-> q.point) + 0 LIMIT ${NEAREST})) v`;

/** The venues with a telephone number, wherever they are; at most 20. */
export async function withPhone(pool: Pool, phone: string | null | undefined): Promise<VenueRow[]> {
  const key = phone && phoneKey(phone);
  if (!key) return [];
  const { rows } = await pool.query<VenueRow>({
    name: "with-phone",
    text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.phone_norm = $1 LIMIT 20`,
    values: [key],
  });
  return rows;
}
