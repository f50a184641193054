import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { importVenues } from "../../../src/directory/import/import-venues.ts";
import { mergeVenues } from "../../../src/directory/import/release/edition.ts";
import { importRelease } from "../../../src/directory/import/release/import-release.ts";
import { otherNamesOf } from "../../../src/directory/venues/other-names.ts";
import { randomId } from "../../../src/shared/crypto.ts";
import { importing } from "./importing.ts";

const { database, folder, write, run, venues } = await importing();

const namesStored = async () =>
  (await venues()).map(({ name, other_names: others, other_names_norm: norm }) => ({ name, others, norm }));

const collection = (properties: object) =>
  JSON.stringify({
    type: "FeatureCollection",
    features: [{ type: "Feature", id: "n1", geometry: { type: "Point", coordinates: [23.73, 37.97] }, properties }],
  });
const overture = {
  confidence: 0.9,
  names: {
    primary: "Μουσείο Ακρόπολης",
    common: { en: "Acropolis Museum", "zh-Hant": "衛城博物館" },
    rules: [
      { variant: "alternate", value: "New Acropolis Museum" },
      { variant: "short", value: "Museum A" },
      { variant: "official", language: "el", value: "Νέο Μουσείο" },
    ],
  },
  brand: { names: { primary: "Museums of Greece" } },
};
const osm = {
  name: "Μουσείο Ακρόπολης",
  "name:en": "Acropolis Museum",
  "name:zh-Hant": "衛城博物館",
  "name:etymology": "Nobody",
  "name:left": "Nobody",
  alt_name: "New Acropolis Museum;  ",
  short_name: "Museum A",
  official_name: "Νέο Μουσείο",
  brand: "Museums of Greece",
  "brand:wikidata": "Q1",
};
const ALL = [
  { kind: "common:en", name: "Acropolis Museum" },
  { kind: "official", name: "Νέο Μουσείο" },
  { kind: "alternate", name: "New Acropolis Museum" },
  { kind: "common:zh-Hant", name: "衛城博物館" },
  { kind: "short", name: "Museum A" },
  { kind: "brand", name: "Museums of Greece" },
];

describe("the other names of a venue are read", () => {
  test.each([
    ["of Overture's GeoJSON", "overture.geojson", collection(overture)],
    ["of OpenStreetMap's tags", "osm.geojson", collection(osm)],
  ])("from %s, the most useful first", async (_, name, content) => {
    expect(await run(write(name, content))).toMatchObject({ imported: 1 });
    const [stored] = await namesStored();
    expect(stored).toEqual({
      name: "Μουσείο Ακρόπολης",
      others: ALL,
      norm: "acropolis museum|νεο μουσειο|new acropolis museum|衛城博物館|museum a|museums of greece",
    });
  });

  test.each([
    ["alt_name", "alternate"],
    ["alt_name:fr", "alternate"],
    ["int_name", "alternate"],
    ["aka", "alternate"],
    ["Also known as", "alternate"],
    ["Other names", "alternate"],
    ["aliases", "alternate"],
    ["name:pt-BR", "common:pt-BR"],
    ["name_fr", "common:fr"],
    ["names.common.fr", "common:fr"],
    ["English name", "common:en"],
    ["old_name", "old"],
    ["Former name", "old"],
    ["official_name:de", "official"],
    ["short_name", "short"],
    ["brand", "brand"],
  ])("from a column %s, several divided by semicolons", async (column, kind) => {
    const file = write(`names.csv`, `id,name,lat,lng,"${column}"\n1,Eins,41,-71,Uno; Ein;UNO;;eins\n2,Zwei,41,-71,\n`);
    expect(await run(file)).toMatchObject({ imported: 2, unused: {} });
    expect((await namesStored()).map(({ others }) => others)).toEqual([
      [
        { kind, name: "Uno" },
        { kind, name: "Ein" },
      ],
      null,
    ]);
  });

  test("from cells that hold JSON", async () => {
    const cell = (value: object) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
    const [common, rules] = [cell(overture.names.common), cell(overture.names.rules)];
    await run(write("json.csv", `id,name,lat,lng,names.common,names.rules\n1,Μουσείο,41,-71,${common},${rules}\n`));
    expect((await namesStored())[0]?.others).toEqual(ALL.slice(0, -1));
  });
});

