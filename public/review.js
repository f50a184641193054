/**
 * The review by keyboard: a key presses the button or chooses the field that shows it. Keys can be turned off, for users of
 * speech input (WCAG 2.1.4). The page works without it.
 */
const OFF = "review-keys-off";
const DONE = "review-done";
const SIGN_OF_LIFE_MS = 60_000;

let page;
let dialog;
/** The page of the next card, which is locked for this person; undefined until it has arrived. */
let ahead;
/** The decisions under way, one after the other. */
let sent = Promise.resolve();
/** The addresses of the cards that they decide. */
const underWay = new Set();
let maps;

import("./map.js").then((loaded) => {
  maps = loaded;
});

document.addEventListener("keydown", pressKey);
document.addEventListener("click", dropDoubleClick, { capture: true });
document.addEventListener("submit", decideAtOnce, { capture: true });
// The cards that were swapped in have no page of their own.
addEventListener("popstate", () => location.reload());
setInterval(showLife, SIGN_OF_LIFE_MS);
begin();
fetchAhead();
sayWhatWasDone();

/** Takes up the card that the page shows. */
function begin() {
  page = document.querySelector("[data-review]") ?? document.querySelector("main");
  dialog = document.querySelector(".review-keys");
  showHelp();
  page.querySelector(".review-mend")?.addEventListener("change", openMend);
}

function pressKey(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat) return;
  if (key === "Escape" && isTyping(target)) return target.blur();
  if (key === "?" && dialog?.open) {
    event.preventDefault();
    return dialog.close();
  }
  if (dialog?.open || isTyping(target) || (isOff() && key !== "?")) return;
  // Enter presses the focused element itself.
  if (key === "Enter" && target.closest("a, button, summary, .map")) return;
  const element = page.querySelector(`[data-key="${CSS.escape(key)}"]`);
  // What undoes a decision comes with the answer to it.
  if (!element)
    return void (underWay.size > 0 && sent.then(() => page.querySelector(`[data-key="${CSS.escape(key)}"]`)?.click()));
  event.preventDefault();
  if (!element.matches("[data-help]")) element.focus();
  if (isTyping(element)) element.select();
  else element.click();
}

/** The second click would decide the next card, which nobody has read. */
function dropDoubleClick(event) {
  if (event.detail > 1 && event.target.closest(".review-form button")) event.preventDefault();
}

const isTyping = (element) => element.matches('textarea, select, input:not([type="radio"], [type="checkbox"])');
const isOff = () => localStorage.getItem(OFF) !== null;

/** After a decision, focuses the next listing and announces the result of the previous one. */
function sayWhatWasDone() {
  if (sessionStorage.getItem(DONE) === null) return;
  sessionStorage.removeItem(DONE);
  page.querySelector("h1")?.focus();
  sayLast();
}

function sayLast() {
  const ofPage = document.querySelector(".notice:not(.review-state .notice)");
  const { textContent: done = "" } = ofPage ?? page.querySelector("[data-last]") ?? {};
  // Later, because the initial text of a live region is not read out.
  setTimeout(() => say(done.trim()), 100);
}

function say(words) {
  const place = page.querySelector("[data-said]");
  if (place) place.textContent = words;
}

function showHelp() {
  const button = page.querySelector("[data-help]");
  if (!dialog || !button) return;
  const box = dialog.querySelector("[data-keys-on]");
  button.hidden = false;
  let before;
  button.addEventListener("click", () => {
    box.checked = !isOff();
    before = document.activeElement?.closest(".review-form :is(a, button, input)");
    dialog.showModal();
  });
  box.addEventListener("change", () => {
    if (box.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "yes");
  });
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  // Back to the card. On the button of the help, Enter would open it again.
  dialog.addEventListener("close", () => (before ?? page.querySelector("h1")).focus());
}

/** When the pin on the map is moved. */
function openMend({ currentTarget }) {
  currentTarget.open = true;
}

/** Keeps the listing locked while the card is visible, and with it the one that was fetched ahead. */
async function showLife() {
  const { lock, csrf, taken } = page.dataset;
  if (!lock || document.hidden) return;
  const answer = await fetch(lock, { method: "POST", body: new URLSearchParams({ _csrf: csrf }) }).catch(
    () => undefined,
  );
  if (answer?.status === 409) say(taken);
  fetchAhead();
}

