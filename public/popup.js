/**
 * Log-in in a popup. Links with `data-popup` open it on wide screens; otherwise, and without script, the log-in opens in this
 * window. The last page of the log-in has a link with `data-logged-in` to the next page.
 */
const done = document.querySelector("[data-logged-in]");
if (done) finish(done);
else openInPopups();

function openInPopups() {
  const hasRoom = matchMedia("(min-width: 60rem) and (hover: hover) and (pointer: fine)");
  let popup;
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-popup]");
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || !hasRoom.matches) return;
    popup?.close();
    popup = open(inPopup(link.href), "", placed({ width: 560, height: 680 }));
    if (!popup) return; // blocked by the browser: the link opens in this window
    event.preventDefault();
    waitFor(popup, link);
  });
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== location.origin || !popup || source !== popup || data?.samespot !== "logged-in") return;
    const next = new URL(data.next, location.origin);
    if (next.origin === location.origin) location.assign(next);
  });
}

/** Marks the link as busy until the popup is closed. */
function waitFor(popup, link) {
  link.setAttribute("data-busy", "");
  const watch = setInterval(() => {
    if (!popup.closed) return;
    clearInterval(watch);
    link.removeAttribute("data-busy");
  }, 300);
}

function inPopup(address) {
  const url = new URL(address);
  url.searchParams.set("display", "webpopup");
  return url.href;
}

/** Centred on this window. */
function placed({ width, height }) {
  const left = Math.round(screenX + (outerWidth - width) / 2);
  const top = Math.round(screenY + (outerHeight - height) / 2);
  return `popup,width=${width},height=${height},left=${left},top=${top}`;
}

/**
 * Tells the opener, if it is a window of ours, and closes this one. Otherwise this is the calling window itself, or its opener
 * is gone: opens the next page here.
 */
function finish(link) {
  if (!isOurs(window.opener)) return location.replace(link.href);
  window.opener.postMessage({ samespot: "logged-in", next: link.getAttribute("href") }, location.origin);
  close();
}

/** The address of another origin's window cannot be read. */
function isOurs(opener) {
  try {
    return opener !== null && !opener.closed && opener.location.origin === location.origin;
  } catch {
    return false;
  }
}