test("C92: an edition with the same names writes nothing; one without a name deletes it", async () => {
  const file = (...names: string[]) =>
    write("edition.csv", `id,name,lat,lng,alt_name\n1,Eins,41,-71,${names.join(";")}\n`);
  await run(file("Uno", "Un"));
  expect(await run(file("Uno", "Un"))).toMatchObject({ unchanged: 1, updated: 0 });
  expect(await run(file("Un"))).toMatchObject({ unchanged: 0, updated: 1 });
  expect(await namesStored()).toMatchObject([{ others: [{ name: "Un" }], norm: "un" }]);
  expect(await run(file())).toMatchObject({ updated: 1 });
  expect(await namesStored()).toMatchObject([{ others: null, norm: null }]);
});

test("a place of world renown keeps forty names at most, of which none is its own or twice", () => {
  const kinds = ["common:el", "brand", "old", "common:en", "alternate", "official", "short"];
  const given = Array.from({ length: 400 }, (_, at) => ({ kind: kinds[at % 7] ?? "", name: `Name ${at % 130}` }));
  const kept = otherNamesOf("NAME 3", [...given, { kind: "alternate", name: "…" }]) ?? [];
  expect(kept.length).toBe(40);
  expect(new Set(kept.map(({ name }) => name)).size).toBe(40);
  expect(kept.map(({ name }) => name)).not.toContain("Name 3");
  expect(kept[0]?.kind).toBe("common:en");
});

test("a place that is closed for a time stays open, and says so", async () => {
  const file = write("away.csv", "id,name,lat,lng,operating_status\n1,A,41,-71,temporarily_closed\n2,B,41,-71,open\n");
  expect(await importVenues({ ...database, file, keepIds: false, replace: false })).toMatchObject({ imported: 2 });
  expect((await venues()).map((row) => [row.temporarily_closed, row.closed_at])).toEqual([
    [true, null],
    [null, null],
  ]);
});

