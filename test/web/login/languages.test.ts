import { expect, it } from "vitest";
import { outsideBrackets } from "../../language/outside.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb({ env: { LANGUAGES: "en,es,en-XA" } });
const get = (path: string, language: string, headers: Record<string, string> = {}) =>
  web.newBrowser().get(path, { "accept-language": language, ...headers });

it.each([
  ["a log-in that another site begins", "/login", { "sec-fetch-site": "cross-site" }],
  ["a log-in that is loaded in advance", "/login", { "sec-purpose": "prefetch" }],
  ["an answer without a code", "/login/callback?state=x", {}],
  ["an answer to no log-in", "/login/callback?state=x&code=y", {}],
  ["an answer of another directory", "/login/callback?state=x&code=y&iss=https://other.example", {}],
  ["a missing page", "/nowhere", {}],
])("the page for %s leaves no word untranslated", async (_case, path, headers: Record<string, string>) => {
  const { status, body } = await get(path, "en-XA", headers);
  expect(body, `status ${status}`).toContain("⟦");
  expect(outsideBrackets(body, ["localhost"])).toEqual([]);
});

it("a log-in that failed is explained in Spanish to a browser that asks for it", async () => {
  const { body } = await get("/login/callback?state=x&code=y", "es");
  expect(body).toContain('<html lang="es"');
  expect(body).toContain("<h1>No se pudo terminar de iniciar la sesión</h1>");
  expect(body).toContain("Empezar de nuevo");
});

it("pages say that they differ by language and cookie, and are kept by no cache", async () => {
  const [english, spanish] = await Promise.all(["en", "es"].map((language) => get("/", language)));
  for (const page of [english, spanish])
    expect([page?.headers.get("vary"), page?.headers.get("cache-control"), page?.headers.get("etag")]).toEqual([
      expect.stringMatching(/^accept-language, cookie\b/),
      "no-store",
      null,
    ]);
  expect([english?.body, spanish?.body].map((body) => /<html lang="(\w+)"/.exec(body ?? "")?.[1])).toEqual([
    "en",
    "es",
  ]);
});
