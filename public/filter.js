/** `data-filter`: id of a category tree. Opens groups with a match and hides the rest. */

for (const input of document.querySelectorAll("[data-filter]")) {
  const tree = document.getElementById(input.dataset.filter);
  const wasOpen = new Map([...tree.querySelectorAll("details")].map((group) => [group, group.open]));
  input.hidden = false;
  input.addEventListener("input", () => {
    const words = input.value.trim().toLowerCase();
    for (const label of tree.querySelectorAll("label")) label.hidden = !path(label, tree).includes(words);
    for (const [group, open] of wasOpen) {
      group.hidden = !group.querySelector("label:not([hidden])");
      group.open = words ? !group.hidden : open || group.querySelector(":checked") !== null;
    }
    const isEmpty = !tree.querySelector("label:not([hidden])");
    tree.hidden = isEmpty;
    document.querySelector(`[data-no-hit="${tree.id}"]`).hidden = !isEmpty;
  });
  const chosen = document.querySelector(`[data-chosen="${tree.id}"]`);
  tree.addEventListener("change", (event) => {
    chosen.hidden = false;
    chosen.querySelector("b").textContent = event.target.closest("label").textContent.trim();
  });
  // Enter would send the form.
  input.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
}

/** The names of a category and its groups, in lower case. */
function path(label, tree) {
  const names = [label.textContent];
  for (let group = label.parentElement; group !== tree; group = group.parentElement)
    names.push(group.querySelector("summary").textContent);
  return names.join(" ").toLowerCase();
}
