import type { Pool } from "pg";
import { boxArray, EVERYWHERE, formatPoint } from "../mercator.ts";
import type { Area } from "../nearest.ts";
import { VENUE_COLUMNS, type VenueRow } from "../rows.ts";
import type { Reading } from "./readings.ts";

/** Venues looked at for a reading. Of one that more answer, the nearest are found in another way. */
const FEW = 1_000;

/** Venues around the centre that are looked through for a kind of place. */
const REACH = 20_000;

/** The two sizes of cells that the index knows, by how many a degree of the map has, and how many are worth asking for. */
const CELLS = [
  { mark: "~", perDegree: 5, most: 25 },
  { mark: "^", perDegree: 1, most: 150 },
];

/** What is in the index of a venue's words; the same expression as in the migration. */
const VENUE_WORDS =
  "directory.venue_words(v.name_norm, v.address, v.cross_street, v.city, v.state, v.zip, v.category_id, v.point)";

/** What a reading found. */
export interface Answers {
  venues: VenueRow[];
  /** Whether there are more than were read, so that the venues need not be the nearest. */
  hasMore: boolean;
}

/**
 * For each reading the `count` nearest of the first FEW venues that the index finds in the area's cells. However many
 * venues hold a word, no more than FEW are read.
 */
export async function venuesReading(
  pool: Pool,
  readings: readonly Reading[],
  { center, boxes, categoryIds }: Area,
  count: number,
): Promise<Answers[]> {
  const only = [cellsOf(boxes), categoryIds && lexemes("#", categoryIds)].filter(Boolean);
  const { rows } = await pool.query<VenueRow & { reading: number; answers: number }>({
    name: "venues-reading",
    // The hits are planned as if all were wanted, so by the index whatever the limit, and read only as far as the limit.
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

/** The venues of the whole directory that answer the readings, for each those first that are named like the term. */
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

/** The nearest venues with all these words in their names: for words that so many names hold that they are soon found. */
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

/** The nearest venues of some categories, which are common here: of the nearest REACH venues those that are. */
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

/** The cells of the index that the boxes touch: small ones where they are few, else large ones, or none where those are too many. */
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

/** Any of the lexemes; of none, one that no venue has. */
const lexemes = (mark: string, values: readonly string[]): string =>
  values.length === 0 ? "'-'" : `(${values.map((value) => `'${mark}${value}'`).join(" | ")})`;
