import { setTimeout as after } from "node:timers/promises";
import { createHttpClient, formFields } from "../../test/support/http-client.ts";
import type { HarmonizeSite } from "./harmonize-site.ts";

type Hosts = Pick<HarmonizeSite, "appUrl" | "authUrl">;

export type Member = Awaited<ReturnType<typeof logIn>>;

/** Logs in to the web app through its pages, and agrees if the directory asks. */
export async function logIn({ appUrl, authUrl }: Hosts, handle: string, password: string) {
  const browser = createHttpClient(appUrl);
  const at = createHttpClient(authUrl);
  const begun = await at.follow(await at.get((await browser.get("/login")).location));
  const asked = await at.follow(await at.submit(begun, "/login", { handle, password }));
  const isAgreed = asked.status === 303; // by an earlier log-in
  const agreed = isAgreed ? asked : await at.submit(asked, "/oauth2/consent", { decision: "allow" });
  await browser.get(agreed.location);
  const { _csrf = "" } = formFields(await browser.get("/harmonizations"), "/harmonizations");
  const cookie = () => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const pressOnce = async (action: string, fields: Record<string, string> = {}) => {
    const sent = performance.now();
    const { status } = await browser.post(action, { _csrf, ...fields });
    return { status, ms: performance.now() - sent };
  };
  return {
    ...{ browser, pressOnce },
    /** Repeats the click while the app returns a 5xx. */
    async press(action: string, fields: Record<string, string> = {}): Promise<void> {
      for (;;) {
        const { status } = await pressOnce(action, fields);
        if (status === 303) return;
        if (status < 500) throw new Error(`${action} returned ${status}.`);
        await after(500);
      }
    },
    /** Returns the id of the harmonization. */
    async upload(name: string, lines: Iterable<string>): Promise<string> {
      const form = new FormData();
      form.set("_csrf", _csrf);
      form.set("file", new Blob([[...lines].join("")]), name); // one piece: to send many costs as much as to read them
      const headers = { origin: appUrl, cookie: cookie() };
      const reply = await fetch(`${appUrl}/harmonizations`, {
        method: "POST",
        body: form,
        headers,
        redirect: "manual",
      });
      const id = reply.headers.get("location")?.split("/").at(-1);
      if (reply.status !== 303 || !id) throw new Error(`The upload returned ${reply.status}.`);
      return id;
    },
    /** Counts the bytes of a download. One that breaks off has status 599. */
    async download(path: string) {
      const sent = performance.now();
      const reply = await fetch(appUrl + path, { headers: { cookie: cookie() } });
      let [bytes, { status }] = [0, reply];
      try {
        for await (const chunk of reply.body ?? []) bytes += chunk.length;
      } catch {
        status = 599;
      }
      return { bytes, polls: [{ status, ms: performance.now() - sent }] };
    },
  };
}
