/**
 * Draws the directory's own streets, towns and areas beneath a map, from tiles of our own origin (src/web/map.ts). drawStreets needs
 * Leaflet's global L.
 */
import { placeLabels } from "./street-labels.js";

const LEVELS = [12, 9, 6, 3, 0];
const SIZE = 512;
const tiles = new Map();

/** Calls `withoutTiles` if the directory has none. */
export function drawStreets(map, withoutTiles) {
  const layer = new (L.GridLayer.extend(STREETS))({ tileSize: SIZE, pane: "tilePane", withoutTiles });
  layer.addTo(map);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => layer.redraw());
}

const STREETS = {
  onAdd(map) {
    L.GridLayer.prototype.onAdd.call(this, map);
    map.on("moveend", this.relabel, this);
    this.on("remove", () => map.off("moveend", this.relabel, this));
  },

  /** Keeps the names in view, once the view has moved. */
  relabel() {
    for (const { el } of Object.values(this._tiles)) el.paint?.();
  },

  createTile(coords, done) {
    const canvas = document.createElement("canvas");
    const sharpness = Math.min(2, devicePixelRatio);
    canvas.width = canvas.height = SIZE * sharpness;
    this.draw(canvas, coords, sharpness).then(
      () => done(undefined, canvas),
      (error) => done(error, canvas),
    );
    return canvas;
  },

  async draw(canvas, { x, y, z }, sharpness) {
    // A tile of 512 pixels at a zoom is one of 256 at the zoom before.
    const level = LEVELS.find((each) => each <= z - 1) ?? 0;
    const above = z - 1 - level;
    const count = 2 ** level;
    const [column, row] = [x >> above, y >> above];
    if (z < 1 || row < 0 || row >= count) return;
    const tile = await tileOf(`${level}/${((column % count) + count) % count}/${row}`);
    if (!tile) return this.giveUp();
    if (tile.areas.length > 0) this._map?.getContainer().classList.add("has-areas");
    if (tile.credit && this._map) this.giveCredit(this._map, escapeText(tile.credit));
    const context = canvas.getContext("2d");
    context.scale(sharpness, sharpness);
    const origin = { x: x * SIZE, y: y * SIZE };
    let painted;
    canvas.paint = () => {
      const isShown = this._map?.getZoom() === z;
      const view = {
        frame: isShown ? frameOf(this._map, origin) : WHOLE,
        pins: (isShown && this._map.pinBoxes?.(origin)) || [],
      };
      const shown = JSON.stringify(view);
      if (shown === painted) return;
      painted = shown;
      context.clearRect(0, 0, SIZE, SIZE);
      paint(context, tile, { z, origin, ...view, project: (point) => project(point, z) }, look(canvas));
    };
    canvas.paint();
  },

  giveCredit({ attributionControl }, credit) {
    attributionControl.addAttribution(credit);
    this.on("remove", () => attributionControl.removeAttribution(credit));
  },

  /** Once, for the first tile that is missing. */
  giveUp() {
    const { _map: map } = this;
    if (!map) return;
    this.remove();
    this.options.withoutTiles(map);
  },
};

/** The frame of tiles that are drawn before they come into view. */
const WHOLE = [0, 0, SIZE, SIZE];

/** The part of a tile that is in view: left, top, right, bottom. The whole tile if none of it is. */
function frameOf(map, origin) {
  const { min, max } = map.getPixelBounds();
  const [left, top] = [Math.max(0, min.x - origin.x), Math.max(0, min.y - origin.y)];
  const [right, bottom] = [Math.min(SIZE, max.x - origin.x), Math.min(SIZE, max.y - origin.y)];
  return left < right && top < bottom ? [left, top, right, bottom] : WHOLE;
}

function tileOf(name) {
  if (!tiles.has(name)) tiles.set(name, fetchTile(name));
  return tiles.get(name);
}

async function fetchTile(name) {
  const answer = await fetch(`/map/${name}`);
  const isTile = answer.status === 200 && /^application\/json/.test(answer.headers.get("content-type"));
  if (!isTile) return undefined;
  const { streets, spots, towns, areas, credit } = await answer.json();
  return {
    ...{ towns, credit },
    spots: decode(spots?.line ?? "").map((point, at) => ({ name: spots.names[at], point })),
    streets: streets.map(({ name, line }) => ({ name, line: decode(line) })),
    areas: areas.map(({ name, rings }) => ({ name, rings: rings.map(decode) })),
  };
}

