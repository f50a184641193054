/** The form below a call of the API reference. It sends the call from the page, to the same host. */

document.head.append(element("link", { rel: "stylesheet", href: new URL("try.css", import.meta.url).href }));

const SECRETS = new Set(["client_secret", "oauth_token"]);

/** Opens or closes the form of the call that the button belongs to. */
export function openForm(button) {
  const call = button.closest(".operation");
  const form = call.querySelector("form") ?? addForm(call, button.parentElement);
  form.hidden = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!form.hidden));
  if (form.hidden) return;
  form.querySelector("input, select, textarea, button").focus();
}

function addForm(call, buttons) {
  const form = element("form", { className: "try", noValidate: true });
  const { credentials: names = "" } = call.dataset;
  if (names)
    form.append(
      group(
        call,
        "Credentials",
        names.split(" ").map((name) => ({ name })),
      ),
    );
  const body = call.querySelector("pre[data-body]")?.dataset.body;
  const fields = [...call.querySelectorAll("[data-name]")].map(({ dataset }) => dataset);
  if (body) fields.push({ name: "body", value: body });
  if (fields.length) form.append(group(call, "Parameters", fields));
  const answer = element("div", { role: "status" });
  form.append(element("button", { className: "btn btn-primary", textContent: "Send" }), answer);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(call, form, answer);
  });
  buttons.after(form);
  return form;
}

function group(call, legend, fields) {
  const set = element("fieldset");
  set.append(element("legend", { textContent: legend }));
  for (const field of fields) {
    const input = inputOf(field);
    input.id = `try-${call.id}-${field.name}`;
    const label = element("label", { htmlFor: input.id, textContent: field.name });
    const row = element("div", { className: "field" });
    row.append(label, input);
    set.append(row);
  }
  return set;
}

function inputOf({ name, value = "", example, choices }) {
  if (choices) {
    const select = element("select", { name });
    select.append(...["", ...choices.split(" ")].map((each) => new Option(each, each)));
    return Object.assign(select, { value });
  }
  const properties = { name, value, autocomplete: "off", spellcheck: false };
  if (name === "body") return element("textarea", { ...properties, rows: 10 });
  return element("input", { ...properties, placeholder: example ?? "", type: SECRETS.has(name) ? "password" : "text" });
}

async function send(call, form, answer) {
  const begun = performance.now();
  answer.replaceChildren("Sending …");
  const shown = await fetch(...requestOf(call, form)).then(
    async (response) => [
      element("p", { textContent: `${response.status} in ${Math.round(performance.now() - begun)} ms` }),
      element("pre", { tabIndex: 0, textContent: readable(await response.text()) }),
    ],
    () => ["The directory cannot be reached. Check your connection and send it again."],
  );
  answer.replaceChildren(...shown);
}

/** Returns the arguments of fetch(). An empty input counts as not given. */
function requestOf(call, form) {
  const { method, path } = call.dataset;
  const given = new Map([...new FormData(form)].filter(([, value]) => value !== ""));
  const places = new Map([...call.querySelectorAll("[data-name]")].map(({ dataset }) => [dataset.name, dataset.in]));
  const at = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(given.get(name) ?? ""));
  const body = given.get("body");
  const isIn = (place) => [...given].filter(([name]) => name !== "body" && places.get(name) === place);
  const headers = Object.fromEntries(isIn("header"));
  const fields = new URLSearchParams(isIn(undefined));
  if (method === "GET" || body !== undefined) {
    const url = fields.size > 0 ? `${at}?${fields}` : at;
    return [
      url,
      { method, headers: body === undefined ? headers : { ...headers, "content-type": "application/json" }, body },
    ];
  }
  return [at, { method, headers, body: fields }];
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function element(tag, { role, ...properties } = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  if (role) made.setAttribute("role", role);
  return made;
}
