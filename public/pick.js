/** Lets a point of a form be set on a map: by a click, by dragging its pin, or with the arrow keys and Enter. drawPick needs Leaflet. */

/**
 * @param {string[]} ids of the inputs, which the pin fills and follows
 * @param words in the language of the page, see views/partials/map.eta
 */
export function drawPick(map, ids, icon, words) {
  const marker = L.marker(map.getCenter(), { icon, draggable: true, keyboard: false, title: words.drag });
  const follow = () => {
    const point = readPoint(ids);
    if (!point) return marker.remove();
    marker.setLatLng(point).addTo(map);
    if (!map.getBounds().contains(point)) map.setView(point, Math.max(map.getZoom(), 15));
  };
  const put = (point) => writePoint(ids, point.wrap());
  map.on("click", (event) => put(event.latlng));
  marker.on("dragend", () => put(marker.getLatLng()));
  for (const id of ids) document.getElementById(id)?.addEventListener("change", follow);
  follow();
  pickByKeys(map, put, words);
}

/** Leaflet moves the map with the arrow keys. A cross marks its middle while it has the focus, and Enter puts the pin there. */
function pickByKeys(map, put, words) {
  const container = map.getContainer();
  const cross = Object.assign(document.createElement("div"), { className: "map-cross", ariaHidden: "true" });
  const said = Object.assign(document.createElement("p"), { className: "visually-hidden" });
  said.setAttribute("role", "status");
  const help = Object.assign(document.createElement("p"), {
    ...{ className: "map-help", id: `${container.parentElement.id || "map"}-help` },
    textContent: words.keys,
  });
  container.setAttribute("role", "application");
  container.setAttribute("aria-label", words.pick);
  container.setAttribute("aria-describedby", help.id);
  container.append(cross, help);
  container.after(said);
  container.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== container) return;
    event.preventDefault();
    const { lat, lng } = map.getCenter();
    put(map.getCenter());
    said.textContent = words.put.replace("#", `${lat.toFixed(5)}, ${lng.toFixed(5)}`);
  });
}

/**
 * A point in the fields of a form: one input holding "lat,lng", or two.
 * @param {string[]} ids of the inputs: [ll] or [lat, lng]
 */
export function writePoint(ids, { lat, lng }) {
  const parts = [lat.toFixed(6), lng.toFixed(6)];
  const values = ids.length === 1 ? [parts.join(",")] : parts;
  ids.forEach((id, index) => {
    const input = document.getElementById(id);
    if (!input) return;
    input.value = values[index];
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

/** The point in the fields, or undefined. */
function readPoint(ids) {
  const text = ids.map((id) => document.getElementById(id)?.value.trim()).join(",");
  const match = /^(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$/.exec(text);
  if (!match) return undefined;
  const point = { lat: Number(match[1]), lng: Number(match[2]) };
  return Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180 ? point : undefined;
}
