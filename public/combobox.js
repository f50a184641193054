/**
 * A list of suggestions below a field (WAI-ARIA, combobox pattern): arrow keys, Enter, Escape and the pointer choose.
 * @param {HTMLInputElement} input
 * @param {{ label: string, pick: (item: { name: string, line: string }) => void, isFirstChosen?: boolean }} options `isFirstChosen`:
 *   Enter takes the first without an arrow key
 */
export function combobox(input, { label, pick, isFirstChosen = false }) {
  const { box, said } = listBelow(input, label);
  let [items, chosen] = [[], -1];

  const choose = (index) => {
    chosen = index;
    for (const [at, option] of [...box.children].entries()) option.setAttribute("aria-selected", at === chosen);
    if (box.children[chosen]) input.setAttribute("aria-activedescendant", box.children[chosen].id);
    else input.removeAttribute("aria-activedescendant");
    box.children[chosen]?.scrollIntoView({ block: "nearest" });
  };
  /** `words` are read out. */
  const show = (found, words = "") => {
    items = found;
    box.replaceChildren(...items.map((item, index) => optionOf(item, `${box.id}-${index}`)));
    box.hidden = items.length === 0;
    input.setAttribute("aria-expanded", !box.hidden);
    said.textContent = words;
    choose(isFirstChosen && items.length > 0 ? 0 : -1);
  };
  const take = (item) => {
    show([]);
    pick(item);
  };
  input.addEventListener("keydown", (event) => {
    const { length } = items;
    if (length === 0) return;
    // -1 is the input itself, which is no choice where Enter takes the first: it would send the form instead.
    const first = isFirstChosen ? 0 : -1;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) choose(((chosen - first + step + length - first) % (length - first)) + first);
    else if (event.key === "Escape") show([]);
    else if (event.key === "Enter" && chosen >= 0) take(items[chosen]);
    else return;
    event.preventDefault();
  });
  // Before the input loses the focus.
  box.addEventListener("pointerdown", (event) => event.preventDefault());
  box.addEventListener("click", (event) => {
    const at = [...box.children].indexOf(event.target.closest("li"));
    if (at >= 0) take(items[at]);
  });
  input.addEventListener("blur", () => show([]));
  return show;
}

/** The empty list below the input, and the words for screen readers. */
function listBelow(input, label) {
  const sheet = { rel: "stylesheet", href: new URL("combobox.css", import.meta.url).href };
  const dress = () => document.head.append(Object.assign(document.createElement("link"), sheet));
  if (document.activeElement === input) dress();
  else input.addEventListener("focus", dress, { once: true });
  const box = Object.assign(document.createElement("ul"), {
    id: `${input.id}-suggestions`,
    className: "suggestions",
    hidden: true,
  });
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-label", label);
  const said = Object.assign(document.createElement("span"), { className: "visually-hidden" });
  said.setAttribute("role", "status");
  input.after(box, said);
  const roles = { role: "combobox", "aria-autocomplete": "list", "aria-controls": box.id, "aria-expanded": "false" };
  for (const [name, value] of Object.entries(roles)) input.setAttribute(name, value);
  return { box, said };
}

function optionOf({ name, line }, id) {
  const option = Object.assign(document.createElement("li"), { id });
  option.setAttribute("role", "option");
  const strong = Object.assign(document.createElement("bdi"), { textContent: name, className: "clip" });
  const small = Object.assign(document.createElement("bdi"), { textContent: line, className: "clip small muted" });
  option.append(strong, ...(line ? [small] : []));
  return option;
}
