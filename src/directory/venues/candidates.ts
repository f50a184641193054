import type { Pool } from "pg";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { phoneKeys } from "../../matching/normalize/phone.ts";
import { withoutStoreNumber } from "../../matching/normalize/store-number.ts";
import type { Listing } from "../../matching/prepare.ts";
import { boxArray, boxesAround, formatPoint } from "./mercator.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";

/** Metres within which a venue with a similar name is a candidate. */
export const SAME_NAME = 1500;

/** A name this similar (`pg_trgm` similarity) within these metres ends the search for farther candidates. */
export const CLOSE = { metres: 600, likeness: 0.7 };

/** Metres within which any venue is a candidate. */
export const SAME_SPOT = 30;

/** Takes the most similar of the nearest with a similar name, of which there may be 20,000 in one place. */
export const NAMESAKES = { looked: 400, taken: 50 };

/** Venues on the spot or near it, and venues with the same phone number. */
export const NEAREST = 20;

/**
 * Finds venues with the listing's phone number, close venues with a similar name, and venues on the same spot. Unless a
 * close one has a very similar name, adds similar names farther away and the nearest venues. Returns at most 140 rows,
 * usually a few, in one statement.
 */
export async function candidatesOf(pool: Pool, listing: Listing): Promise<VenueRow[]> {
  return (await candidatesOfEach(pool, [listing]))[0] ?? [];
}

/** A few dozen listings are the most that one statement has time for. */
export async function candidatesOfEach(pool: Pool, listings: readonly Listing[]): Promise<VenueRow[][]> {
  const probes = listings.flatMap(probesOf);
  const column = <K extends keyof Probe>(name: K): Probe[K][] => probes.map((probe) => probe[name]);
  const boxes = [boxArray(column("spot")), boxArray(column("close")), boxArray(column("wide"))];
  const values = [column("name"), column("point"), ...boxes, column("phones")];
  const { rows } = await pool.query<VenueRow & { probe: number }>({ name: "candidates", text: CANDIDATES, values });
  const found = listings.map(() => new Map<string, VenueRow>());
  for (const row of rows) found[probes[row.probe - 1]?.listing ?? -1]?.set(row.id, row);
  return found.map((each) => [...each.values()]);
}

/** `spot`, `close` and `wide` are box literals; `listing` is an index. */
interface Probe {
  listing: number;
  name: string;
  point: string;
  spot: string;
  close: string;
  wide: string;
  /** Keys of its telephone numbers, with commas between them. */
  phones: string;
}

function probesOf(given: Listing, listing: number): Probe[] {
  const wide = boxesAround(given, SAME_NAME);
  const within = (metres: number) => (wide.length === 1 ? boxesAround(given, metres) : wide);
  const [spots, closes] = [within(SAME_SPOT), within(CLOSE.metres)];
  const point = formatPoint(given);
  const [name, phones] = [nameSought(given), phonesSought(given)];
  return wide.map((box, at) => {
    return { listing, name, point, phones, wide: box, spot: spots[at] ?? box, close: closes[at] ?? box };
  });
}

export const nameSought = ({ name }: Listing): string => normalizeName(withoutStoreNumber(name));
export const phonesSought = ({ phone }: Listing): string => phoneKeys(phone ?? "").join();

const alike = (box: string, condition = "true") => `
  SELECT * FROM (SELECT v.*, similarity(v.name_norm, q.name) AS likeness FROM directory.venue v
                  WHERE ${condition} AND v.name_norm % q.name AND v.point <@ ${box}
                  ORDER BY v.point <-> q.point, v.id COLLATE "C" LIMIT ${NAMESAKES.looked}) near
   ORDER BY likeness DESC, id COLLATE "C" LIMIT ${NAMESAKES.taken}`;

/** Planned without the values: with a constant name PostgreSQL would run `%` on statistics, slower than the search. */
const CANDIDATES = `SELECT q.probe::int, ${VENUE_COLUMNS}
  FROM unnest($1::text[], $2::point[], $3::box[], $4::box[], $5::box[], $6::text[])
       WITH ORDINALITY q (name, point, spot, close, wide, phones, probe)
  CROSS JOIN LATERAL (
    WITH close AS MATERIALIZED (${alike("q.close")}),
         found AS MATERIALIZED (SELECT EXISTS (SELECT FROM close WHERE likeness >= ${CLOSE.likeness}) AS enough)
    SELECT * FROM close
    UNION ALL (${alike("q.wide", "NOT (SELECT enough FROM found)")})
    UNION ALL (SELECT *, 0 FROM directory.venue n
                WHERE n.point <@ CASE WHEN (SELECT enough FROM found) THEN q.spot ELSE q.wide END
                ORDER BY n.point <-> q.point, n.id COLLATE "C" LIMIT ${NEAREST})
    UNION ALL (SELECT *, 0 FROM directory.venue p WHERE p.phone_norm = ANY (string_to_array(q.phones, ','))
                ORDER BY (p.point <-> q.point) + 0, p.id COLLATE "C" LIMIT ${NEAREST})) v`;

/** Those with any number of the field, at most 20, anywhere. */
export async function withPhone(pool: Pool, phone: string | null | undefined): Promise<VenueRow[]> {
  const keys = phoneKeys(phone ?? "");
  if (keys.length === 0) return [];
  const { rows } = await pool.query<VenueRow>({
    name: "with-phone",
    text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.phone_norm = ANY ($1) LIMIT 20`,
    values: [keys],
  });
  return rows;
}
