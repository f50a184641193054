/** The look of a file with the layers of Protomaps' basemap (version 4). Its venues are left out: those of the directory are shown. */

const LIGHT = {
  ...{ land: "#f4f1ea", park: "#d5e6c8", wood: "#c9dfbc", sand: "#efe6c8", built: "#eae6df", campus: "#ece5dc" },
  ...{ water: "#a9cfe3", building: "#e0dad0", outline: "#d0c8ba", border: "#a79cb0", rail: "#b9b2a8", path: "#cfc4b2" },
  ...{ edge: "#cfc7b8", street: "#ffffff", main: "#fff3c4", motorway: "#f8d58b", mainEdge: "#d9b96c" },
  ...{ text: "#4a4f49", place: "#2c302b", waterText: "#3c6c86", halo: "#fbfaf7" },
};
const DARK = {
  ...{ land: "#1a1f1e", park: "#1f2c22", wood: "#1d2a20", sand: "#2b2920", built: "#202524", campus: "#23282a" },
  ...{ water: "#15303d", building: "#252b2a", outline: "#303736", border: "#6d6577", rail: "#3b4241", path: "#353c3a" },
  ...{ edge: "#121514", street: "#3d4644", main: "#4f574f", motorway: "#66603f", mainEdge: "#171a18" },
  ...{ text: "#b9c1bd", place: "#dde3e0", waterText: "#86b4cc", halo: "#1a1f1e" },
};
const WOODS = ["wood", "forest", "scrub", "nature_reserve", "national_park"];
const PARKS = [
  "park",
  "grass",
  "grassland",
  "meadow",
  "garden",
  "golf_course",
  "cemetery",
  "pitch",
  "recreation_ground",
];
const BUILT = ["industrial", "commercial", "railway", "aerodrome", "military", "runway"];
const CAMPUS = ["hospital", "school", "university", "college", "kindergarten"];

/** Takes the address of the source and the language of the page, whose names are used where the file has them. */
export function styleOf({ source, dark, language }) {
  const colours = dark ? DARK : LIGHT;
  const name = ["coalesce", ["get", `name:${language.split("-")[0]}`], ["get", "name"]];
  return {
    version: 8,
    sources: { base: { type: "vector", url: source } },
    layers: [...ground(colours), ...roads(colours), ...names(colours, name)],
  };
}

const layer = (id, type, from, more) => ({ id, type, source: "base", "source-layer": from, ...more });
const fill = (id, from, kinds, colour) =>
  layer(id, "fill", from, { filter: kind(...kinds), paint: { "fill-color": colour } });
const kind = (...kinds) => ["in", ["get", "kind"], ["literal", kinds]];
const shape = (type) => ["in", ["geometry-type"], ["literal", [type, `Multi${type}`]]];
const widths = (...stops) => ["interpolate", ["exponential", 1.6], ["zoom"], ...stops];

function ground(colours) {
  return [
    { id: "land", type: "background", paint: { "background-color": colours.land } },
    fill("forests", "landcover", ["forest", "scrub"], colours.wood),
    fill("woods", "landuse", WOODS, colours.wood),
    fill("built", "landuse", BUILT, colours.built),
    fill("campus", "landuse", CAMPUS, colours.campus),
    fill("parks", "landuse", PARKS, colours.park),
    fill("sand", "landuse", ["beach", "sand"], colours.sand),
    layer("water", "fill", "water", {
      filter: shape("Polygon"),
      paint: { "fill-color": colours.water },
    }),
    layer("rivers", "line", "water", {
      filter: shape("LineString"),
      paint: { "line-color": colours.water, "line-width": widths(9, 0.5, 18, 10) },
    }),
    layer("buildings", "fill", "buildings", {
      filter: kind("building", "building_part"),
      minzoom: 14,
      paint: { "fill-color": colours.building, "fill-outline-color": colours.outline },
    }),
    layer("borders", "line", "boundaries", {
      filter: kind("country", "region"),
      paint: { "line-color": colours.border, "line-width": 1, "line-dasharray": [3, 2] },
    }),
  ];
}

function roads(colours) {
  const round = { "line-cap": "round", "line-join": "round" };
  const road = (id, kinds, colour, width, more) =>
    layer(id, "line", "roads", {
      filter: kind(...kinds),
      layout: round,
      paint: { "line-color": colour, "line-width": width },
      ...more,
    });
  const [minor, major, highway] = [["minor_road", "other"], ["major_road"], ["highway"]];
  return [
    road("paths", ["path"], colours.path, widths(14, 0.6, 18, 3), { minzoom: 14 }),
    road("rails", ["rail"], colours.rail, widths(10, 0.6, 18, 3)),
    road("minor-edge", minor, colours.edge, widths(11, 0.5, 14, 3, 18, 17), { minzoom: 12 }),
    road("major-edge", major, colours.mainEdge, widths(7, 0.8, 14, 6, 18, 24)),
    road("highway-edge", highway, colours.mainEdge, widths(5, 1, 14, 8, 18, 28)),
    road("minor", minor, colours.street, widths(11, 0.2, 14, 1.8, 18, 15), { minzoom: 12 }),
    road("major", major, colours.main, widths(7, 0.4, 14, 4.5, 18, 21)),
    road("highway", highway, colours.motorway, widths(5, 0.6, 14, 6, 18, 25)),
  ];
}

function names(colours, name) {
  const text = (id, from, size, colour, { layout, ...more }) =>
    layer(id, "symbol", from, {
      layout: { "text-field": name, "text-font": ["system-ui", "sans-serif"], "text-size": size, ...layout },
      paint: { "text-color": colour, "text-halo-color": colours.halo, "text-halo-width": 1.6 },
      ...more,
    });
  const along = { "symbol-placement": "line", "symbol-spacing": 300 };
  const important = { "symbol-sort-key": ["-", ["coalesce", ["get", "population_rank"], 0]], "text-max-width": 7 };
  return [
    text("river-names", "water", 11, colours.waterText, {
      filter: shape("LineString"),
      layout: along,
      minzoom: 12,
    }),
    text("water-names", "water", 12, colours.waterText, {
      filter: shape("Point"),
      layout: {},
    }),
    text("street-names", "roads", 11.5, colours.text, {
      filter: kind("minor_road", "other", "path"),
      layout: along,
      minzoom: 14,
    }),
    text("main-names", "roads", 12.5, colours.text, {
      filter: kind("major_road", "highway"),
      layout: along,
      minzoom: 12,
    }),
    text("quarters", "places", 12, colours.text, {
      filter: kind("neighbourhood", "macrohood"),
      layout: important,
      minzoom: 12,
    }),
    text("towns", "places", widths(4, 11, 12, 17), colours.place, { filter: kind("locality"), layout: important }),
    text("regions", "places", 12, colours.text, { filter: kind("region"), layout: important, minzoom: 4, maxzoom: 8 }),
    text("countries", "places", 13, colours.place, { filter: kind("country"), layout: important, maxzoom: 7 }),
  ];
}
