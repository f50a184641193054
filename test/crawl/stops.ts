/**
 * A script for a page with axe: gives each tab stop the focus, as a keyboard does, and returns those that have no accessible name,
 * are covered by something else, or look the same with and without the focus.
 */
export const STOPS = `(() => {
  const CANDIDATES = "a[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]";
  const LOOKS = ["outline", "boxShadow", "borderColor", "backgroundColor", "color", "textDecoration", "transform", "clipPath"];
  const still = new CSSStyleSheet();
  still.replaceSync("* { transition: none !important; animation: none !important; scroll-behavior: auto !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  axe.setup(document);
  const findings = [];
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
  const isAt = (stop, x, y) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (stop.contains(hit) || hit.contains(stop) || Boolean(labelOf(stop)?.contains(hit)));
  };
  const isSeen = (stop) =>
    boxesOf(stop).some(({ left, right, top, bottom, width, height }) =>
      [[left + width / 2, top + height / 2], [left + 2, top + 2], [right - 2, bottom - 2], [left + 2, bottom - 2], [right - 2, top + 2]]
        .some(([x, y]) => isAt(stop, x, y)));
  for (const stop of document.querySelectorAll(CANDIDATES)) {
    if (stop.tabIndex < 0 || stop.disabled || stop.type === "hidden") continue;
    document.activeElement?.blur();
    const before = looksOf(stop);
    stop.focus({ focusVisible: true });
    if (document.activeElement !== stop) continue;
    const words = stop.outerHTML.slice(0, 160);
    if (axe.commons.text.accessibleText(stop).trim() === "") findings.push({ check: "name", words });
    if (!isSeen(stop)) findings.push({ check: "covered", words });
    if (stop.localName !== "iframe" && looksOf(stop) === before) findings.push({ check: "focus", words });
  }
  axe.teardown();
  document.activeElement?.blur();
  scrollTo(0, 0);
  return findings;
})()`;
