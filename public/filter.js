/**
 * Filters a category tree: opens groups with a match and hides the rest. Called at the first focus, by when the reader may have typed
 * or chosen something.
 */
export function filterTree(input, tree) {
  const wasOpen = new Map([...tree.querySelectorAll("details")].map((group) => [group, group.open]));
  const filter = () => {
    const words = input.value.trim().toLowerCase();
    for (const label of tree.querySelectorAll("label")) label.hidden = !path(label, tree).includes(words);
    for (const [group, open] of wasOpen) {
      group.hidden = !group.querySelector("label:not([hidden])");
      group.open = words ? !group.hidden : open || group.querySelector(":checked") !== null;
    }
    const isEmpty = !tree.querySelector("label:not([hidden])");
    tree.hidden = isEmpty;
    document.querySelector(`[data-no-hit="${tree.id}"]`).hidden = !isEmpty;
  };
  const chosen = document.querySelector(`[data-chosen="${tree.id}"]`);
  const choose = (radio) => {
    chosen.hidden = false;
    chosen.querySelector("b").textContent = radio.closest("label").textContent.trim();
  };
  input.addEventListener("input", filter);
  tree.addEventListener("change", (event) => choose(event.target));
  // Enter would send the form.
  input.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  if (input.value) filter();
  const radio = tree.querySelector(":checked");
  if (radio) choose(radio);
}

/** The names of a category and its groups, in lower case. */
function path(label, tree) {
  const names = [label.textContent];
  for (let group = label.parentElement; group !== tree; group = group.parentElement)
    names.push(group.querySelector("summary").textContent);
  return names.join(" ").toLowerCase();
}
