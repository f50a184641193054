import { formFields, type HttpClient, type Page } from "../../../support/http-client.ts";
import { CALLBACK } from "../auth-host.ts";

/** Default fields of the form of an application. */
const TYPED = { name: "Weekend walks", redirectUris: CALLBACK, redirectMatch: "exact" };

export async function register(browser: HttpClient, typed: Record<string, string> = {}): Promise<Page> {
  return browser.submit(await browser.get("/applications/new"), "/applications", { ...TYPED, ...typed });
}

export async function registered(browser: HttpClient, typed: Record<string, string> = {}) {
  const page = await browser.follow(await register(browser, typed));
  const { pathname } = new URL(page.url);
  return { page, path: pathname, clientId: pathname.split("/")[2] ?? "", clientSecret: secretOn(page) };
}

/** Returns the new secret on an application's page, or "". */
export const secretOn = (page: Page): string => /id="new-secret">\s*([\w-]+)\s*</.exec(page.body)?.[1] ?? "";

/** Submits a form of the application's page as it is now, and follows the redirect. */
export async function press(browser: HttpClient, path: string, action: string, typed: Record<string, string> = {}) {
  return browser.follow(await browser.submit(await browser.get(path), path + action, typed));
}

export const rotate = (browser: HttpClient, path: string, overlap: string): Promise<Page> =>
  press(browser, path, "/secrets", { overlap });

/** Every form of the application's page, filled in. */
export function everyForm(page: Page, path: string): [action: string, fields: Record<string, string>][] {
  const actions = [...page.body.matchAll(/<form\b[^>]*\baction="([^"]*)"/g)].map(([, action = ""]) => action);
  const own = actions.filter((action) => action.startsWith(path));
  const typed = { ...TYPED, name: "Weekend walks", overlap: "0", provider: "walks" };
  return own.map((action) => [action, { ...typed, ...formFields(page, action), ...typed }]);
}
