import { writeFileSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import foursquare from "../../prisma/category-maps/foursquare.json" with { type: "json" };
import overture from "../../prisma/category-maps/overture.json" with { type: "json" };
import { allCategories } from "../../src/directory/categories/tree.ts";

export type ReleaseName = "overture" | "foursquare";

/** Of a thousand places in the next edition. */
export const PER_THOUSAND = { changed: 10, moved: 10, new: 10, closed: 4, removed: 1, merged: 2 } as const;

export interface MadeRelease {
  file: string;
  /** Ids that the next edition merged into others (CSV). */
  merged: string;
}

/**
 * Writes the places of a CSV, whole thousands, with the columns of `samespot import` in the published schema of a release. The next edition has them
 * with PER_THOUSAND differences, always the same ones.
 */
export async function writeRelease(
  name: ReleaseName,
  csv: string,
  { folder, isNext = false, groupRows = 50_000 }: { folder: string; isNext?: boolean; groupRows?: number },
): Promise<MadeRelease> {
  const file = path.join(folder, `${name}-${isNext ? "next" : "first"}.parquet`);
  const merged = path.join(folder, `${name}-merged.csv`);
  const codes = path.join(folder, `${name}-codes.csv`);
  writeFileSync(codes, codesOf(name === "overture" ? overture.categories : foursquare.categories));
  const instance = await DuckDBInstance.create(":memory:");
  const database = await instance.connect();
  await database.run(PLACES(csv, codes, ID[name]));
  const select = isNext ? NEXT : "SELECT * FROM place";
  await database.run(`COPY (WITH edition AS (${select}) ${SCHEMA[name]} FROM edition ORDER BY n)
    TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${groupRows})`);
  await database.run(`COPY (SELECT o.id, i.id AS merged_into FROM place o JOIN place i ON i.n = o.n + 500
                             WHERE o.n % 1000 IN (25, 26)) TO '${merged}' (HEADER)`);
  database.closeSync();
  return { file, merged };
}

/** A code of the release for each of our categories. */
function codesOf(map: Record<string, string | null>): string {
  const lines = allCategories.flatMap(({ id, name }) => {
    const code = Object.keys(map).find((each) => map[each] === name);
    return code === undefined ? [] : `${id},"${code}"\n`;
  });
  return `id,code\n${lines.join("")}`;
}

const ID = {
  overture: "CAST(md5(v.id) AS UUID)::text",
  foursquare: "left(md5(v.id), 24)",
};

const PLACES = (csv: string, codes: string, id: string) => `CREATE TABLE place AS
  SELECT row_number() OVER () - 1 AS n, ${id} AS id, v.name, v.lat::double AS lat, v.lng::double AS lng,
         v.address, v.city, v.state, v.zip, v.country, v.phone, v.url, c.code, false AS closed
    FROM read_csv('${csv}', header = true, all_varchar = true, parallel = false) v
    LEFT JOIN read_csv('${codes}', header = true, all_varchar = true) c ON c.id = v.category`;

const NEXT = `
  SELECT * REPLACE (
           CASE WHEN n % 1000 < 10 THEN '+1401' || lpad((n % 10000000)::text, 7, '0') ELSE phone END AS phone,
           CASE WHEN n % 1000 BETWEEN 10 AND 19 THEN lat + 0.001 ELSE lat END AS lat,
           n % 1000 BETWEEN 20 AND 23 AS closed)
    FROM place WHERE n % 1000 NOT IN (24, 25, 26)
  UNION ALL
  SELECT * REPLACE (CASE WHEN length(id) = 24 THEN left(md5('new ' || id), 24) ELSE CAST(md5('new ' || id) AS UUID)::text END AS id,
                    'New ' || name AS name, lng + 0.001 AS lng)
    FROM place WHERE n % 1000 BETWEEN 30 AND 39`;

const BOX = "{'xmin': lng::float, 'xmax': lng::float, 'ymin': lat::float, 'ymax': lat::float} AS bbox";
/** Big-endian, as PostGIS and DuckDB also write it. */
const POINT = "'\\x00\\x00\\x00\\x00\\x01'::blob || lng::bit::blob || lat::bit::blob";
const NO_NAMES = "NULL::struct(variant varchar, language varchar, value varchar, side varchar)[]";

const SCHEMA = {
  overture: `SELECT id, ${POINT} AS geometry, ${BOX}, 1::int AS version,
      [{'property': '', 'dataset': CASE WHEN n % 10 < 9 THEN 'meta' ELSE 'Microsoft' END, 'license': 'CDLA-Permissive-2.0',
        'record_id': n::text, 'update_time': '2026-11-01T00:00:00Z', 'confidence': 0.9::double}] AS sources,
      {'primary': name, 'common': map {'en': name}, 'rules': ${NO_NAMES}} AS names,
      {'primary': code, 'alternate': NULL::varchar[]} AS categories, code AS basic_category,
      {'primary': code, 'hierarchy': [code], 'alternates': NULL::varchar[]} AS taxonomy,
      CASE WHEN closed THEN 0 ELSE 0.5 + (n % 50) / 100 END::double AS confidence,
      CASE WHEN closed THEN 'permanently_closed' ELSE 'open' END AS operating_status,
      CASE WHEN url <> '' THEN [url] END AS websites, NULL::varchar[] AS socials, NULL::varchar[] AS emails,
      CASE WHEN phone <> '' THEN [phone] END AS phones,
      {'wikidata': NULL::varchar, 'names': {'primary': NULL::varchar, 'common': NULL::map(varchar, varchar), 'rules': ${NO_NAMES}}} AS brand,
      [{'freeform': address, 'locality': city, 'postcode': zip, 'region': state, 'country': country}] AS addresses`,
  foursquare: `SELECT id AS fsq_place_id, name, lat AS latitude, lng AS longitude, address, city AS locality, state AS region,
      zip AS postcode, NULL::varchar AS admin_region, NULL::varchar AS post_town, NULL::varchar AS po_box, country,
      '2010-01-21' AS date_created, '2026-11-02' AS date_refreshed, CASE WHEN closed THEN '2026-11-01' END AS date_closed,
      phone AS tel, url AS website, NULL::varchar AS email, NULL::bigint AS facebook_id, NULL::varchar AS instagram,
      NULL::varchar AS twitter, NULL::varchar[] AS fsq_category_ids, CASE WHEN code IS NOT NULL THEN [code] END AS fsq_category_labels,
      'https://foursquare.com/placemakers/review-place/' || id AS placemaker_url, NULL::varchar[] AS unresolved_flags,
      ${POINT} AS geom, ${BOX}`,
};
