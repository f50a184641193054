// A peer for whole files, as a data engineer writes it in ten minutes: DuckDB joins each listing to the venues of its cell of a grid
// and of the eight around it, and takes the best by name, distance, telephone number and address. Arguments: venues.csv,
// listings.csv (with the right venue in `truth`), folder for what does not fit into memory. Prints JSON.
import { DuckDBInstance } from "@duckdb/node-api";
import { peakMegabytes } from "./processes.ts";

const [venues, listings, folder = ""] = process.argv.slice(2);
const COMPARED = `lower(name) AS name, lat::double AS lat, lng::double AS lng, lower(coalesce(address, '')) AS address,
  regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g') AS phone, floor(lat::double / 0.0018)::int AS y, floor(lng::double / 0.0024)::int AS x`;
const read = (file = "") => `read_csv('${file}', all_varchar = true, header = true)`;

const instance = await DuckDBInstance.create(":memory:", { temp_directory: folder });
const database = await instance.connect();
const before = process.cpuUsage();
const begun = performance.now();
await database.run(`CREATE TABLE venue AS SELECT id, ${COMPARED} FROM ${read(venues)}`);
await database.run(`CREATE TABLE listing AS SELECT id, truth, ${COMPARED} FROM ${read(listings)}`);
const haveRead = performance.now();
await database.run(`CREATE TABLE pair AS
  WITH spread AS (SELECT l.*, y + dy AS near_y, x + dx AS near_x
                    FROM listing l, (SELECT unnest([-1, 0, 1]) AS dy), (SELECT unnest([-1, 0, 1]) AS dx))
  SELECT l.id, l.truth, v.id AS venue_id, jaro_winkler_similarity(l.name, v.name) AS alike,
         111320 * sqrt(pow(l.lat - v.lat, 2) + pow((l.lng - v.lng) * cos(radians(l.lat)), 2)) AS metres,
         l.phone <> '' AND l.phone = v.phone AS has_phone, l.address <> '' AND l.address = v.address AS has_address
    FROM spread l JOIN venue v ON v.y = l.near_y AND v.x = l.near_x`);
const result = await database.runAndReadAll(`
  WITH best AS (
    SELECT any_value(truth) AS truth,
           arg_max(venue_id, 3 * alike - metres / 300 + 2 * has_phone::int + has_address::int) AS venue_id
      FROM pair GROUP BY id)
  SELECT count(*)::int AS answered, coalesce(sum((venue_id = truth)::int), 0)::int AS right,
         (SELECT count(*)::int FROM listing) AS listings
    FROM best`);
const [found] = result.getRowObjectsJS();
const { user, system } = process.cpuUsage(before);
const seconds = { reading: (haveRead - begun) / 1000, matching: (performance.now() - haveRead) / 1000 };
console.log(
  JSON.stringify({ ...found, ...seconds, cpuMs: (user + system) / 1000, megabytes: peakMegabytes(process.pid) }),
);
