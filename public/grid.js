/** Draws a grid of degrees beneath the map, labelled along two edges. Needs Leaflet's global L. */

const STEPS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60];
const SVG = "http://www.w3.org/2000/svg";
/** Smallest distance between labelled lines, in pixels. */
const SPACING = 110;

export function drawGrid(map, { figures }) {
  new Grid({ pane: "tilePane", zIndex: 0 }).addTo(map);
  if (!figures) return;
  const edges = ["south", "west"].map((side) =>
    L.DomUtil.create("div", `map-edge map-edge-${side}`, map.getContainer()),
  );
  const label = () => labelEdges(map, edges);
  map.on("move zoomend resize", label);
  label();
}

const Grid = L.GridLayer.extend({
  createTile({ x, y, z }) {
    const size = this.getTileSize();
    const origin = L.point(x, y).scaleBy(size);
    const tile = document.createElementNS(SVG, "svg");
    for (const [name, step] of [
      ["fine", stepAt(z) / 5],
      ["main", stepAt(z)],
    ]) {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", `map-grid-${name}`);
      path.setAttribute("d", lines(this._map, origin, size, z, step));
      tile.append(path);
    }
    return tile;
  },
});

/** Degrees between two labelled lines at a zoom level. */
function stepAt(zoom) {
  const pixelsPerDegree = (256 * 2 ** zoom) / 360;
  return STEPS.find((step) => step * pixelsPerDegree >= SPACING) ?? 90;
}

function lines(map, origin, size, zoom, step) {
  const northWest = map.unproject(origin, zoom);
  const southEast = map.unproject(origin.add(size), zoom);
  const upright = multiples(northWest.lng, southEast.lng, step).map((lng) => map.project([0, lng], zoom).x - origin.x);
  const level = multiples(southEast.lat, northWest.lat, step).map((lat) => map.project([lat, 0], zoom).y - origin.y);
  return [
    ...upright.map((x) => `M${x.toFixed(1)} 0V${size.y}`),
    ...level.map((y) => `M0 ${y.toFixed(1)}H${size.x}`),
  ].join("");
}

function multiples(from, to, step) {
  const count = Math.floor(to / step) - Math.ceil(from / step) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => (Math.ceil(from / step) + index) * step);
}

/** Labels at the southern and western edges, except those that would be cut off or overlap in the corner. */
function labelEdges(map, [south, west]) {
  const step = stepAt(Math.round(map.getZoom()));
  const bounds = map.getBounds();
  const size = map.getSize();
  const lngs = multiples(bounds.getWest(), bounds.getEast(), step)
    .map((lng) => ({ degrees: lng, at: map.latLngToContainerPoint([bounds.getSouth(), lng]).x }))
    .filter(({ at }) => at > 60 && at < size.x - 28);
  const lats = multiples(bounds.getSouth(), bounds.getNorth(), step)
    .map((lat) => ({ degrees: lat, at: map.latLngToContainerPoint([lat, bounds.getWest()]).y }))
    .filter(({ at }) => at > 12 && at < size.y - 48);
  place(south, lngs, "left", step);
  place(west, lats, "top", step);
}

function place(edge, figures, side, step) {
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  edge.replaceChildren(
    ...figures.map(({ degrees, at }) => {
      const label = document.createElement("span");
      label.textContent = `${degrees.toFixed(digits)}°`;
      label.style[side] = `${at}px`;
      return label;
    }),
  );
}