describe("of a release", () => {
  const NONE = "NULL::struct(variant varchar, language varchar, value varchar)[]";
  const rule = (kind: string, name: string) => `{'variant': '${kind}', 'language': NULL, 'value': '${name}'}`;
  interface Row {
    id: string;
    name?: string;
    common?: string;
    rules?: string[];
    phones?: string;
    brand?: string;
    source?: [dataset: string, licence: string];
  }
  const META: [string, string] = ["meta", "'CDLA-Permissive-2.0'"];
  const selectOf = (row: Row) => {
    const { id, name = "Αλφα", common = "map {}", rules = [], phones = "NULL", brand = "NULL" } = row;
    const [dataset, licence] = row.source ?? META;
    return `
    SELECT '${id}' AS id, '\\x00\\x00\\x00\\x00\\x01'::blob || 23.7::double::bit::blob || 37.9::double::bit::blob AS geometry,
           {'primary': '${name}', 'common': ${common}::map(varchar, varchar), 'rules': ${rules.length ? `[${rules.join()}]` : NONE}} AS names,
           0.9::double AS confidence, 'temporarily_closed' AS operating_status, ${phones}::varchar[] AS phones,
           {'names': {'primary': ${brand}::varchar, 'common': NULL::map(varchar, varchar)}} AS brand,
           [{'dataset': '${dataset}', 'license': ${licence}::varchar}] AS sources`;
  };

  async function edition(...places: Row[]) {
    const file = path.join(folder, `overture-${randomId()}.parquet`);
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run(`COPY (${places.map(selectOf).join(" UNION ALL ")}) TO '${file}' (FORMAT parquet)`);
    return importRelease({ ...database, path: file, extent: {}, replace: false, manyClosed: true });
  }

  test("the languages, rules and brands of Overture's Parquet are read, and a second phone", async () => {
    const common = "map {'en': 'Alpha', 'fr': 'Alphe'}";
    const rules = [rule("alternate", "Alfa"), rule("official", "Alpha SA"), rule("short", "A")];
    await edition({ id: "a", common, rules, phones: "['+30 210 5550101', '+30 210 5550102']", brand: "'Alphas'" });
    expect(await venues()).toMatchObject([
      {
        other_names: [
          { kind: "common:en", name: "Alpha" },
          { kind: "official", name: "Alpha SA" },
          { kind: "alternate", name: "Alfa" },
          { kind: "common:fr", name: "Alphe" },
          { kind: "short", name: "A" },
          { kind: "brand", name: "Alphas" },
        ],
        phone: "+30 210 5550101; +30 210 5550102",
        temporarily_closed: true,
      },
    ]);
  });

  test.each([
    ["meta", "NULL", "CDLA-Permissive-2.0", "https://cdla.dev/permissive-2-0/"],
    ["meta", "'CDLA-Permissive-2.0'", "CDLA-Permissive-2.0", "https://cdla.dev/permissive-2-0/"],
    ["meta", "'ODbL-1.0'", "ODbL-1.0", "https://opendatacommons.org/licenses/odbl/1-0/"],
    ["AllThePlaces", "NULL", "CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"],
    ["AllThePlaces", "'CC-BY-SA-4.0'", "CC-BY-SA-4.0", "https://spdx.org/licenses/CC-BY-SA-4.0.html"],
    ["Foursquare", "NULL", "Apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0"],
    ["New one", "'Our own terms'", "Our own terms", null],
  ])("the licence of a row of %s that says %s is its own: %s, %s", async (dataset, given, licence, url) => {
    const others = [META, ["meta", "'CC-BY-4.0'"], [dataset, "'CC0-1.0'"]] as [string, string][];
    const rows = [...others, [dataset, given] as [string, string]];
    await edition(...rows.map((source, n) => ({ id: `row${n}`, source })));
    const { rows: sources } = await database.pool.query(
      `SELECT s.licence, s.url, s.attribution FROM directory.venue v JOIN directory.source s ON s.id = v.source_id ORDER BY v.id`,
    );
    const links = sources.map((source) => [source.licence, source.url]);
    expect(links).toEqual([
      ["CDLA-Permissive-2.0", "https://cdla.dev/permissive-2-0/"],
      ["CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"],
      ["CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"],
      [licence, url],
    ]);
    expect(sources[3]?.attribution.toLowerCase()).toContain(dataset.toLowerCase());
  });

  test("C92: a venue keeps the names of those that were merged into it, over editions that do not know of them", async () => {
    const kept = { id: "kept", common: "map {'en': 'Alpha'}" };
    await edition(kept, { id: "gone", name: "Βητα", rules: [rule("alternate", "ALPHA"), rule("official", "Beta")] });
    const client = await database.pool.connect();
    await mergeVenues(client, [{ id: "gone", into: "kept" }]);
    client.release();
    const merged = [
      { kind: "common:en", name: "Alpha" },
      { kind: "official", name: "Beta", merged: true },
      { kind: "alternate", name: "Βητα", merged: true },
    ];
    expect(await namesStored()).toMatchObject([{ others: merged, norm: "alpha|beta|βητα" }]);
    expect(await edition(kept)).toMatchObject({ unchanged: 1, changed: 0 });
    expect(await edition({ ...kept, common: "map {'en': 'Alfa'}" })).toMatchObject({ changed: 1 });
    expect(await namesStored()).toMatchObject([{ others: [{ name: "Alfa" }, ...merged.slice(1)] }]);
  });
});
