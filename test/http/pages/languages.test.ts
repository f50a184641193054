import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import Fastify, { type FastifyRequest } from "fastify";
import { expect, it } from "vitest";
import { keepLanguage, languageChoices, registerLanguages } from "../../../src/http/pages/languages.ts";
import { busyPage, errorPages } from "../../../src/http/pages/pages.ts";
import { registerViews } from "../../../src/http/pages/views.ts";
import { currentLanguage, t } from "../../../src/language/translate.ts";
import { KnownError } from "../../../src/shared/errors.ts";
import { FRAME } from "./frame.ts";

const OFFERED = ["en", "es"] as const;

const app = Fastify({ bodyLimit: 100 });
await app.register(cookie);
await app.register(formbody);
registerLanguages(app, OFFERED);
await registerViews(app, { production: true, defaults: FRAME });
app.setErrorHandler(errorPages("none", OFFERED));
app.get("/", async () => `${currentLanguage()} ${t("Language")}`);
app.post("/", async () => currentLanguage());
app.get("/choices", async () => languageChoices(OFFERED));
app.get("/refused", async () => {
  throw new KnownError(400, "param_error", t("Language"));
});
app.post("/choose", async (request, reply) => {
  keepLanguage(request, reply, { offered: OFFERED, secure: true });
  return "kept";
});

const SPANISH = { "accept-language": "es-MX,es;q=0.9" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };

it("a page is in the language that the browser accepts", async () => {
  expect((await app.inject({ url: "/", headers: SPANISH })).body).toBe("es Idioma");
  expect((await app.inject({ url: "/" })).body).toBe("en Language");
});

it("a form is handled in the language that the browser accepts, although its body is read in between", async () => {
  const sent = { method: "POST", url: "/", headers: { ...SPANISH, ...FORM }, payload: "a=b" } as const;
  expect((await app.inject(sent)).body).toBe("es");
});

it("requests at the same time keep their own languages", async () => {
  const all = Array.from({ length: 40 }, (_, index) =>
    app.inject({ url: "/", headers: index % 2 ? SPANISH : {} }).then(({ body }) => body),
  );
  expect(await Promise.all(all)).toEqual(all.map((_, index) => (index % 2 ? "es Idioma" : "en Language")));
});

it("an error page names its language, also for a form that is refused before its handler", async () => {
  const refused = await app.inject({ url: "/refused", headers: SPANISH });
  expect(refused.body).toContain('<html lang="es"');
  expect(refused.body).toContain("Idioma");
  const tooLong = { method: "POST", url: "/", headers: { ...SPANISH, ...FORM }, payload: "a".repeat(200) } as const;
  const { statusCode, body } = await app.inject(tooLong);
  expect([statusCode, body.includes('<html lang="es"')]).toEqual([413, true]);
  expect(body).toContain("Esta solicitud ocupa más de 64 KB.");
});

it("the page of a busy server is in the language that the browser accepts", async () => {
  const busy = await busyPage("none", OFFERED)(app);
  const of = (headers: object) => busy({ headers } as FastifyRequest).body;
  expect(of(SPANISH)).toContain("El servidor está ocupado en este momento.");
  expect(of({})).toContain("The server is busy at the moment.");
});

it("a choice of language is kept in a cookie and precedes what the browser accepts", async () => {
  const sent = { method: "POST", url: "/choose", headers: FORM, payload: "language=en" } as const;
  const { headers } = await app.inject(sent);
  expect(headers["set-cookie"]).toBe("language=en; Max-Age=31536000; Path=/; HttpOnly; Secure; SameSite=Lax");
  expect((await app.inject({ url: "/", headers: { ...SPANISH, cookie: "language=en" } })).body).toBe("en Language");
});

it("a language that is not offered is neither kept nor used", async () => {
  for (const payload of ["language=tlh", "language=en-XA", "language=", "", "language=en&language=es"]) {
    const { statusCode, headers } = await app.inject({ method: "POST", url: "/choose", headers: FORM, payload });
    expect([payload, statusCode, headers["set-cookie"]]).toEqual([payload, 400, undefined]);
  }
  expect((await app.inject({ url: "/", headers: { cookie: "language=en-XA" } })).body).toBe("en Language");
});

it("the settings offer each language under its own name, and none where there is one only", async () => {
  expect((await app.inject({ url: "/choices", headers: SPANISH })).json()).toEqual([
    { code: "en", name: "English", isCurrent: false },
    { code: "es", name: "Español", isCurrent: true },
  ]);
  expect(languageChoices(["en"])).toEqual([]);
});
