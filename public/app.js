/** Enhances the pages, which work without it. Each function may fail alone. */

/** In the language of the page. */
const words = document.body.dataset;

guardForms();
showCopyButtons();
hideSecretsOnLeaving();
askAgainForKeptPages();
showPasswordButtons();
showTryButtons();
showLocateButtons();
countTicks();
explainTimes();
closeMenus();
findOnSlash();
document.querySelector(".error-summary")?.focus();
if (document.querySelector(".map")) import("./map.js").then(({ drawMaps }) => drawMaps());
if (document.querySelector("[data-draft], [data-count]")) import("./venue-form.js");
if (document.querySelector("[data-upload]")) import("./upload.js").then(({ guideUploads }) => guideUploads());
if (document.querySelector("[data-narrows]")) import("./narrow.js");
// Only when it is used.
const search = ({ target }) =>
  target.closest("[data-suggest]") && import("./search.js").then(({ guide }) => guide(target));
addEventListener("focusin", search);
const categoriesOf = (form) => form?.querySelector("[data-categories]");
addEventListener("focusin", ({ target }) => categoriesOf(target.form) && import("./categories.js"));
// A list that is the first of its form would have the focus before, and stay one.
const isFirst = (list) => [...list.form.elements].find(({ type }) => type !== "hidden") === list;
if ([...document.forms].map(categoriesOf).some((list) => list && isFirst(list))) import("./categories.js");
if (document.querySelector("[data-popup], [data-logged-in]")) import("./popup.js");

/** Reloads a page that the browser has kept in spite of our headers: the reader may have logged out (attacks W07). */
function askAgainForKeptPages() {
  const isPrivate = document.querySelector('form[action="/logout"]') !== null;
  addEventListener("pageshow", (event) => event.persisted && isPrivate && location.reload());
}

/** Sends a form only once, and marks its button as busy. */
function guardForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.getAttribute("action") === "/logout") sessionStorage.clear();
    if (event.defaultPrevented) return;
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = "yes";
    // Not `disabled`: the browser would then omit the button's name and value.
    event.submitter?.setAttribute("data-busy", "");
    event.submitter?.setAttribute("aria-disabled", "true");
    // After a download or a stopped page load the page stays. Of a download the next format is wanted at once.
    const isReading = form.method === "get" || "download" in form.dataset;
    setTimeout(() => release(form), isReading ? 1_500 : 15_000);
  });
  // A page that the browser has kept.
  addEventListener("pageshow", (event) => event.persisted && document.querySelectorAll("[data-sent]").forEach(release));
}

function release(form) {
  delete form.dataset.sent;
  for (const button of form.querySelectorAll("[data-busy]")) {
    button.removeAttribute("data-busy");
    button.removeAttribute("aria-disabled");
  }
}

/** `data-copy`: id of the element whose text is copied. */
function showCopyButtons() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy]")) {
    const label = [...button.childNodes];
    button.hidden = false;
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", async () => {
      const text = document.getElementById(button.dataset.copy)?.textContent.trim() ?? "";
      const done = await navigator.clipboard.writeText(text).then(
        () => words.copied,
        () => words.notCopied,
      );
      button.textContent = done;
      setTimeout(() => {
        button.replaceChildren(...label);
      }, 2000);
    });
  }
}

/** `data-ticks`: a form whose buttons say how many rows are ticked; `others` counts those that are not shown. */
function countTicks() {
  for (const form of document.querySelectorAll("[data-ticks]")) {
    const count = () => {
      const ticked = [...form.querySelectorAll("input[type=checkbox]:checked")];
      const all = ticked.reduce((sum, { name, value }) => sum + (name === "others" ? Number(value) : 1), 0);
      for (const place of form.querySelectorAll("[data-ticked]")) {
        place.hidden = false;
        place.textContent = `(${all.toLocaleString(document.documentElement.lang)})`;
      }
    };
    form.addEventListener("change", count);
    addEventListener("pageshow", count);
  }
}

/** `data-once`: elements that a page kept by the browser must not show again. */
function hideSecretsOnLeaving() {
  addEventListener("pagehide", () => {
    for (const part of document.querySelectorAll("[data-once]")) part.remove();
  });
}

/** `data-show`: id of the password's input. */
function showPasswordButtons() {
  for (const button of document.querySelectorAll("[data-show]")) {
    const input = document.getElementById(button.dataset.show);
    const show = (isShown) => {
      input.type = isShown ? "text" : "password";
      button.setAttribute("aria-pressed", isShown);
    };
    button.hidden = false;
    button.addEventListener("click", () => show(input.type === "password"));
    // Sent as a password, so that the browser does not suggest it as text.
    input.form.addEventListener("submit", () => show(false));
  }
}

/** `data-try`: opens the form of a call in the API reference. Its script is loaded at the first use. */
function showTryButtons() {
  for (const button of document.querySelectorAll("[data-try]")) {
    button.hidden = false;
    button.addEventListener("click", () => import("./try.js").then(({ openForm }) => openForm(button)));
  }
}

/** `data-locate`: ids of the inputs for the device's position, "ll" or "lat lng". */
function showLocateButtons() {
  if (!navigator.geolocation || !isSecureContext) return;
  for (const button of document.querySelectorAll("[data-locate]")) {
    const status = Object.assign(document.createElement("span"), { className: "small muted" });
    status.setAttribute("role", "status");
    button.after(status);
    button.hidden = false;
    button.addEventListener("click", () => {
      const done = (message) => {
        button.removeAttribute("data-busy");
        status.textContent = message;
      };
      button.setAttribute("data-busy", "");
      navigator.geolocation.getCurrentPosition(
        async ({ coords }) => {
          const { writePoint } = await import("./venue-form.js");
          writePoint(button.dataset.locate.split(" "), { lat: coords.latitude, lng: coords.longitude });
          done(` ${words.located.replace("#", Math.round(coords.accuracy))}`);
        },
        () => done(` ${words.notLocated}`),
        { timeout: 10_000, maximumAge: 60_000 },
      );
    });
  }
}

/**
 * Titles a time that is pointed at with the reader's own clock, which the server does not know; not before, as the first format costs
 * more than all else of a page. Shows dates as they are there.
 */
function explainTimes() {
  const { lang } = document.documentElement;
  // Not such as "en-US@posix", which is no locale for Intl.
  const locale = navigator.languages.find((each) => each.split("-")[0] === lang && /^[\w-]+$/.test(each)) ?? lang;
  for (const day of document.querySelectorAll("time[data-day]"))
    day.textContent = new Date(day.dateTime).toLocaleDateString(locale, { dateStyle: "medium" });
  addEventListener("pointerover", ({ target }) => {
    const time = target.closest("time[title]");
    if (time) time.title = new Date(time.dateTime).toLocaleString(locale, { dateStyle: "full", timeStyle: "short" });
  });
}

/** Closes an open menu on Escape or a click elsewhere. */
function closeMenus() {
  const open = () => document.querySelectorAll("details.menu[open]");
  addEventListener("click", ({ target }) => {
    for (const menu of open()) if (!menu.contains(target)) menu.open = false;
  });
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    for (const menu of open()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
}

/** The key `/` leads to the search of the page, otherwise to that of the header, as on many sites. */
function findOnSlash() {
  addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    const own = document.querySelector('main [role="search"] input[type="search"]');
    const field = own ?? document.querySelector(".site-search input");
    if (!field?.checkVisibility()) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}
