/** Draws the points of a map as pins with their names, together where they would cover each other. Needs Leaflet's global L. */

/** Letters of a line of a name, of which there are two at most. */
const LINE = 22;
const NAME = { permanent: true, className: "map-name" };

/** @param {{marker: L.Marker, name: string, number?: string, link: HTMLAnchorElement}[]} pins */
export function drawPins(map, pins) {
  for (const { marker, number, link } of pins) {
    marker.bindPopup(popup(link));
    const card = number && document.querySelector(`[data-point="${CSS.escape(number)}"]`);
    if (card) highlightTogether(card, marker);
  }
  const layer = L.layerGroup().addTo(map);
  const draw = () => {
    layer.clearLayers();
    const groups = groupsOf(map, pins);
    for (const group of groups) layer.addLayer(group.length === 1 ? group[0].marker : cluster(map, group));
    const covered = showNames(map, groups);
    map.pinBoxes = (origin) => covered.map((box) => centred(box, map.getPixelOrigin().subtract(origin)));
  };
  map.on("zoomend", draw);
  draw();
}

function popup(link) {
  const box = document.createElement("div");
  const title = document.createElement(link.hasAttribute("href") ? "a" : "strong");
  title.textContent = link.textContent;
  if (link.hasAttribute("href")) title.href = link.href;
  const position = document.createElement("span");
  position.textContent = `${link.dataset.lat}, ${link.dataset.lng}`;
  box.append(title, position);
  return box;
}

function highlightTogether(card, marker) {
  const mark = (on) => {
    card.classList.toggle("is-active", on);
    marker.getElement()?.classList.toggle("is-active", on);
    marker.setZIndexOffset(on ? 1000 : 0);
  };
  for (const event of ["mouseenter", "focusin"]) card.addEventListener(event, () => mark(true));
  for (const event of ["mouseleave", "focusout"]) card.addEventListener(event, () => mark(false));
  marker.on("mouseover", () => mark(true)).on("mouseout", () => mark(false));
}

/** At the deepest zoom each pin stands alone. */
function groupsOf(map, pins) {
  const groups = pins.map((pin) => Object.assign([pin], { point: map.latLngToLayerPoint(pin.marker.getLatLng()) }));
  if (map.getZoom() >= map.getMaxZoom()) return groups;
  // A group that has grown is wider, and may cover one more.
  for (let at = 0; at < groups.length; at++) {
    const other = groups.findIndex((each, index) => index > at && covers(boxOf(groups[at]), boxOf(each)));
    if (other < 0) continue;
    groups[at].push(...groups.splice(other, 1)[0]);
    at = -1;
  }
  return groups;
}

/** What a pin or a cluster covers, in pixels. */
function boxOf(group) {
  const { x, y } = group.point;
  if (group.length === 1) return { x: x - 14, y: y - 38, w: 28, h: 38 };
  const w = String(group.length).length * 7 + 24;
  return { x: x - w / 2, y: y - 14, w, h: 28 };
}

/** A box as placeLabels() takes it, in pixels of the tile at `offset`: names of towns keep clear of it. */
const centred = ({ x, y, w, h }, offset) => ({ x: offset.x + x + w / 2, y: offset.y + y + h / 2, w: w / 2, h: h / 2 });

function cluster(map, group) {
  const names = group.map(({ name, number }) => (number ? `${number} ${name}` : name));
  const icon = Object.assign(document.createElement("span"), { textContent: group.length });
  const marker = L.marker(group[0].marker.getLatLng(), {
    icon: L.divIcon({ className: "map-cluster", html: icon, iconSize: [0, 0] }),
    title: names.length > 5 ? `${names.slice(0, 5).join(", ")} …` : names.join(", "),
    keyboard: false,
  });
  const bounds = L.latLngBounds(group.map((pin) => pin.marker.getLatLng()));
  return marker.on("click", () => map.fitBounds(bounds, { padding: [60, 60], maxZoom: map.getMaxZoom() }));
}

/** Names the pins that stand alone, unless a name would cover another or a pin. Returns what pins and names cover. */
function showNames(map, groups) {
  const { x: width } = map.getSize();
  const taken = groups.map(boxOf);
  for (const {
    point,
    length,
    0: { marker, name },
  } of groups) {
    marker.unbindTooltip();
    const lines = name.length > LINE ? 2 : 1;
    const w = Math.min(lines === 2 ? Math.ceil(name.length / 2) + 4 : name.length, LINE) * 7 + 12;
    const h = lines * 16 + 2;
    const isRight = map.layerPointToContainerPoint(point).x + w + 16 < width;
    const box = { x: isRight ? point.x + 15 : point.x - 15 - w, y: point.y - 23 - h / 2, w, h };
    if (length > 1 || taken.some((other) => covers(box, other))) continue;
    taken.push(box);
    const label = Object.assign(document.createElement("span"), { textContent: name });
    if (lines === 2) label.style.inlineSize = `${w - 8}px`;
    const side = isRight ? { direction: "right", offset: [15, -23] } : { direction: "left", offset: [-15, -23] };
    marker.bindTooltip(label, { ...NAME, ...side });
  }
  return taken;
}

const covers = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
