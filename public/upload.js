/** Accepts a dropped file, refuses one that is too large, and shows the progress of the upload. */
export function guideUploads() {
  for (const form of document.querySelectorAll("[data-upload]")) {
    const input = form.querySelector('input[type="file"]');
    showOver(input);
    input.addEventListener("change", () => complain(form, input));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (complain(form, input)) input.focus();
      else send(form);
    });
  }
}

/** Browsers accept a file dropped on the input by themselves. */
function showOver(input) {
  const over = (isOver) => () => input.toggleAttribute("data-over", isOver);
  for (const type of ["dragenter", "dragover"]) input.addEventListener(type, over(true));
  for (const type of ["dragleave", "drop"]) input.addEventListener(type, over(false));
}

/** Returns whether the chosen file has a problem, and shows it. */
function complain(form, input) {
  const [file] = input.files;
  return say(form, file && problemOf(file, Number(form.dataset.most)));
}

function say(form, problem = "") {
  const place = form.querySelector("[data-upload-problem]");
  place.textContent = problem;
  place.hidden = !problem;
  return Boolean(problem);
}

function problemOf({ size, name }, most) {
  if (size === 0) return `${name} is empty.`;
  if (size > most)
    return `${name} has ${Math.ceil(size / 1024 / 1024)} MB, more than can be uploaded at once. Split it.`;
  return undefined;
}

function send(form) {
  const button = form.querySelector("button");
  if (button.hasAttribute("data-busy")) return;
  button.setAttribute("data-busy", "");
  const box = form.querySelector("[data-upload-progress]");
  const [bar, words] = [box.querySelector("progress"), box.querySelector("[role=status]")];
  box.hidden = false;
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.value = total ? loaded / total : 0;
    words.textContent =
      loaded < total ? `${Math.floor((loaded / total) * 100)} % uploaded` : "Reading the first lines…";
  });
  const fail = (problem) => {
    box.hidden = true;
    button.removeAttribute("data-busy");
    say(form, problem);
  };
  request.addEventListener("error", () => fail("The connection was cut. Please upload the file again."));
  request.addEventListener("load", () => {
    if (request.status < 400) return location.assign(request.responseURL);
    const page = new DOMParser().parseFromString(request.responseText, "text/html");
    const why = page.querySelector(".notice-danger p, .error-page h1 + p")?.textContent.trim();
    fail(why || "That did not work. Please reload this page and upload the file again.");
  });
  request.open("POST", form.action);
  request.send(new FormData(form));
}
