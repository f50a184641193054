/**
 * Draws the operator's file of streets (MAP_PMTILES) with MapLibre beneath a Leaflet map. Until its first picture, and if there is
 * none, the ground that the map has stays. Needs Leaflet's global L.
 */
import { styleOf } from "./basemap-style.js";

/** Browsers keep few WebGL contexts, and drop the oldest of more. */
const MOST_MAPS = 8;
const BEHIND_PINS = 250;
let drawn = 0;
let loading;

/** Draws it once the page stands. If the renderer cannot be loaded, the ground stays. */
export function drawLater(map, data, tools) {
  const draw = () => drawBasemap(map, data, tools).catch(() => {});
  if (document.readyState === "complete") draw();
  else addEventListener("load", draw, { once: true });
}

async function drawBasemap(map, { basemap, basemapCredit }, { asset, load }) {
  if (drawn >= MOST_MAPS || !hasWebGl()) return;
  drawn += 1;
  loading ??= loadRenderer(asset, load);
  const archive = await (await loading)(new URL(basemap, location.href).href);
  if (!covers(await archive.getHeader(), map)) return;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const source = `pmtiles://${archive.source.getKey()}`;
  const style = () => styleOf({ source, dark: dark.matches, language: document.documentElement.lang });
  map.createPane("basemap").style.zIndex = BEHIND_PINS;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const quiet = { attributionControl: false, interactive: false, fadeDuration: still ? 0 : 300 };
  const layer = L.maplibreGL({ ...quiet, style: style(), pane: "basemap" });
  try {
    layer.addTo(map);
  } catch {
    return; // WebGL that a browser promises and does not give
  }
  const gl = layer.getMaplibreMap();
  layer.getContainer().setAttribute("aria-hidden", "true");
  let stands = false;
  // Also keeps MapLibre from writing errors to the console.
  gl.on("error", () => stands || layer.remove());
  gl.once("idle", () => {
    if (!map.hasLayer(layer)) return;
    stands = true;
    gl.resize(); // The page may have been laid out meanwhile.
    replaceGround(map, basemapCredit);
  });
  map.on("resize", () => requestAnimationFrame(() => map.hasLayer(layer) && gl.resize()));
  dark.addEventListener("change", () => map.hasLayer(layer) && gl.setStyle(style()));
}

function hasWebGl() {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

/** Resolves to a function that opens the file at an address for MapLibre. */
async function loadRenderer(asset, load) {
  const [maplibregl] = await Promise.all([
    import(asset("maplibre-gl.mjs")),
    load("script", { src: asset("pmtiles.js") }),
    load("link", { rel: "stylesheet", href: asset("maplibre-gl.css") }),
  ]);
  Object.assign(globalThis, { maplibregl });
  await load("script", { src: asset("leaflet-maplibre-gl.js") });
  const protocol = new pmtiles.Protocol();
  maplibregl.addProtocol("pmtiles", protocol.tile);
  return (address) => {
    const archive = protocol.get(address) ?? new pmtiles.PMTiles(address);
    protocol.add(archive);
    return archive;
  };
}

/** Whether the file has a part of what the map shows: that of a region has nothing elsewhere. */
function covers({ minLat, minLon, maxLat, maxLon }, map) {
  return L.latLngBounds([minLat, minLon], [maxLat, maxLon]).intersects(map.getBounds());
}

/** Also keeps a grid from being drawn that is still loading (map.js). */
function replaceGround(map, credit) {
  map.isCovered = true;
  map.eachLayer((each) => each instanceof L.GridLayer && each.remove());
  for (const edge of map.getContainer().querySelectorAll(".map-edge")) edge.remove();
  const text = Object.assign(document.createElement("i"), { textContent: credit });
  map.attributionControl.addAttribution(text.innerHTML);
}