/** Decodes an encoded polyline into points [lat, lng]. */
function decode(text) {
  const [points, sums] = [[], [0, 0]];
  let [value, shift, part] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const bits = text.charCodeAt(at) - 63;
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits >= 32) continue;
    sums[part] += value & 1 ? ~(value >>> 1) : value >>> 1;
    if (part === 1) points.push([sums[0] / 1e5, sums[1] / 1e5]);
    [value, shift, part] = [0, 0, 1 - part];
  }
  return points;
}

/** Web Mercator, in pixels at a zoom. */
function project([lat, lng], zoom) {
  const size = 256 * 2 ** zoom;
  const sine = Math.sin((lat * Math.PI) / 180);
  return { x: (lng / 360 + 0.5) * size, y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size };
}

/** Colours of the page, which change with its colour scheme. They are set on the map in map.css. */
function look(canvas) {
  const style = getComputedStyle(canvas.isConnected ? canvas : document.querySelector(".map-canvas"));
  const colour = (name) => style.getPropertyValue(name).trim();
  return {
    ...{ land: colour("--map-land"), border: colour("--map-border"), street: colour("--map-street") },
    ...{ edge: colour("--map-edge"), text: colour("--map-text"), halo: colour("--map-land"), font: style.fontFamily },
  };
}

function paint(context, { streets, spots, towns, areas }, { z, origin, frame, pins, project }, colours) {
  const at = (point) => {
    const { x, y } = project(point);
    return { x: x - origin.x, y: y - origin.y };
  };
  paintAreas(context, areas, { at, z }, colours);
  const lines = streets.map(({ name, line }) => ({ name, line: line.map(at) }));
  const width = z < 13 ? 1.5 : Math.min(9, 1.5 * 1.5 ** (z - 12));
  const classes = byImportance(lines);
  // All edges first, so that none crosses a road that meets it.
  for (const [at, scale] of ROADS.entries()) strokeAll(context, classes[at], width * scale + 1.5, colours.edge);
  for (const [at, scale] of ROADS.entries()) strokeAll(context, classes[at], width * scale, colours.street);
  const venues = z < NAMES_OF_SPOTS ? [] : spots.map(({ name, point }) => ({ name, ...at(point) }));
  const middles = towns.map(({ name, lat, lng, venues }) => ({ name, venues, ...at([lat, lng]) }));
  placeLabels(context, { lines: z < 14 ? [] : lines, towns: middles, spots: venues, pins, frame, width }, colours);
}

/** From this zoom on venues at no known street are shown with their names, to say where one is. */
const NAMES_OF_SPOTS = 14;

/** How wide roads of each class are, the least important first. */
const ROADS = [0.6, 1, 1.45];

/** A line has a point for each address with venues, so its points say how much there is along it. */
function byImportance(lines) {
  const points = new Map();
  for (const { name, line } of lines) points.set(name, (points.get(name) ?? 0) + line.length);
  const classOf = ({ name }) => (points.get(name) < 4 ? 0 : points.get(name) < 14 ? 1 : 2);
  return ROADS.map((_, at) => lines.filter((line) => classOf(line) === at));
}

/** From this zoom on the outlines of postal codes would compete with streets. */
const FEWER_BORDERS = 15;

function paintAreas(context, areas, { at, z }, { land, border }) {
  const shape = new Path2D();
  for (const ring of areas.flatMap(({ rings }) => rings)) {
    trace(shape, ring.map(at));
    shape.closePath();
  }
  context.fillStyle = land;
  context.fill(shape);
  if (z >= FEWER_BORDERS) return;
  context.strokeStyle = border;
  context.lineWidth = 1;
  context.setLineDash([3, 4]);
  context.stroke(shape);
  context.setLineDash([]);
}

function strokeAll(context, lines, width, colour) {
  const path = new Path2D();
  for (const { line } of lines) trace(path, line);
  Object.assign(context, { strokeStyle: colour, lineWidth: width, lineCap: "butt", lineJoin: "round" });
  context.stroke(path);
}

function trace(path, [first, ...others]) {
  path.moveTo(first.x, first.y);
  for (const { x, y } of others) path.lineTo(x, y);
}

export function escapeText(text) {
  return Object.assign(document.createElement("i"), { textContent: text }).innerHTML;
}
