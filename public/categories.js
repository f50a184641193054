/**
 * A list of categories becomes a field to type in, with the best matches below it. The list keeps what is sent. Loaded when a field of
 * the form has the focus; a list that has it stays one until it has not.
 */
import { combobox } from "./combobox.js";

const MOST = 8;

/** Without case and accents. */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();

for (const select of document.querySelectorAll("[data-categories]"))
  if (document.activeElement === select) select.addEventListener("blur", () => typeIn(select), { once: true });
  else typeIn(select);

function typeIn(select) {
  const categories = readCategories(select);
  const input = Object.assign(document.createElement("input"), {
    id: `${select.id}-input`,
    type: "text",
    autocomplete: "off",
    placeholder: select.dataset.categories,
  });
  for (const name of ["aria-describedby", "aria-invalid"])
    if (select.hasAttribute(name)) input.setAttribute(name, select.getAttribute(name));
  const label = document.querySelector(`label[for="${select.id}"]`);
  const none = Object.assign(document.createElement("p"), {
    className: "small muted",
    textContent: select.dataset.none,
  });
  none.hidden = true;
  none.setAttribute("role", "status");
  const write = () => {
    input.value = categories.find(({ id }) => id === select.value)?.name ?? "";
    none.hidden = true;
  };
  const pick = (category) => {
    select.value = category?.id ?? "";
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };
  select.before(input);
  select.hidden = true;
  label.htmlFor = input.id;
  const show = combobox(input, { label: label.textContent, pick, isFirstChosen: true });
  input.after(none);
  input.addEventListener("input", () => {
    const found = bestOf(categories, input.value);
    show(found);
    none.hidden = found.length > 0 || input.value.trim() === "";
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" || input.getAttribute("aria-expanded") === "true") return;
    event.preventDefault();
    show(categories.filter(({ line }) => line === ""));
  });
  // What is typed counts if it is a name; emptied, no category is chosen; anything else changes nothing.
  input.addEventListener("blur", () => {
    const typed = plain(input.value);
    const meant =
      categories.find(({ id, key }) => key === typed && id === select.value) ??
      categories.find(({ key }) => key === typed);
    if (typed === "" || meant) pick(meant);
    else write();
  });
  select.addEventListener("change", write);
  write();
}

/** Each with its name, those of the groups it is in (`line`), and both to compare with. */
function readCategories(select) {
  const groups = [];
  return [...select.options].slice(1).map((option) => {
    const [{ length: depth }] = /^\u2003*/.exec(option.textContent);
    const name = option.textContent.slice(depth);
    groups.splice(depth, groups.length, name);
    const line = groups.slice(0, depth).join(" › ");
    return { id: option.value, name, line, key: plain(name), path: plain(`${line} ${name}`) };
  });
}

/** Names that begin with the words come first, then those with a word that does, then those with the words anywhere or in a group. */
function bestOf(categories, text) {
  const typed = plain(text);
  if (typed === "") return [];
  const rank = ({ key, path }) =>
    key.startsWith(typed) ? 0 : key.includes(` ${typed}`) ? 1 : key.includes(typed) ? 2 : path.includes(typed) ? 3 : 4;
  const ranked = categories.map((category) => ({ category, rank: rank(category) })).filter((each) => each.rank < 4);
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.category.key.length - b.category.key.length)
    .slice(0, MOST)
    .map(({ category }) => category);
}