function fetchAhead() {
  ahead = undefined;
  const [shown, { next }] = [page, page.dataset];
  if (!next) return;
  const keep = (found) => {
    const isCard = found.isFine && found.content.querySelector('[data-review]:not([data-lock=""])');
    if (page !== shown || !isCard || found.url === location.href) return;
    // At the end the queue begins again, with a card whose decision has not arrived yet.
    if (underWay.has(pathOf(found.url))) return void sent.then(() => page === shown && fetchAhead());
    ahead = found;
    page.dataset.ahead = "";
  };
  fetchPage(next).then(keep, () => {});
}

async function fetchPage(address, options) {
  const answer = await fetch(address, options);
  const content = new DOMParser().parseFromString(await answer.text(), "text/html");
  return { isFine: answer.ok, url: answer.url, content };
}

const pathOf = (address) => new URL(address).pathname;

/**
 * Sends a decision, or its undo, and shows its answer. Where the next card was fetched ahead, that one is shown before. It may be stale:
 * the decision names what it has seen, and the answer to the one before is the card as it is now.
 */
function decideAtOnce(event) {
  const { target: form, submitter } = event;
  if (form.method !== "post" || !page.contains(form)) return;
  const isDecision = form.matches(".review-form");
  if (isDecision || form.matches(".review-last")) {
    event.preventDefault();
    if (!("sent" in page.dataset)) return send(form, submitter, isDecision ? ahead : undefined);
    // Once only; the undo of what is under way comes with its answer.
    return void (isDecision || sent.then(() => page.querySelector(".review-last button")?.click()));
  }
  if (underWay.size === 0) return sessionStorage.setItem(DONE, "yes");
  // What corrects comes after what is under way, and may have been replaced by its answer.
  event.preventDefault();
  const again = () => page.querySelector(`form[action="${CSS.escape(form.getAttribute("action"))}"]`);
  sent.then(() => (form.isConnected ? form : again())?.requestSubmit(form.isConnected ? submitter : undefined));
}

function send(form, submitter, next) {
  const [address, from] = [form.action, location.href];
  // It goes on even if the person leaves the page.
  const options = { method: "POST", body: new URLSearchParams(new FormData(form, submitter)), keepalive: true };
  if (next) put(next, "pushState");
  else {
    page.dataset.sent = "";
    submitter?.setAttribute("data-busy", "");
  }
  const shown = page;
  underWay.add(pathOf(from));
  sent = sent
    .then(() => fetchPage(address, options))
    // Logged out, or without a network: its own card leads to the log-in, or shows that nothing has been decided.
    .then(
      (found) => settle(found, shown, next === undefined) || location.assign(from),
      () => location.assign(from),
    )
    .finally(() => underWay.delete(pathOf(from)));
}

/** Shows what the answer to a decision says; `isWaiting`: for which the card has stayed. Returns false if it is no page of the review. */
function settle(found, shown, isWaiting) {
  if (!found.content.querySelector("[data-review]")) return false;
  if (!found.isFine || isWaiting) put(found, "pushState");
  else if (page === shown && isSame(found)) renew(found);
  else if (page === shown) put(found, "replaceState");
  sayLast();
  return true;
}

const seenIn = (part) => part.querySelector(".review-form > [name=seen]")?.value;
const isSame = ({ url, content }) => url === location.href && seenIn(content) === seenIn(page);

/** Renews what the decision has changed, and keeps what has been typed or chosen since. */
function renew({ content }) {
  for (const part of ["#review-count", ".review-count progress"])
    page.querySelector(part)?.replaceWith(content.querySelector(part) ?? "");
  const last = content.querySelector(".review-last");
  page.querySelector(".review-last")?.remove();
  if (last) page.querySelector(".review").prepend(last);
}

/** @param how whether the page before it stays in the history: `pushState` or `replaceState` */
function put({ url, content }, how) {
  const main = document.querySelector("main");
  maps?.endMaps(main);
  main.replaceChildren(...content.querySelector("main").childNodes);
  document.title = content.title;
  history[how](null, "", url);
  scrollTo(0, 0);
  begin();
  page.querySelector("h1")?.focus({ preventScroll: true });
  ahead = undefined;
  const shown = page;
  // The card is painted first.
  afterPaint(() => {
    if (page !== shown) return;
    fetchAhead();
    if (page.querySelector(".map")) maps?.drawMaps();
  });
}

/** A window in the background paints nothing. */
const afterPaint = (work) => (document.hidden ? setTimeout(work) : requestAnimationFrame(() => setTimeout(work)));
