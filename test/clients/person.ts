import { createHttpClient } from "../support/http-client.ts";

/** Logs in and, unless allowed before, decides. Returns the address of the client's callback. */
export async function logInAndDecide(
  address: string,
  { handle, password }: { handle: string; password: string },
  decision: "allow" | "deny" = "allow",
): Promise<string> {
  const browser = createHttpClient(new URL(address).origin);
  const logIn = await browser.get(address);
  const next = await browser.follow(await browser.submit(logIn, "/login", { handle, password }));
  const last = next.location ? next : await browser.submit(next, "/oauth2/consent", { decision });
  return last.location;
}
