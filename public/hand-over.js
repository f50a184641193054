/**
 * Log-in in a window of its own (display=webpopup): the answer loads in the window that opened this one, and this one
 * closes. Without such a window it loads here. The links carry `data-hand-over`; "now" means without a click.
 */
for (const link of document.querySelectorAll("[data-hand-over]")) {
  if (link.dataset.handOver === "now") handOver(link.href);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    handOver(link.href);
  });
}

function handOver(address) {
  const { opener } = window;
  if (!opener || opener.closed) return location.replace(address);
  opener.location = address;
  close();
}
