import type { Pool } from "pg";
import { boxArray, EVERYWHERE, formatPoint } from "../mercator.ts";
import type { Area } from "../nearest.ts";
import { VENUE_COLUMNS, type VenueRow } from "../rows.ts";
import type { Reading } from "./readings.ts";

/** Venues read for a reading; with more results, the nearest are found in another way. */
const FEW = 1_000;

const REACH = 20_000;

/** Cells per degree of the map, and the most cells worth querying. */
const CELLS = [
  { mark: "~", perDegree: 5, most: 25 },
  { mark: "^", perDegree: 1, most: 150 },
];

/** The indexed expression; must be the same as in the migration. */
const VENUE_WORDS =
  "directory.venue_words(v.name_norm, v.address, v.cross_street, v.city, v.state, v.zip, v.category_id, v.point)";

export interface Answers {
  venues: VenueRow[];
  hasMore: boolean;
}

/** Returns the `count` nearest of the first FEW venues of each reading. */
export async function venuesReading(
  pool: Pool,
  readings: readonly Reading[],
  { center, boxes, categoryIds }: Area,
  count: number,
): Promise<Answers[]> {
  const only = [cellsOf(boxes), categoryIds && lexemes("#", categoryIds)].filter(Boolean);
  const { rows } = await pool.query<VenueRow & { reading: number; answers: number }>({
    name: "venues-reading",
    // Materializing `hits` makes the planner use the index whatever the limit; only `few` rows are read.
    text: `SELECT r.number::int - 1 AS reading, found.answers::int, ${VENUE_COLUMNS}
             FROM unnest($1::text[]) WITH ORDINALITY AS r(query, number) CROSS JOIN LATERAL (
                  WITH hits AS MATERIALIZED (
                         SELECT v.id, v.point FROM directory.venue v WHERE ${VENUE_WORDS} @@ r.query::tsquery),
                       few AS MATERIALIZED (SELECT * FROM hits LIMIT ${FEW + 1})
                  SELECT (SELECT count(*) FROM few) AS answers,
                         ARRAY (SELECT few.id FROM few WHERE EXISTS (SELECT FROM unnest($2::box[]) box WHERE few.point <@ box)
                                 ORDER BY few.point <-> $3::point, few.id LIMIT $4) AS ids) found
             LEFT JOIN directory.venue v ON v.id = ANY (found.ids)`,
    values: [
      readings.map(({ query }) => [query, ...only].join(" & ")),
      boxArray(boxes ?? [EVERYWHERE]),
      formatPoint(center),
      count,
    ],
  });
  return readings.map((_, number) => {
    const own = rows.filter(({ reading }) => reading === number);
    return { venues: own.filter(({ id }) => id !== null), hasMore: (own[0]?.answers ?? 0) > FEW };
  });
}

export async function venuesAnywhere(
  pool: Pool,
  term: string,
  readings: readonly Reading[],
  categoryIds: readonly string[] | undefined,
  count: number,
): Promise<VenueRow[]> {
  const only = categoryIds ? [lexemes("#", categoryIds)] : [];
  const { rows } = await pool.query<VenueRow>({
    name: "venues-anywhere",
    text: `SELECT ${VENUE_COLUMNS}
             FROM unnest($1::text[]) AS r(query) CROSS JOIN LATERAL (
                  WITH hits AS MATERIALIZED (SELECT v.id, v.name_norm, v.checkins_count FROM directory.venue v WHERE ${VENUE_WORDS} @@ r.query::tsquery),
                       few AS MATERIALIZED (SELECT * FROM hits LIMIT ${FEW})
                  SELECT few.id FROM few
                   ORDER BY few.name_norm <> $2, NOT starts_with(few.name_norm, $2), length(few.name_norm), few.checkins_count DESC, few.id
                   LIMIT $3) found
             JOIN directory.venue v ON v.id = found.id`,
    values: [readings.map(({ query }) => [query, ...only].join(" & ")), term, count],
  });
  return rows;
}

/** For words so common that they are found quickly. */
export async function nearestCalled(
  pool: Pool,
  words: readonly string[],
  { center, boxes, categoryIds }: Area,
  count: number,
): Promise<VenueRow[]> {
  const [longest = "", ...others] = words.toSorted((a, b) => b.length - a.length).map((word) => `%${word}%`);
  const { rows } = await pool.query<VenueRow>({
    name: "nearest-called",
    text: `SELECT ${VENUE_COLUMNS}
             FROM unnest($3::box[]) box CROSS JOIN LATERAL (
                  SELECT * FROM directory.venue n
                   WHERE n.name_norm LIKE $1 AND n.name_norm LIKE ALL ($2::text[]) AND n.point <@ box
                     AND ($5::text[] IS NULL OR n.category_id = ANY ($5))
                   ORDER BY n.point <-> $4::point LIMIT $6) v`,
    values: [longest, others, boxArray(boxes ?? [EVERYWHERE]), formatPoint(center), categoryIds ?? null, count],
  });
  return rows;
}

/** For categories common among the nearest REACH venues. */
export async function nearestOfKind(
  pool: Pool,
  ids: ReadonlySet<string>,
  { center, boxes, categoryIds }: Area,
  count: number,
): Promise<VenueRow[]> {
  const { rows } = await pool.query<VenueRow>({
    name: "nearest-of-kind",
    text: `SELECT ${VENUE_COLUMNS}
             FROM unnest($2::box[]) box CROSS JOIN LATERAL (
                  SELECT * FROM directory.venue n WHERE n.point <@ box ORDER BY n.point <-> $3::point LIMIT ${REACH}) v
            WHERE v.category_id = ANY ($1::text[]) LIMIT $4`,
    values: [
      [...ids].filter((id) => categoryIds?.includes(id) ?? true),
      boxArray(boxes ?? [EVERYWHERE]),
      formatPoint(center),
      count,
    ],
  });
  return rows;
}

/** Small cells if there are few, otherwise large ones, otherwise none. */
function cellsOf(boxes: readonly string[] = []): string | undefined {
  for (const { mark, perDegree, most } of CELLS) {
    const cells = boxes.flatMap((box) => cellsIn(box, perDegree, most));
    if (cells.length > 0 && cells.length <= most) return lexemes(mark, cells);
  }
  return undefined;
}

function cellsIn(box: string, perDegree: number, most: number): string[] {
  const corners = (box.match(/-?[\d.]+(e-?\d+)?/g) ?? []).map((degrees) => Math.floor(Number(degrees) * perDegree));
  const [east = 0, north = 0, west = 0, south = 0] = corners;
  if ((east - west + 1) * (north - south + 1) > most) return Array<string>(most + 1);
  const cells: string[] = [];
  for (let x = west; x <= east; x++) for (let y = south; y <= north; y++) cells.push(`${x},${y}`);
  return cells;
}

/** Without values, matches nothing. */
const lexemes = (mark: string, values: readonly string[]): string =>
  values.length === 0 ? "'-'" : `(${values.map((value) => `'${mark}${value}'`).join(" | ")})`;
