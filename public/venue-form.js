/** The form for a venue: keeps what is typed, looks for similar venues and the position meanwhile, and counts characters. */
import { writePoint } from "./pick.js";

const PAUSE_MS = 500;
const QUIET_MS = 60_000;
const LOOKED_AT = ["name", "address", "city", "state", "zip", "ll", "phone", "twitter"];

for (const input of document.querySelectorAll("[data-count]")) countCharacters(input);
for (const form of document.querySelectorAll("[data-draft]")) {
  keepDraft(form);
  lookMeanwhile(form, form.querySelector("[data-look]"));
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
  if (field instanceof Element) field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** The server is asked after a pause in typing, and not again for a while if it does not answer. */
function lookMeanwhile(form, box) {
  const words = box.lastElementChild;
  box.hidden = false;
  let [waiting, quietUntil, asked] = [0, 0, ""];
  const look = async () => {
    const given = LOOKED_AT.map((name) => [name, form.elements.namedItem(name).value.trim()]);
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
  const show = ({ venues, position }) => {
    const isPlaced = position && form.elements.namedItem("ll").value.trim() === "";
    if (isPlaced) writePosition(form, position);
    const list = document.createElement("ul");
    list.append(...venues.map(lineOf));
    const note = isPlaced ? box.dataset[position.estimated ? "estimated" : "found"] : "";
    const none = venues.length === 0 ? words.textContent : "";
    const said = Object.assign(document.createElement("p"), { className: words.className, textContent: note || none });
    box.replaceChildren(box.firstElementChild, list, said);
  };
  const wait = () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, PAUSE_MS);
  };
  for (const name of LOOKED_AT) form.elements.namedItem(name).addEventListener("input", wait);
  form.elements.namedItem("ll").addEventListener("change", wait);
  form.addEventListener("restored", wait);
}

/** Notes an estimated position in a hidden field, which counts while the position is still this one. */
function writePosition(form, { ll, estimated }) {
  const [lat, lng] = ll.split(",").map(Number);
  writePoint(["ll"], { lat, lng });
  form.elements.namedItem("estimated").value = estimated ? form.elements.namedItem("ll").value : "";
}

function lineOf({ name, line, href, certainty }) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href });
  link.append(Object.assign(document.createElement("bdi"), { textContent: name }));
  const more = Object.assign(document.createElement("div"), { className: "small muted" });
  more.append(
    Object.assign(document.createElement("bdi"), { textContent: [line, certainty].filter(Boolean).join(" · ") }),
  );
  item.append(link, more);
  return item;
}
