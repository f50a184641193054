import { describe, expect, it } from "vitest";
import { outsideBrackets } from "../../language/outside.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { authHost, authorizePath, CALLBACK, decide, exchange, logIn } from "./auth-host.ts";

const host = await authHost({
  languages: ["en", "es", "en-XA"],
  signUp: true,
  operator: { names: [], contact: "operator@example.org", newApplications: "reading", ownClient: undefined },
});

const speaking = (language: string) =>
  createHttpClient(host.url, (url, init) =>
    fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), "accept-language": language } }),
  );

/** Has logged in to the directory. */
async function member(language: string) {
  const [browser, user] = [speaking(language), await host.user()];
  await logIn(browser, await browser.get("/login"), user);
  return { browser, user };
}

describe("pages of the directory leave no word untranslated", () => {
  it("when somebody logs in or signs up", async () => {
    const browser = speaking("en-XA");
    expect(outsideBrackets((await browser.get("/")).body, ["operator@example.org"])).toEqual([]);
    const { clientId } = await host.application();
    const login = await browser.get(authorizePath(clientId));
    const wrong = await browser.submit(login, "/login", { handle: "nobody", password: "wrong" });
    const missing = await browser.submit(login, "/login", { handle: "", password: "" });
    const form = await browser.get("/sign-up");
    const typed = { handle: "x y", firstName: "\u0000", email: "x", password: "short" };
    const refused = await browser.submit(form, "/sign-up", typed);
    const taken = { handle: "owner", firstName: "Olga", password: "a long enough password" };
    const again = await browser.submit(form, "/sign-up", taken);
    expect([wrong.status, missing.status, refused.status, again.status]).toEqual([401, 400, 400, 409]);
    for (const page of [login, wrong, missing, form, refused, again])
      expect(outsideBrackets(page.body, ["Map app", "nobody"])).toEqual([]);
  });

  it("when a user changes settings", async () => {
    const { browser, user } = await member("en-XA");
    const { clientId } = await host.application();
    await decide(browser, await browser.get(authorizePath(clientId)), "allow");
    await logIn(host.browser(), await host.browser().get("/login"), user);
    const page = await browser.get("/settings");
    const data = [user.handle, "Map app", "owner"];
    expect(outsideBrackets(page.body, [...data, "English", "Español"])).toEqual([]);
    for (const [path, fields] of [
      ["/settings/password", { currentPassword: "", newPassword: user.handle }],
      ["/settings/password", { currentPassword: "wrong", newPassword: "a long enough password" }],
      ["/settings/sessions", { session: "", currentPassword: "" }],
      ["/settings/disconnect", {}],
    ] as const) {
      const answer = await browser.follow(await browser.submit(page, path, fields));
      expect([path, outsideBrackets(answer.body, [...data, "English", "Español"])]).toEqual([path, []]);
    }
  });

  it("when an application asks for access", async () => {
    const { browser, user } = await member("en-XA");
    const { clientId } = await host.application();
    const data = ["Map app", "owner", user.handle, "https://app.example"];
    const consent = await browser.get(authorizePath(clientId));
    expect(outsideBrackets(consent.body, [...data, "M"])).toEqual([]);
    const refused = await browser.get(authorizePath(clientId, { response_type: "nothing" }));
    const forDevelopers = "response_type must be code or token";
    expect(outsideBrackets(refused.body, [...data, forDevelopers, "unsupported_response_type"])).toEqual([]);
    const broken = await browser.get(authorizePath("nobody"));
    expect(outsideBrackets(broken.body, [])).toEqual([]);
  });

  it("when a user registers and changes an application", async () => {
    const { browser, user } = await member("en-XA");
    const data = [user.handle, "Weekend walks", CALLBACK, "https://example.org/callback", "http://app.example/"];
    expect(outsideBrackets((await browser.get("/applications")).body, data)).toEqual([]);
    const form = await browser.get("/applications/new");
    expect(outsideBrackets(form.body, data)).toEqual([]);
    const wrong = await browser.submit(form, "/applications", { name: "", redirectUris: "http://app.example/" });
    expect([wrong.status, outsideBrackets(wrong.body, data)]).toEqual([400, []]);
    const right = { name: "Weekend walks", redirectUris: CALLBACK };
    const page = await browser.follow(await browser.submit(form, "/applications", right));
    expect([page.status, outsideBrackets(page.body, [...data, "operator@example.org"])]).toEqual([200, []]);
    const path = new URL(page.url).pathname;
    for (const [action, fields] of [
      ["/secrets", { overlap: "24h" }],
      ["/providers", { provider: "walks" }],
      ["/requests", { why: "" }],
      ["/delete", { name: "something else" }],
    ] as const) {
      const answer = await browser.follow(await browser.submit(page, path + action, fields));
      expect([action, outsideBrackets(answer.body, [...data, "walks", "operator@example.org"])]).toEqual([action, []]);
    }
    const list = await browser.get("/applications");
    expect(outsideBrackets(list.body, data)).toEqual([]);
  });

  it("when there is no such page", async () => {
    expect(outsideBrackets((await speaking("en-XA").get("/nowhere")).body, [])).toEqual([]);
  });
});

it("a user whose browser asks for Spanish reads Spanish", async () => {
  const { browser } = await member("es-MX,es;q=0.9");
  const { clientId } = await host.application();
  const { body } = await browser.get(authorizePath(clientId));
  expect(body).toContain('<html lang="es"');
  expect(body).toContain("¿Permitir que <b><bdi>Map app</bdi></b> use su cuenta?");
});

it("the token endpoint answers in English, because error descriptions are ASCII (RFC 6749 section 5.2)", async () => {
  const application = await host.application();
  const answers = async (headers: Record<string, string>) =>
    (
      await fetch(`${host.url}/oauth2/access_token?client_id=${application.clientId}`, { method: "PUT", headers })
    ).text();
  expect(await answers({ "accept-language": "es" })).toBe(await answers({}));
  const sent = { method: "POST", headers: { "accept-language": "es" }, body: "x".repeat(70_000) };
  expect(await (await fetch(`${host.url}/oauth2/access_token`, sent)).text()).toMatch(/^[\x20-\x7e]+$/);
  expect((await exchange(host, application, "no-code")).body.error).toBe("invalid_grant");
});
