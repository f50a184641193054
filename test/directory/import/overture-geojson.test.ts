import path from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { importRelease } from "../../../src/directory/import/release/import-release.ts";
import { importing } from "./importing.ts";

const { database, folder, write, run } = await importing();

/** Of this many places every field takes each of its values, in combinations that do not repeat. */
const COUNT = 84;
const pick = <T>(n: number, ...values: T[]): T => values[n % values.length] as T;

/** A place as the release has it, with every field of its schema that an import reads, and some that it does not. */
function placeOf(n: number) {
  const name = pick(n, `Café ${n}`, `Μουσείο ${n}`, `"Bar"; ${n}, Ltd`, `カフェ ${n}`);
  const rule = (variant: string, value: string) => ({ variant, language: null, value, side: null });
  const address = {
    freeform: pick(n, `${n} Main St`, "Rue de l'Église 5; 2", null),
    locality: pick(n, "Orrin", "Saint-Élie", null),
    postcode: pick(n, "04097", "75011", null),
    region: pick(n, "ME", "US-ME", null),
    country: pick(n, "US", "FR"),
  };
  const second = { freeform: "9 Other Rd", locality: "Elsewhere", postcode: null, region: null, country: "CA" };
  return {
    id: `08f1-${n}`,
    version: 1,
    lng: -68.4 - n / 1000,
    lat: 47.4 + n / 3000,
    names: {
      primary: name,
      common: pick<Record<string, string> | null>(
        n,
        null,
        {},
        { en: `Coffee ${n}` },
        { en: `A ${n}`, "zh-Hant": "咖" },
      ),
      rules: pick(n, null, [rule("alternate", `Alt ${n}`)], [rule("official", `O ${n}`), rule("short", `S ${n}`)]),
    },
    categories: pick(
      n,
      { primary: "bakery", alternate: ["cafe"] },
      { primary: "no_such", alternate: ["museum"] },
      null,
      { primary: "no_such", alternate: null },
    ),
    taxonomy: pick(
      n,
      null,
      { primary: "museum", hierarchy: ["arts", "museum"], alternates: null },
      { primary: "no_such_thing", hierarchy: ["eat_and_drink", "restaurant", "no_such_thing"], alternates: ["cafe"] },
    ),
    basic_category: pick(n, "bakery", null),
    confidence: 0.5 + (n % 50) / 100,
    operating_status: pick(n, "open", "temporarily_closed", null, "open", "permanently_closed"),
    websites: pick(n, null, ["https://a.example/"], ["https://b.example/", "https://c.example/"]),
    socials: pick(n, null, ["https://social.example/1"]),
    emails: pick(n, null, ["x@a.example"]),
    phones: pick(n, null, ["+12075550102"], ["+12075550103", "+12075550104", "+12075550105"]),
    brand: {
      wikidata: pick(n, "Q1", null),
      names: {
        primary: pick(n, null, "Brandt"),
        common: pick<Record<string, string> | null>(n, null, { en: "Brand" }),
      },
    },
    addresses: pick(n, [address], [address, second], [address], n % 2 ? [address] : null),
    sources: [
      {
        property: "",
        dataset: pick(n, "meta", "Microsoft", "Foursquare", "AllThePlaces", "New one"),
        license: pick(n, "CDLA-Permissive-2.0", null, "Apache-2.0", "CC-BY-4.0", "Our own terms", "ODbL-1.0", null),
        record_id: String(n),
        update_time: "2026-11-01T00:00:00Z",
        confidence: 0.9,
        between: null,
      },
      ...pick(n, [], [{ property: "/properties/confidence", dataset: "Overture", license: "CC0-1.0" }]),
    ],
  };
}

const places = Array.from({ length: COUNT }, (_, n) => placeOf(n));

