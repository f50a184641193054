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
  return say(form, file && problemOf(file, form.dataset));
}

function say(form, problem = "") {
  const place = form.querySelector("[data-upload-problem]");
  place.textContent = problem;
  place.hidden = !problem;
  return Boolean(problem);
}

/** Of the words of the page, # stands for the name of the file and ## for a number. */
function problemOf({ size, name }, { most, empty, tooLarge }) {
  if (size === 0) return empty.replace("#", () => name);
  if (size > Number(most)) return tooLarge.replace("##", Math.ceil(size / 1024 / 1024)).replace("#", () => name);
  return undefined;
}

function send(form) {
  const button = form.querySelector("button");
  if (button.hasAttribute("data-busy")) return;
  button.setAttribute("data-busy", "");
  const box = form.querySelector("[data-upload-progress]");
  const { uploaded, reading, cut, failed } = form.dataset;
  const [bar, words] = [box.querySelector("progress"), box.querySelector("[role=status]")];
  box.hidden = false;
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.value = total ? loaded / total : 0;
    words.textContent = loaded < total ? uploaded.replace("##", Math.floor((loaded / total) * 100)) : reading;
  });
  const fail = (problem) => {
    box.hidden = true;
    button.removeAttribute("data-busy");
    say(form, problem);
  };
  request.addEventListener("error", () => fail(cut));
  request.addEventListener("load", () => {
    if (request.status < 400) return location.assign(request.responseURL);
    const page = new DOMParser().parseFromString(request.responseText, "text/html");
    const why = page.querySelector(".notice-danger p, .error-page h1 + p")?.textContent.trim();
    fail(why || failed);
  });
  request.open("POST", form.action);
  request.send(new FormData(form));
}
