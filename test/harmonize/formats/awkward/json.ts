import type { AwkwardFile } from "./file.ts";

const JOE = { type: "Feature", properties: { id: 1, name: "Joe’s Pizza" } };
const ANN = { type: "Feature", properties: { id: 2, name: "Café Ann" } };
const POINT = { type: "Point", coordinates: [-71.4222, 41.8236] };
const SQUARE = {
  type: "Polygon",
  coordinates: [
    [
      [-72, 41],
      [-70, 41],
      [-70, 42],
      [-72, 42],
      [-72, 41],
    ],
  ],
};
const collection = (features: object[], more = {}) => ({ type: "FeatureCollection", ...more, features });

const geo = (what: string, value: object): AwkwardFile => ({
  what: `GeoJSON ${what}`,
  bytes: Buffer.from(JSON.stringify(value)),
});
const json = (what: string, ...texts: string[]): AwkwardFile => ({ what, bytes: Buffer.from(texts.join("\n")) });
const at = (name: string, more = "") => `{"name":"${name}","lat":41.8,"lng":-71.4${more}}`;

export const JSONS: AwkwardFile[] = [
  geo("with a polygon", collection([{ ...JOE, geometry: SQUARE }])),
  geo(
    "with null geometry",
    collection([
      { ...JOE, geometry: null },
      { ...ANN, geometry: POINT },
    ]),
  ),
  geo(
    "in Web Mercator metres, as it says",
    collection([{ ...JOE, geometry: { type: "Point", coordinates: [-7950682.935, 5134592.096] } }], {
      crs: { type: "name", properties: { name: "urn:ogc:def:crs:EPSG::3857" } },
    }),
  ),
  geo(
    "in the metres of a country's grid",
    collection([{ ...JOE, geometry: { type: "Point", coordinates: [389_812.4, 5_818_911.1] } }], {
      crs: { type: "name", properties: { name: "urn:ogc:def:crs:EPSG::25833" } },
    }),
  ),
  geo("of a single feature", { ...JOE, geometry: POINT }),
  geo(
    "with a collection of geometries",
    collection([{ ...JOE, geometry: { type: "GeometryCollection", geometries: [POINT, SQUARE] } }]),
  ),
  {
    what: "GeoJSON cut off in the middle",
    bytes: Buffer.from(
      JSON.stringify(collection([JOE, ANN].map((each) => ({ ...each, geometry: POINT })))).slice(0, -60),
    ),
  },
  json("NDJSON with a broken line", at("Joe"), '{"name":"Ann","lat":41.8,', at("Bob")),
  json(
    "NDJSON whose lines have different keys",
    at("Joe", ',"city":"Warwick"'),
    '{"Name":"Ann","zip":"02886"}',
    at("Bob"),
  ),
  json("NDJSON nested 12 levels deep", at("Joe", `,"a":${'{"a":'.repeat(11)}1${"}".repeat(11)}`), at("Ann")),
  json("NDJSON nested 100,000 levels deep", at("Joe", `,"a":${"[".repeat(1e5)}${"]".repeat(1e5)}`), at("Ann")),
  json("NDJSON with numbers that JavaScript rounds", at("Joe", ',"id":12345678901234567890'), at("Ann", ',"id":1e400')),
  json("JSON of names only", '["Joe’s Pizza","Café Ann"]'),
  json("JSON with the list inside an object", `{"status":"ok","data":[${at("Joe")},${at("Ann")}],"total":2}`),
  json(
    "JSON of OpenStreetMap's Overpass",
    '{"version":0.6,"elements":[{"type":"node","id":1,"lat":41.8,"lon":-71.4,"tags":{"name":"Joe","addr:city":"Warwick"}}]}',
  ),
  json(
    "JSON of Esri",
    '{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},"features":[{"attributes":{"NAME":"Joe"},"geometry":{"x":-71.4222,"y":41.8236}}]}',
  ),
  json(
    "TopoJSON",
    '{"type":"Topology","objects":{"places":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[-71.4,41.8],"properties":{"name":"Joe"}}]}},"arcs":[]}',
  ),
  json("JSON by column, as pandas writes it", '{"name":{"0":"Joe","1":"Ann"},"city":{"0":"Warwick","1":"Bern"}}'),
  json("JSON with NaN, as Python writes it", `[${at("Joe", ',"zip":NaN')},${at("Ann")}]`),
  json("JSON of an empty list", "[]"),
  json("JSON with a key twice", `[${at("Joe", ',"name":"Joe’s Pizza"')}]`),
];
