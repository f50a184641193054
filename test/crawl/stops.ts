/**
 * A script for a page with axe, which defines `stops`. `stops.next()`, called after each press of Tab, says what is wrong with the
 * control that has the focus (no accessible name, covered or off screen) and with the one before (it looks the same without the
 * focus), and whether the focus has come round. `stops.end()` names the controls that were never reached.
 */
export const STOPS = `(() => {
  const CANDIDATES = "a[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]";
  const LOOKS = ["outline", "boxShadow", "borderColor", "backgroundColor", "color", "textDecoration", "transform", "clipPath"];
  /** Stops inside a frame, or the parts of a date. */
  const MOST_INSIDE = { iframe: 30, date: 6, month: 6, time: 6 };
  const still = new CSSStyleSheet();
  still.replaceSync("* { transition: none !important; animation: none !important; scroll-behavior: auto !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  axe.setup(document);
  const reached = new Set();
  let [first, last, looks, outside, inside] = [null, null, "", 0, 0];
  const wordsOf = (stop) => stop.outerHTML.slice(0, 160);
  const labelOf = (stop) => stop.labels?.[0];
  const looksOf = (stop) =>
    [stop, stop.parentElement, stop.closest("label"), labelOf(stop), stop.nextElementSibling]
      .filter(Boolean)
      .map((each) => { const style = getComputedStyle(each); return LOOKS.map((name) => style[name]).join(); })
      .join();
  /** A hidden control, such as the radio button of a card, is where its label is. */
  const boxesOf = (stop) => {
    const boxes = [...stop.getClientRects()].filter(({ width, height }) => width > 2 && height > 2);
    return boxes.length > 0 ? boxes : [...((labelOf(stop) ?? stop.parentElement).getClientRects())];
  };
  /** What a person has opened may cover what is behind it. */
  const isAt = (stop, x, y) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (stop.contains(hit) || hit.contains(stop) || Boolean(labelOf(stop)?.contains(hit) || hit.closest("details[open] > .menu-body")));
  };
  const isSeen = (stop) =>
    boxesOf(stop).some(({ left, right, top, bottom, width, height }) =>
      [[left + width / 2, top + height / 2], [left + 2, top + 2], [right - 2, bottom - 2], [left + 2, bottom - 2], [right - 2, top + 2]]
        .some(([x, y]) => isAt(stop, x, y)));
  const lookBack = () =>
    last?.isConnected && last.localName !== "iframe" && looksOf(last) === looks ? [{ check: "focus", words: wordsOf(last) }] : [];
  /** For axe all within <noscript> is hidden, without script too. */
  const nameOf = (stop) => {
    if (!axe.utils.getNodeFromTree(stop)) {
      axe.teardown(); // the element is newer than what axe knows
      axe.setup(document);
    }
    return axe.commons.text.accessibleText(stop) || (stop.closest("noscript") && stop.textContent) || "";
  };
  const lookAt = (stop) => {
    const isNameless = nameOf(stop).trim() === "";
    return [isNameless && "name", !isSeen(stop) && "covered"].filter(Boolean).map((check) => ({ check, words: wordsOf(stop) }));
  };
  const trapped = (stop) => [{ check: "tab", words: "does not let the focus go: " + wordsOf(stop) }];
  const next = () => {
    const stop = document.activeElement === document.body ? null : document.activeElement;
    if (stop && stop === last && stop !== first) {
      inside += 1;
      const isInside = inside < (MOST_INSIDE[stop.type || stop.localName] ?? 0);
      return isInside ? { isOver: false, findings: [] } : { isOver: true, findings: trapped(stop) };
    }
    const findings = stop === last ? [] : lookBack();
    // Between the last control and the first the focus is in the browser's own window.
    if (!stop) outside += 1;
    if (outside > 1 || (stop && stop === first)) return { isOver: true, findings };
    if (stop && reached.has(stop)) return { isOver: true, findings: [...findings, ...trapped(stop)] };
    first ??= stop;
    last = stop;
    inside = 0;
    if (!stop) return { isOver: false, findings };
    reached.add(stop);
    looks = looksOf(stop);
    return { isOver: false, findings: [...findings, ...lookAt(stop)] };
  };
  const isGroupReached = (control) =>
    control.type === "radio" && [...reached].some((each) => each.type === "radio" && each.name === control.name && each.form === control.form);
  const dialog = document.querySelector(":modal");
  const isReachable = (control) =>
    control.tabIndex >= 0 && !control.disabled && control.type !== "hidden" && !control.closest("[inert]") &&
    control.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false }) && (!dialog || dialog.contains(control));
  const end = () => {
    axe.teardown();
    document.activeElement?.blur();
    scrollTo(0, 0);
    return [...document.querySelectorAll(CANDIDATES)]
      .filter((control) => !reached.has(control) && isReachable(control) && !isGroupReached(control))
      .map((control) => ({ check: "tab", words: "is not reached: " + wordsOf(control) }));
  };
  window.stops = { next, end };
})()`;
