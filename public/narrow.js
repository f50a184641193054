/** `data-narrows`: id of what has lists, of which only the items with all typed words are shown. */
for (const input of document.querySelectorAll("[data-narrows]")) {
  const lists = document.getElementById(input.dataset.narrows);
  const none = lists.querySelector("[data-none]");
  const sections = [...lists.querySelectorAll("section")];
  const items = [...lists.querySelectorAll("li")].map((item) => ({ item, text: item.textContent.toLowerCase() }));
  const narrow = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { item, text } of items) item.hidden = !words.every((word) => text.includes(word));
    for (const section of sections) section.hidden = !section.querySelector("li:not([hidden])");
    none.hidden = sections.some((section) => !section.hidden);
  };
  input.closest("[hidden]").hidden = false;
  input.addEventListener("input", narrow);
  narrow();
}
