/**
 * Turns each `.map` (a list of points, see views/partials/map.eta) into a Leaflet map. Data is written as text, never as HTML.
 * Beneath are the operator's streets or tiles, or the directory's own streets, or a grid of degrees.
 */
import { drawStreets, escapeText } from "./streets.js";

const asset = (path) => new URL(path, import.meta.url).href;
const WORLD = { lat: 20, lng: 0 };

let leaflet;

/** Loads Leaflet and draws every map of the page that is not drawn yet. If loading fails, the lists stay. */
export async function drawMaps() {
  leaflet ??= Promise.all([
    load("script", { src: asset("leaflet.js") }),
    load("link", { rel: "stylesheet", href: asset("map.css") }),
  ]);
  await leaflet;
  // Only now, because these files extend what Leaflet has defined. Only those that a map of the page needs.
  const has = (part) => document.querySelector(part) !== null;
  const parts = [
    !has(".map[data-streets]") && import("./grid.js"),
    has(".map a[data-lat]") && import("./pins.js"),
    has(".map[data-pick-lat]") && import("./venue-form.js"),
  ];
  const drawing = Object.assign({}, ...(await Promise.all(parts)));
  for (const element of document.querySelectorAll(".map:not(.is-live)")) drawMap(element, drawing);
}

const LIVE = new WeakMap();

/** Ends the maps in what will be taken from the page. */
export function endMaps(part) {
  for (const element of part.querySelectorAll(".map")) LIVE.get(element)?.();
}

function load(tag, properties) {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(tag), properties, { onload: resolve, onerror: reject });
    document.head.append(element);
  });
}

function drawMap(element, drawing) {
  const { pickLat, pickLng, search, basemap } = element.dataset;
  const words = JSON.parse(element.dataset.words);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const canvas = document.createElement("div");
  canvas.className = "map-canvas";
  element.append(canvas);
  element.classList.add("is-live");
  const map = L.map(canvas, {
    scrollWheelZoom: false,
    zoomControl: false,
    zoomAnimation: !still,
    fadeAnimation: !still,
    maxZoom: 19,
  });
  map.attributionControl.setPrefix(false);
  show(map, element);
  tellOfLoading(map);
  drawGround(map, element.dataset, drawing);
  L.control.zoom({ position: "topright", zoomInTitle: words.zoomIn, zoomOutTitle: words.zoomOut }).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  // The wheel scrolls the page until the map has the focus.
  map.on("focus", () => map.scrollWheelZoom.enable()).on("blur", () => map.scrollWheelZoom.disable());
  drawSurroundings(map, element);
  const pins = [...element.querySelectorAll("a[data-lat]")].flatMap((link) => drawPoint(map, link, words) ?? []);
  if (pins.length > 0) drawing.drawPins(map, pins);
  measureFromListing(map, element);
  if (pickLat) drawing.drawPick(map, [...new Set([pickLat, pickLng])], pin("", "map-pick"), words);
  if (search) offerSearch(map, search, words.search);
  if (basemap) import("./basemap.js").then(({ drawLater }) => drawLater(map, element.dataset, { asset, load }));
  const sizes = new ResizeObserver(() => map.invalidateSize());
  sizes.observe(canvas);
  LIVE.set(element, () => {
    sizes.disconnect();
    map.isCovered = true;
    map.remove();
  });
}

/** Marks the map as busy, which map.css shows, while it waits for tiles. */
function tellOfLoading(map) {
  const tell = (isLoading) => map.getContainer().setAttribute("aria-busy", isLoading);
  map.on("layeradd", ({ layer }) => {
    if (!(layer instanceof L.GridLayer)) return;
    tell(layer.isLoading() === true);
    layer.on({ loading: () => tell(true), load: () => tell(false), remove: () => tell(false) });
  });
}

function drawGround(map, { tiles, attribution, streets }, { drawGrid }) {
  if (streets !== undefined)
    return drawStreets(map, async () => {
      const grid = await import("./grid.js");
      // Meanwhile the operator's streets may lie over it, or its card may be another.
      if (!map.isCovered) grid.drawGrid(map, { figures: true });
    });
  // Also beneath the tiles, in case they are slow or missing.
  drawGrid(map, { figures: !tiles });
  if (tiles) L.tileLayer(tiles, { maxZoom: 19 }).addTo(map);
  if (tiles && attribution) map.attributionControl.addAttribution(escapeText(attribution));
}

/** Shows all points, or a single one with its surroundings, or the given centre, or the world. */
function show(map, element) {
  const { lat, lng, zoom } = element.dataset;
  const links = [...element.querySelectorAll("a[data-lat]")];
  const points = links.flatMap((link) => [[Number(link.dataset.lat), Number(link.dataset.lng)], ...fromOf(link)]);
  const shown = points.length === 1 ? [...points, ...nearest(points[0], aroundOf(element))] : points;
  // Around a listing beside one venue the ring stays in view, and mostly a street; several would cover each other.
  const maxZoom = links.length === 2 && element.querySelector("a[data-listing]") ? 16 : 18;
  if (shown.length > 1) map.fitBounds(shown, { padding: [36, 36], maxZoom });
  else if (points.length) map.setView(points[0], Number(zoom ?? 16));
  else if (lat && lng) map.setView([Number(lat), Number(lng)], Number(zoom ?? 13));
  else map.setView(WORLD, 2);
}

