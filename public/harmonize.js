/** Enhances the pages of a harmonization: live progress, and the slider of the cuts. */

requestAnimationFrame(() => setTimeout(() => document.documentElement.classList.add("is-painted")));
for (const box of document.querySelectorAll("[data-events]")) follow(box);
for (const status of document.querySelectorAll("[data-judging]")) awaitJudgement(status);
for (const slider of document.querySelectorAll("[data-cuts]")) slide(slider);

/** `data-events`: address of the progress. Each value is written to the elements with its name in `data-live`. */
function follow(box) {
  const source = new EventSource(box.dataset.events);
  source.addEventListener("message", ({ data }) => show(JSON.parse(data), box));
  // Another page is due.
  source.addEventListener("over", () => again(source, 0));
  // The browser reconnects by itself unless the answer was no event stream; then a reload shows why.
  source.addEventListener("error", () => source.readyState === EventSource.CLOSED && again(source, 10_000));
  addEventListener("pagehide", () => source.close());
}

function again(source, after) {
  source.close();
  setTimeout(() => unlessLeaving(() => location.reload()), after);
}

/** Another page would take back a link that somebody has just followed. It is only put off: after a download this page stays. */
let left = Number.NEGATIVE_INFINITY;
addEventListener("beforeunload", () => {
  left = performance.now();
});
function unlessLeaving(goOn) {
  const wait = left + 10_000 - performance.now();
  if (wait > 0) setTimeout(unlessLeaving, wait, goOn);
  else goOn();
}

function show(live, box) {
  for (const element of document.querySelectorAll("[data-live]")) {
    const text = live[element.dataset.live];
    if (element.textContent !== text) element.textContent = text;
  }
  for (const element of document.querySelectorAll("[data-live-box]"))
    element.hidden = live[element.dataset.liveBox] === "";
  const bar = box.querySelector("progress");
  if (live.percent === undefined) bar.removeAttribute("value");
  else bar.value = live.percent;
  document.title = [live.percentText, `${box.dataset.name} – Samespot`].filter(Boolean).join(" – ");
}

/** `data-judging`: address of a file whose positions are being judged. Puts the result into the page. */
function awaitJudgement(status) {
  const { judging: address, stage } = status.dataset;
  const source = new EventSource(`${address}/events?shown=${stage}`);
  source.addEventListener("over", async () => {
    source.close();
    if (!(await renew(address))) return unlessLeaving(() => location.assign(address));
    status.classList.add("visually-hidden");
    status.textContent = document.querySelector("#positions-title")?.textContent ?? "";
  });
  addEventListener("pagehide", () => source.close());
}

/** Keeps the rest of the page, with its chosen columns. Returns false if the page is another one by now. */
async function renew(address) {
  const { search } = location;
  const text = await fetch(address + search).then((reply) => reply.text());
  const page = new DOMParser().parseFromString(text, "text/html");
  const [old, fresh] = [document, page].map((each) => [...each.querySelectorAll("[data-fresh]")]);
  if (fresh.length !== old.length) return false;
  for (const [index, part] of old.entries()) part.replaceWith(fresh[index]);
  if (document.querySelector(".map:not(.is-live)")) import("./map.js").then(({ drawMaps }) => drawMaps());
  return true;
}

function plain(typed) {
  return typed.replace(/[\s%]/g, "").replace(",", ".");
}

/** `data-cuts`: the effect of each cut, in words. Slider and number stay equal; the form sends them. */
function slide(slider) {
  const sentences = JSON.parse(slider.dataset.cuts);
  const card = slider.closest("details");
  const [number, chosen] = [card.querySelector("#cut"), card.querySelector("[data-cuts-chosen]")];
  const [sentence, button] = [card.querySelector("[data-cuts-sentence]"), card.querySelector("[data-cuts-show]")];
  const { format } = new Intl.NumberFormat(document.documentElement.lang);
  const inWords = (cut) => (Number.isFinite(Number(cut)) ? format(Number(cut)) : cut);
  const choose = (cut) => {
    // Guests only look.
    if (chosen) chosen.value = cut;
    for (const bar of card.querySelectorAll("rect"))
      bar.classList.toggle("is-accepted", Number(bar.dataset.from) >= Number(cut));
    const known = sentences[Number(cut)];
    // The server computes cuts between two steps.
    button.hidden = known !== undefined;
    if (known !== undefined) sentence.textContent = known;
    slider.setAttribute("aria-valuetext", `${slider.dataset.percent.replace("#", inWords(cut))} ${known ?? ""}`);
  };
  slider.hidden = false;
  slider.addEventListener("input", () => {
    number.value = inWords(slider.value);
    choose(slider.value);
  });
  number.addEventListener("input", () => {
    const cut = plain(number.value);
    if (cut >= slider.min && cut <= slider.max) slider.value = cut;
    choose(cut);
  });
  choose(plain(number.value));
}
