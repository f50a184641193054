/**
 * The review by keyboard: a key presses the button or chooses the field that shows it. Keys can be turned off, for users of
 * speech input (WCAG 2.1.4). The page works without it.
 */
const OFF = "review-keys-off";
const DONE = "review-done";
const SIGN_OF_LIFE_MS = 60_000;

const page = document.querySelector("[data-review]");
const dialog = document.querySelector(".review-keys");

document.addEventListener("keydown", pressKey);
sayWhatWasDone();
showHelp();
keepLock();
showMend();

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
  if (!element) return;
  event.preventDefault();
  if (!element.matches("[data-help]")) element.focus();
  if (isTyping(element)) element.select();
  else element.click();
}

const isTyping = (element) => element.matches('textarea, select, input:not([type="radio"], [type="checkbox"])');
const isOff = () => localStorage.getItem(OFF) !== null;

/** After a decision, focuses the next listing and announces the result of the previous one. */
function sayWhatWasDone() {
  page.addEventListener("submit", ({ target }) => target.method === "post" && sessionStorage.setItem(DONE, "yes"));
  if (sessionStorage.getItem(DONE) === null) return;
  sessionStorage.removeItem(DONE);
  const ofPage = document.querySelector(".notice:not(.review-state .notice)");
  const { textContent: done = "" } = ofPage ?? page.querySelector("[data-last]") ?? {};
  page.querySelector("h1").focus();
  // Later, because the initial text of a live region is not read out.
  setTimeout(() => say(done.trim()), 100);
}

function say(words) {
  page.querySelector("[data-said]").textContent = words;
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

/** Opens the form of corrections when the pin on the map is moved. */
function showMend() {
  const form = page.querySelector(".review-mend");
  form?.addEventListener("change", () => {
    form.open = true;
  });
}

/** Keeps the listing locked while the card is visible. */
function keepLock() {
  const { lock, csrf, taken } = page.dataset;
  if (!lock) return;
  setInterval(async () => {
    if (document.hidden) return;
    const answer = await fetch(lock, { method: "POST", body: new URLSearchParams({ _csrf: csrf }) }).catch(
      () => undefined,
    );
    if (answer?.status === 409) say(taken);
  }, SIGN_OF_LIFE_MS);
}
