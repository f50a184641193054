/** Draws the points of a map as pins with their names, together where they would cover each other. Needs Leaflet's global L. */

/** In pixels: nearer pins become one, which is wider than high. */
const NEAR = { x: 44, y: 26 };
const NAME = { permanent: true, className: "map-name" };

/** @param {{marker: L.Marker, name: string, number?: string}[]} pins */
export function drawPins(map, pins) {
  const layer = L.layerGroup().addTo(map);
  const draw = () => {
    layer.clearLayers();
    const groups = groupsOf(map, pins);
    for (const group of groups) layer.addLayer(group.length === 1 ? group[0].marker : cluster(map, group));
    showNames(map, groups);
  };
  map.on("zoomend", draw);
  draw();
}

/** At the deepest zoom each pin stands alone. */
function groupsOf(map, pins) {
  const isDeepest = map.getZoom() >= map.getMaxZoom();
  const groups = [];
  for (const pin of pins) {
    const point = map.latLngToLayerPoint(pin.marker.getLatLng());
    const near = isDeepest ? undefined : groups.find((group) => isNear(group.point, point));
    if (near) near.push(pin);
    else groups.push(Object.assign([pin], { point }));
  }
  return groups;
}

const isNear = (a, b) => Math.abs(a.x - b.x) < NEAR.x && Math.abs(a.y - b.y) < NEAR.y;

function cluster(map, group) {
  const names = group.map(({ name }) => name);
  const icon = Object.assign(document.createElement("span"), { textContent: numbersOf(group) });
  const marker = L.marker(group[0].marker.getLatLng(), {
    icon: L.divIcon({ className: "map-cluster", html: icon, iconSize: [0, 0] }),
    title: names.length > 5 ? `${names.slice(0, 5).join(", ")} …` : names.join(", "),
    keyboard: false,
  });
  const bounds = L.latLngBounds(group.map((pin) => pin.marker.getLatLng()));
  return marker.on("click", () => map.fitBounds(bounds, { padding: [60, 60], maxZoom: map.getMaxZoom() }));
}

/** The numbers that the list has too, as many as fit, or how many pins there are. */
function numbersOf(group) {
  const numbers = group.flatMap(({ number }) => number ?? []);
  if (numbers.length === 0) return String(group.length);
  return numbers.length <= 3 ? numbers.join(" · ") : `${numbers.slice(0, 2).join(" · ")} +${numbers.length - 2}`;
}

/** Names the pins that stand alone, unless a name would cover another or a pin. */
function showNames(map, groups) {
  const { x: width } = map.getSize();
  const taken = groups.map(({ point }) => ({ x: point.x - 14, y: point.y - 38, w: 28, h: 38 }));
  for (const {
    point,
    length,
    0: { marker, name },
  } of groups) {
    marker.unbindTooltip();
    const w = Math.min(name.length, 22) * 7 + 12;
    const isRight = map.layerPointToContainerPoint(point).x + w + 16 < width;
    const box = { x: isRight ? point.x + 15 : point.x - 15 - w, y: point.y - 32, w, h: 18 };
    if (length > 1 || taken.some((other) => covers(box, other))) continue;
    taken.push(box);
    const label = Object.assign(document.createElement("span"), { textContent: name });
    const side = isRight ? { direction: "right", offset: [15, -23] } : { direction: "left", offset: [-15, -23] };
    marker.bindTooltip(label, { ...NAME, ...side });
  }
}

const covers = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
