/**
 * Log-in in a window of its own. Links with `data-popup` open it where there is room; elsewhere, and without script, they
 * lead to the log-in in this window. The page where the log-in ends has a link with `data-logged-in` to where to go on.
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
    if (!popup) return; // the browser forbids it: the link leads there in this window
    event.preventDefault();
    waitFor(popup, link);
  });
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== location.origin || !popup || source !== popup || data?.samespot !== "logged-in") return;
    const next = new URL(data.next, location.origin);
    if (next.origin === location.origin) location.assign(next);
  });
}

/** The link says that something happens, until the window is closed. */
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

/** In the middle of this window. */
function placed({ width, height }) {
  const left = Math.round(screenX + (outerWidth - width) / 2);
  const top = Math.round(screenY + (outerHeight - height) / 2);
  return `popup,width=${width},height=${height},left=${left},top=${top}`;
}

/**
 * Tells the window that opened this one, if it is one of ours, and closes this one. Without such a window this is the
 * calling window itself, or one that was left alone: it goes on here.
 */
function finish(link) {
  if (!isOurs(window.opener)) return location.replace(link.href);
  window.opener.postMessage({ samespot: "logged-in", next: link.getAttribute("href") }, location.origin);
  close();
}

/** Another origin's window does not let us read where it is. */
function isOurs(opener) {
  try {
    return opener !== null && !opener.closed && opener.location.origin === location.origin;
  } catch {
    return false;
  }
}
