/** Suggests venues while a search is typed, and moves through suggestions and results with the arrow keys. */

const PAUSE_MS = 200;
const FEWEST = 2;
const QUIET_MS = 60_000;
const guided = new WeakSet();

/** @param {Element} target what has the focus: the field of a search, or a result */
export function guide(target) {
  const list = target.closest("ol");
  if (list) return once(list, () => moveAlong(list));
  if (target.name !== "query") return;
  once(target, () => suggest(target));
}

function once(element, begin) {
  if (guided.has(element)) return;
  guided.add(element);
  begin();
}

function moveAlong(list) {
  list.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (at < 0 || !links[to]) return;
    event.preventDefault();
    links[to].focus();
  });
}

function suggest(input) {
  const { box, said } = listFor(input);
  const ask = asker(input.form);
  let [waiting, chosen] = [0, -1];

  const choose = (index) => {
    chosen = index;
    for (const [at, option] of [...box.children].entries()) option.setAttribute("aria-selected", at === chosen);
    if (box.children[chosen]) input.setAttribute("aria-activedescendant", box.children[chosen].id);
    else input.removeAttribute("aria-activedescendant");
    box.children[chosen]?.scrollIntoView({ block: "nearest" });
  };
  const show = (suggestions) => {
    box.replaceChildren(...suggestions.map(optionOf));
    box.hidden = suggestions.length === 0;
    input.setAttribute("aria-expanded", !box.hidden);
    choose(-1);
  };
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    const typed = input.value.trim();
    if ([...typed].length < FEWEST) return show([]);
    waiting = setTimeout(async () => {
      const found = await ask(typed);
      if (input.value.trim() !== typed || document.activeElement !== input) return;
      show(found);
      said.textContent = found.length ? input.form.dataset.suggest.replace("#", found.length) : "";
    }, PAUSE_MS);
  });
  input.addEventListener("keydown", (event) => {
    const { length } = box.children;
    if (box.hidden || length === 0) return;
    // -1 is the input itself.
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) choose(((chosen + 1 + step + length + 1) % (length + 1)) - 1);
    else if (event.key === "Escape") show([]);
    else if (event.key === "Enter" && chosen >= 0) location.assign(box.children[chosen].dataset.href);
    else return;
    event.preventDefault();
  });
  // Before the input loses the focus.
  box.addEventListener("pointerdown", (event) => event.preventDefault());
  box.addEventListener("click", (event) => {
    const option = event.target.closest("[data-href]");
    if (option) location.assign(option.dataset.href);
  });
  input.addEventListener("blur", () => show([]));
  // Typed before this script was there.
  if (input.value !== input.defaultValue) input.dispatchEvent(new Event("input"));
}

/** The empty list below the input, and the words for screen readers (WAI-ARIA, combobox pattern). */
function listFor(input) {
  const sheet = { rel: "stylesheet", href: new URL("search.css", import.meta.url).href };
  document.head.append(Object.assign(document.createElement("link"), sheet));
  const box = Object.assign(document.createElement("ul"), {
    id: "suggestions",
    className: "suggestions",
    hidden: true,
  });
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-label", "Venues");
  const said = Object.assign(document.createElement("span"), { className: "visually-hidden" });
  said.setAttribute("role", "status");
  input.after(box, said);
  const roles = { role: "combobox", "aria-autocomplete": "list", "aria-controls": box.id, "aria-expanded": "false" };
  for (const [name, value] of Object.entries(roles)) input.setAttribute(name, value);
  return { box, said };
}

function optionOf({ name, line, href }, index) {
  const option = Object.assign(document.createElement("li"), { id: `suggestion-${index}` });
  option.setAttribute("role", "option");
  option.dataset.href = href;
  const strong = Object.assign(document.createElement("bdi"), { textContent: name, className: "clip" });
  const small = Object.assign(document.createElement("bdi"), { textContent: line, className: "clip small muted" });
  option.append(strong, small);
  return option;
}

/** Asks the server as rarely as possible: a person's calls of the directory are limited. */
function asker(form) {
  const known = new Map();
  let quietUntil = 0;
  return async (typed) => {
    const { ll, at } = form.elements;
    const place = { ll: ll?.value ?? "", at: at?.value ?? "" };
    const key = (text) => JSON.stringify([text.toLowerCase(), place]);
    if (known.has(key(typed))) return known.get(key(typed));
    if (Date.now() < quietUntil) return [];
    try {
      const answer = await fetch(`/venues/suggest?${new URLSearchParams({ query: typed, ...place })}`, {
        redirect: "error",
        headers: { accept: "application/json" },
      });
      if (!answer.ok) throw new Error(answer.statusText);
      const { suggestions, pause } = await answer.json();
      quietUntil = Date.now() + pause * 1000;
      known.set(key(typed), suggestions);
      return suggestions;
    } catch {
      quietUntil = Date.now() + QUIET_MS;
      return [];
    }
  };
}
