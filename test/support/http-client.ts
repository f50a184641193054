export interface Page {
  url: string;
  status: number;
  headers: Headers;
  body: string;
  /** Absolute target of a redirect, with query and fragment unchanged; "" without a redirect. */
  location: string;
}

export interface HttpClient {
  /** By name, for one host. */
  cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Page>;
  post(path: string, fields: Record<string, string> | string, headers?: Record<string, string>): Promise<Page>;
  /** Submits the page's form with this action, including hidden fields. */
  submit(page: Page, action: string, fields?: Record<string, string>): Promise<Page>;
  /** Follows redirects on this host. */
  follow(page: Page): Promise<Page>;
}

/** A browser without script that keeps cookies, follows no redirects by itself and sends its origin. `call` may replace `fetch`. */
export function createHttpClient(origin: string, call: typeof fetch = fetch): HttpClient {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit, headers: Record<string, string>): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const url = new URL(path, origin).href;
    const reply = await call(url, {
      ...init,
      redirect: "manual",
      headers: { accept: "text/html", ...(cookie ? { cookie } : {}), ...headers },
    });
    for (const line of reply.headers.getSetCookie()) keepCookie(cookies, line);
    const to = reply.headers.get("location") ?? "";
    const location = to.startsWith("/") ? origin + to : to;
    return { url, status: reply.status, headers: reply.headers, body: await reply.text(), location };
  }

  const client: HttpClient = {
    cookies,
    get: (path, headers = {}) => send(path, {}, headers),
    post: (path, fields, headers = {}) =>
      send(path, { method: "POST", body: new URLSearchParams(fields) }, { origin, ...headers }),
    submit(page, action, fields = {}) {
      const kept = inputsOf(page, action).filter(([name]) => !Object.hasOwn(fields, name));
      return client.post(action, new URLSearchParams([...kept, ...Object.entries(fields)]).toString());
    },
    async follow(page) {
      let at = page;
      for (let hop = 0; at.location.startsWith(`${origin}/`) && hop < 10; hop += 1) at = await client.get(at.location);
      return at;
    },
  };
  return client;
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  const isGone = /expires=Thu, 01 Jan 1970|max-age=0/i.test(line);
  if (isGone) cookies.delete(name);
  else cookies.set(name, value);
}

/** Returns what the page's form with this action sends, without unchosen radio buttons, boxes and options. Of equal names the last counts. */
export const formFields = (page: Page, action: string): Record<string, string> =>
  Object.fromEntries(inputsOf(page, action));

function inputsOf(page: Page, action: string): [name: string, value: string][] {
  const forms = [...page.body.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)];
  const alike = forms.filter(
    ([, attributes = "", inside = ""]) =>
      attribute(attributes, "action") === action || inside.includes(` formaction="${action}"`),
  );
  const form = alike.find(([, attributes = ""]) => attribute(attributes, "method") === "post") ?? alike[0];
  if (!form) throw new Error(`There is no form for ${action} on the page (status ${page.status}).`);
  const inputs = [...(form[2] ?? "").matchAll(/<input\b([^>]*)>/g)].map(([, attributes = ""]) => attributes);
  const sent = inputs.filter(
    (input) => !/^(?:radio|checkbox)$/.test(attribute(input, "type")) || /\bchecked\b/.test(input),
  );
  return [
    ...sent.map((input) => [attribute(input, "name"), attribute(input, "value")] as [string, string]),
    ...listsOf(form[2] ?? ""),
  ];
}

/** What each `<select>` sends: the chosen option, otherwise the first. */
const listsOf = (form: string): [name: string, value: string][] =>
  [...form.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].map(([, attributes = "", within = ""]) => {
    const options = [...within.matchAll(/<option\b([^>]*)>/g)].map(([, option = ""]) => option);
    const chosen = options.find((option) => /\bselected\b/.test(option)) ?? options[0] ?? "";
    return [attribute(attributes, "name"), attribute(chosen, "value")];
  });

function attribute(attributes: string, name: string): string {
  return unescapeHtml(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "");
}

const unescapeHtml = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#39);/g, (_entity, name: string) => ENTITIES[name] ?? "");

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