/** The nearest of the venues around, and as far on the other side: the point stays in the middle, and in the country the view near it. */
function nearest([lat, lng], around) {
  const from = L.latLng(lat, lng);
  const points = around.map(([lat, lng]) => [lat, lng]).sort((a, b) => from.distanceTo(a) - from.distanceTo(b));
  const near = points.slice(0, 8).filter((point) => from.distanceTo(point) < FARTHEST_METRES);
  return near.flatMap((point) => [point, [2 * lat - point[0], 2 * lng - point[1]]]);
}

const FARTHEST_METRES = 1000;

/** Returns a pin with its name; a listing is only a dot. */
function drawPoint(map, link, words) {
  const { lat, lng, label, listing } = link.dataset;
  const name = link.textContent;
  if (listing !== undefined) return void drawDot(map, [lat, lng], name, { radius: 10, className: "map-listing" });
  // No keyboard stop: the list has the same links, without overlapping pins.
  const marker = L.marker([Number(lat), Number(lng)], {
    icon: pin(label),
    title: name,
    riseOnHover: true,
    keyboard: false,
  });
  for (const from of fromOf(link)) {
    drawDot(map, from, named(words.before, name), { radius: 6, className: "map-listing" });
    L.polyline([from, [lat, lng]], { className: "map-move", interactive: false }).addTo(map);
  }
  return { marker, name, number: label, link };
}

const RING_METRES = 100;

/** From the listing: a ring for scale, where few streets are known, and the line to the best venue with its length. */
function measureFromListing(map, element) {
  const link = element.querySelector("a[data-listing]");
  const best = element.querySelector("a[data-lat]:not([data-listing])");
  if (!link) return;
  const from = L.latLng(link.dataset.lat, link.dataset.lng);
  L.circle(from, { radius: RING_METRES, className: "map-ring", interactive: false }).addTo(map);
  if (!best) return;
  const to = L.latLng(best.dataset.lat, best.dataset.lng);
  const metres = from.distanceTo(to);
  if (metres < 5) return;
  const number = (value, digits) =>
    value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: digits });
  const length = metres < 1000 ? `${number(metres, 0)} m` : `${number(metres / 1000, 1)} km`;
  L.polyline([from, to], { className: "map-move", interactive: false })
    .addTo(map)
    .bindTooltip(Object.assign(document.createElement("span"), { textContent: length }), {
      ...{ permanent: true, direction: "center", className: "map-name map-length" },
    });
}

const named = (words, name) => words.replace("#", () => name);
/** The position before a correction: one point or none. */
const fromOf = ({ dataset: { from } }) => (from ? [from.split(" ").map(Number)] : []);

const aroundOf = (element) => JSON.parse(element.dataset.around ?? "[]");

/** Draws the venues around, and draws them anew when the form of the page has loaded others (the event `surroundings`). */
function drawSurroundings(map, element) {
  const dots = L.layerGroup().addTo(map);
  const draw = () => {
    dots.clearLayers();
    for (const [lat, lng, name] of aroundOf(element)) drawDot(dots, [lat, lng], name);
  };
  element.addEventListener("surroundings", draw);
  draw();
}

/** Draws a dot for the surroundings, or for the listing that venues are compared with. */
function drawDot(layer, point, name, look = { radius: 4, className: "map-dot" }) {
  const label = Object.assign(document.createElement("span"), { textContent: name });
  const dot = L.circleMarker(point, look).addTo(layer).bindTooltip(label);
  // Browsers take a path that listens for the focus, as tooltips do, for a keyboard stop.
  dot.getElement()?.setAttribute("tabindex", "-1");
}

/** Offers a search around the middle once the reader has moved the map. */
function offerSearch(map, address, words) {
  const look = { className: "map-search btn btn-small", hidden: true, textContent: words };
  const link = Object.assign(document.createElement("a"), look);
  map.getContainer().parentElement.append(link);
  const show = () => {
    const { lat, lng } = map.getCenter().wrap();
    link.href = address + encodeURIComponent(`${lat.toFixed(5)},${lng.toFixed(5)}`);
    link.hidden = false;
  };
  // Moves by script, such as the first view, have no such event before them.
  for (const event of ["dragend", "keydown", "wheel"])
    map.getContainer().addEventListener(event, () => map.once("moveend", show));
  map.on("dragend", show);
}

function pin(label = "", kind = "") {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 30 38");
  const shape = document.createElementNS(svg.namespaceURI, "path");
  shape.setAttribute("d", "M15 37C9 29 2 23 2 14.500a13 13 0 0 1 26 0C28 23 21 29 15 37z");
  const mark = document.createElementNS(svg.namespaceURI, label ? "text" : "circle");
  for (const [name, value] of label
    ? [
        ["x", 15],
        ["y", 19.5],
      ]
    : [
        ["cx", 15],
        ["cy", 14.5],
        ["r", 4.5],
      ])
    mark.setAttribute(name, value);
  mark.textContent = label;
  svg.append(shape, mark);
  return L.divIcon({
    className: `map-pin ${kind}`,
    html: svg,
    iconSize: [30, 38],
    iconAnchor: [15, 37],
    popupAnchor: [0, -34],
  });
}
