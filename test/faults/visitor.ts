import { setTimeout as after } from "node:timers/promises";
import { throughDirectory } from "../attacks/running-apps.ts";
import { createHttpClient, formFields, type Page } from "../support/http-client.ts";

interface Addresses {
  APP_URL: string;
  AUTH_URL: string;
}

/** Somebody at the web app, logged in as `who`, who presses a button again until it has worked. */
export async function logIn({ APP_URL, AUTH_URL }: Addresses, who: { handle: string; password: string }) {
  const browser = createHttpClient(APP_URL);
  const at = createHttpClient(AUTH_URL);
  await browser.get(await throughDirectory(at, (await browser.get("/login")).location, who));
  const { _csrf = "" } = formFields(await browser.get("/harmonizations"), "/harmonizations");
  /** Answers where it leads to. */
  const press = async (action: string, fields: Record<string, string> = {}): Promise<string> => {
    const { status, location, body } = await patiently(() => browser.post(action, { _csrf, ...fields }));
    if (location.startsWith(`${APP_URL}/harmonizations/`)) return location;
    throw new Error(`${action} answered ${status} ${location}\n${body.slice(0, 2000)}`);
  };
  return {
    press,
    /** Answers the id of the harmonization. */
    async upload(text: string): Promise<string> {
      return (await press("/harmonizations", { text })).split("/").at(-1) ?? "";
    },
  };
}

/** Again while the app is away, or says that its database or the directory is. */
async function patiently(send: () => Promise<Page>): Promise<Page> {
  for (;;) {
    const page = await send().catch(() => undefined);
    if (page && page.status < 500) return page;
    await after(200);
  }
}