/** As `overturemaps download -f geojson` writes: no nulls at the top, no bbox, maps as lists of pairs. */
const features = places.map(({ lng, lat, names, brand, ...rest }) => {
  const pairs = (map: Record<string, string> | null) => map && Object.entries(map);
  const brandNames = { ...brand.names, common: pairs(brand.names.common) };
  const all = { ...rest, names: { ...names, common: pairs(names.common) }, brand: { ...brand, names: brandNames } };
  const properties = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  return JSON.stringify({ type: "Feature", geometry: { type: "Point", coordinates: [lng, lat] }, properties });
});
const collection = `{"type": "FeatureCollection", "features": [\n${features.join(",\n")}]}`;

async function parquet(): Promise<string> {
  const rows = write("places.ndjson", places.map((place) => JSON.stringify(place)).join("\n"));
  const file = path.join(folder, "places.parquet");
  const names = `STRUCT("primary" VARCHAR, common MAP(VARCHAR, VARCHAR)`;
  const columns = {
    ...{ id: "VARCHAR", version: "INT", lng: "DOUBLE", lat: "DOUBLE", confidence: "DOUBLE" },
    ...{ operating_status: "VARCHAR", basic_category: "VARCHAR", websites: "VARCHAR[]", socials: "VARCHAR[]" },
    ...{ emails: "VARCHAR[]", phones: "VARCHAR[]", brand: `STRUCT(wikidata VARCHAR, names ${names}))` },
    names: `${names}, rules STRUCT(variant VARCHAR, language VARCHAR, value VARCHAR, side VARCHAR)[])`,
    categories: `STRUCT("primary" VARCHAR, alternate VARCHAR[])`,
    taxonomy: `STRUCT("primary" VARCHAR, hierarchy VARCHAR[], alternates VARCHAR[])`,
    addresses: "STRUCT(freeform VARCHAR, locality VARCHAR, postcode VARCHAR, region VARCHAR, country VARCHAR)[]",
    sources: `STRUCT(property VARCHAR, dataset VARCHAR, license VARCHAR, record_id VARCHAR, update_time VARCHAR,
                     confidence DOUBLE, between DOUBLE[])[]`,
  };
  const typed = Object.entries(columns).map(([name, type]) => `${name}: '${type}'`);
  const point = "'\\x00\\x00\\x00\\x00\\x01'::blob || lng::bit::blob || lat::bit::blob";
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(`COPY (SELECT * EXCLUDE (lng, lat), ${point} AS geometry
      FROM read_json('${rows}', format = 'newline_delimited', columns = {${typed.join()}})) TO '${file}' (FORMAT parquet)`);
  return file;
}

async function stored() {
  const { rows } = await database.pool.query(
    `SELECT s.release, s.dataset, s.attribution, s.licence, s.url AS licence_url, v.*
       FROM directory.venue v LEFT JOIN directory.source s ON s.id = v.source_id ORDER BY v.id`,
  );
  return rows.map(({ source_id: _, created_at: __, ...row }) => row);
}

const forms = [
  ["places.geojson", collection],
  ["places.geojsonseq", `${features.join("\n")}\n`],
  ["places.geojson.gz", gzipSync(collection)],
] as const;

test("F126: the GeoJSON of Overture's own tool gives each place, and the source and licence of each row, as its Parquet does", async () => {
  const { unmapped } = await importRelease({
    ...database,
    path: await parquet(),
    extent: {},
    replace: false,
    manyClosed: false,
  });
  const asParquet = await stored();
  expect(new Set(asParquet.map(({ dataset, licence }) => `${dataset} ${licence}`)).size).toBeGreaterThan(10);
  for (const [name, content] of forms) {
    const result = await run(write(name, content), { replace: true });
    expect({ name, problems: result.problems, leftOut: result.leftOut }).toEqual({
      ...{ name, problems: [], leftOut: { category: unmapped.places } },
    });
    expect(await stored()).toEqual(asParquet);
  }
  expect(await run(write(...forms[0]))).toMatchObject({ imported: 0, updated: 0, unchanged: asParquet.length });
});
