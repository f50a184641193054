/**
 * Log-in in a popup (display=webpopup): the answer loads in the opener, and the popup closes. Without an opener it loads here.
 * The links have `data-hand-over`; "now" means without a click.
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
