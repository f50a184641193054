/** Follows the copying of check-ins: renews what the page says of it, and loads the page again at its end. */

const PAUSE_MS = 1000;

const status = document.querySelector("main [role=status]");
const bar = document.querySelector("main progress");

for (;;) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const reply = await fetch(location.href).catch(() => undefined);
  if (!reply?.ok) continue;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const next = page.querySelector("main progress");
  if (!next || !page.querySelector("script[src$='/checkins.js']")) break;
  bar.max = next.max;
  if (next.hasAttribute("value")) bar.value = next.value;
  const words = page.querySelector("main [role=status]").textContent;
  if (status.textContent !== words) status.textContent = words;
}
location.reload();
