import { setTimeout as after } from "node:timers/promises";
import { throughDirectory } from "../attacks/running-apps.ts";
import { createHttpClient, formFields, type Page } from "../support/http-client.ts";

interface Addresses {
  APP_URL: string;
  AUTH_URL: string;
}

/** Logs in to the web app. Buttons are pressed until they work. */
export async function logIn({ APP_URL, AUTH_URL }: Addresses, who: { handle: string; password: string }) {
  const browser = createHttpClient(APP_URL);
  const at = createHttpClient(AUTH_URL);
  await browser.get(await throughDirectory(at, (await browser.get("/login")).location, who));
  const { _csrf = "" } = formFields(await browser.get("/harmonizations"), "/harmonizations");
  /** Returns the target of the redirect. */
  const press = async (action: string, fields: Record<string, string> = {}): Promise<string> => {
    const { status, location, body } = await patiently(() => browser.post(action, { _csrf, ...fields }));
    if (location.startsWith(`${APP_URL}/harmonizations/`)) return location;
    throw new Error(`${action} returned ${status} ${location}\n${body.slice(0, 2000)}`);
  };
  return {
    press,
    /** Returns the id of the harmonization. */
    async upload(text: string): Promise<string> {
      return (await press("/harmonizations", { text })).split("/").at(-1) ?? "";
    },
  };
}

/** Retries while the app is unreachable or returns a 5xx. */
async function patiently(send: () => Promise<Page>): Promise<Page> {
  for (;;) {
    const page = await send().catch(() => undefined);
    if (page && page.status < 500) return page;
    await after(200);
  }
}
