/** Suggests venues while a search is typed, and moves through suggestions and results with the arrow keys. */

import { combobox } from "./combobox.js";

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
  const show = combobox(input, { label: document.body.dataset.venues, pick: ({ href }) => location.assign(href) });
  const ask = asker(input.form);
  let waiting = 0;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    const typed = input.value.trim();
    if ([...typed].length < FEWEST) return show([]);
    waiting = setTimeout(async () => {
      const found = await ask(typed);
      if (input.value.trim() !== typed || document.activeElement !== input) return;
      show(found, found.length ? input.form.dataset.suggest.replace("#", found.length) : "");
    }, PAUSE_MS);
  });
  // Typed before this script was there.
  if (input.value !== input.defaultValue) input.dispatchEvent(new Event("input"));
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
