/**
 * The form for a venue: keeps what is typed, looks for similar venues and the position meanwhile, and counts characters. A point of it
 * can be set on a map: by a click, by dragging its pin, or with the arrow keys and Enter.
 */

const PAUSE_MS = 500;
const QUIET_MS = 60_000;
const ADDRESS = ["address", "city", "state", "zip"];
const LOOKED_AT = ["name", ...ADDRESS, "ll", "phone", "twitter"];

for (const input of document.querySelectorAll("[data-count]")) countCharacters(input);
for (const form of document.querySelectorAll("[data-draft]")) {
  // First, to hear that a draft was restored.
  lookMeanwhile(form, form.querySelector("[data-look]"));
  keepDraft(form);
}

/** Shows beside the limit how many characters are used, as the server counts them: in the words of `data-count`, with # for the number. */
function countCharacters(input) {
  const hint = document.getElementById(`${input.id}-hint`);
  const words = hint.textContent;
  const show = () => {
    const { length } = [...input.value.trim()];
    hint.textContent = length ? `${words} ${input.dataset.count.replace("#", length)}` : words;
  };
  input.addEventListener("input", show);
  input.form.addEventListener("restored", show);
  show();
}

/** In this tab until the log-out: for a reload, for Back, and for a page opened in between. A form that was sent starts anew. */
function keepDraft(form) {
  const key = `venue of ${document.querySelector(".site-user .name")?.textContent}`;
  const fields = () => [...new FormData(form)].filter(([name]) => name !== "_csrf");
  const save = (more) => sessionStorage.setItem(key, JSON.stringify({ fields: fields(), ...more }));
  const draft = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  const [entry] = performance.getEntriesByType("navigation");
  const isOver = draft.isSent && entry?.type === "navigate";
  const button = form.querySelector("[data-empty]");
  button.hidden = false;
  button.addEventListener("click", () => {
    sessionStorage.removeItem(key);
    location.assign("/venues/new");
  });
  if (form.dataset.draft === "fresh" && draft.fields && !isOver) {
    for (const [name, value] of draft.fields) restore(form, name, value);
    const said = form.querySelector("[data-restored]");
    said.textContent = said.dataset.restored;
    form.dispatchEvent(new Event("restored"));
  }
  form.addEventListener("input", () => save());
  form.addEventListener("change", () => save());
  form.addEventListener("submit", () => save({ isSent: true }));
}

function restore(form, name, value) {
  const field = form.elements.namedItem(name);
  if (!field) return;
  field.value = value;
  if (value) field.closest?.("details")?.setAttribute("open", "");
  if (field instanceof Element) field.dispatchEvent(new Event("change", { bubbles: true }));
}

/**
 * The server is asked after a pause in typing, and not again for a while if it does not answer. A position that came from the address
 * goes when the address changes.
 */
function lookMeanwhile(form, box) {
  const words = box.lastElementChild;
  const place = form.querySelector("[data-placed]");
  const field = (name) => form.elements.namedItem(name);
  const map = document.querySelector(".map[data-pick-lat]");
  box.hidden = false;
  let [waiting, quietUntil, asked] = [0, 0, ""];
  const look = async () => {
    const given = LOOKED_AT.map((name) => [name, field(name).value.trim()]);
    const query = new URLSearchParams(given.filter(([, value]) => value)).toString();
    if (query === asked || Date.now() < quietUntil) return;
    asked = query;
    try {
      const answer = await fetch(`/venues/new/look?${query}`, {
        redirect: "error",
        headers: { accept: "application/json" },
      });
      if (!answer.ok) throw new Error(answer.statusText);
      const found = await answer.json();
      if (query === asked) show(found);
    } catch {
      quietUntil = Date.now() + QUIET_MS;
    }
  };
  const show = ({ venues, isSearched, position, around }) => {
    if (position && field("ll").value.trim() === "") writePosition(form, position);
    const list = document.createElement("ul");
    list.append(...venues.map((venue) => cardOf(venue, box.dataset.same)));
    const none = isSearched ? box.dataset.none : words.textContent;
    const said = { className: words.className, textContent: venues.length === 0 ? none : "" };
    box.replaceChildren(box.firstElementChild, list, Object.assign(document.createElement("p"), said));
    if (!around?.length) return;
    map.dataset.around = JSON.stringify(around);
    map.dispatchEvent(new Event("surroundings"));
  };
  const wait = () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, PAUSE_MS);
  };
  const isByAddress = () => field("ll").value !== "" && field("ll").value === field("byAddress").value;
  const sayPlace = () => {
    const kind = field("ll").value === field("estimated").value ? "estimated" : "found";
    place.textContent = isByAddress() ? place.dataset[kind] : "";
    place.nextElementSibling.hidden = !isByAddress();
  };
  for (const name of LOOKED_AT) field(name).addEventListener("input", wait);
  for (const name of ADDRESS)
    field(name).addEventListener("input", () => {
      if (isByAddress()) fill(field("ll"), "");
    });
  field("ll").addEventListener("input", sayPlace);
  for (const name of ["ll", "byAddress"]) field(name).addEventListener("change", sayPlace);
  field("ll").addEventListener("change", wait);
  form.addEventListener("restored", wait);
  if (form.querySelector(".error-summary")) look(); // what it had shown is gone
  sayPlace();
}

/** Notes in hidden fields that the position is that of the address, and whether it is estimated; both count while it is still this one. */
function writePosition(form, { ll, estimated }) {
  const [lat, lng] = ll.split(",").map(Number);
  writePoint(["ll"], { lat, lng });
  const { value } = form.elements.namedItem("ll");
  fill(form.elements.namedItem("estimated"), estimated ? value : "");
  fill(form.elements.namedItem("byAddress"), value);
}

function cardOf({ name, line, href, certainty }, same) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href });
  link.append(Object.assign(document.createElement("bdi"), { textContent: name }));
  const more = Object.assign(document.createElement("div"), { className: "small muted" });
  more.append(
    Object.assign(document.createElement("bdi"), { textContent: [certainty, line].filter(Boolean).join(" · ") }),
  );
  const button = Object.assign(document.createElement("a"), { className: "btn btn-small", href, textContent: same });
  item.append(link, more, button);
  return item;
}

/**
 * Needs Leaflet's global L.
 * @param {string[]} ids of the inputs, which the pin fills and follows
 * @param words in the language of the page, see views/partials/map.eta
 */
export function drawPick(map, ids, icon, words) {
  const marker = L.marker(map.getCenter(), { icon, draggable: true, keyboard: false, title: words.drag });
  let isPut = false;
  const follow = () => {
    const point = readPoint(ids);
    if (!point) return marker.remove();
    marker.setLatLng(point).addTo(map);
    if (!isPut && !map.getBounds().pad(-0.1).contains(point)) map.setView(point, Math.max(map.getZoom(), 15));
  };
  const put = (point) => {
    isPut = true; // the map stays where the person looks
    writePoint(ids, point.wrap());
    isPut = false;
  };
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
    if (input) fill(input, values[index]);
  });
}

function fill(input, value) {
  input.value = value;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

/** The point in the fields, or undefined. */
function readPoint(ids) {
  const text = ids.map((id) => document.getElementById(id)?.value.trim()).join(",");
  const match = /^(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$/.exec(text);
  if (!match) return undefined;
  const point = { lat: Number(match[1]), lng: Number(match[2]) };
  return Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180 ? point : undefined;
}
