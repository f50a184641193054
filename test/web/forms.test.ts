import { beforeEach, describe, expect, test } from "vitest";
import { sessionOf, startWeb } from "./web-app.ts";

const web = await startWeb();

beforeEach(() => web.directory.reset());

describe("forms", () => {
  const ACTIONS = ["/logout", "/venues", "/settings/disconnect", "/settings/sessions/end"];
  const FORGED: [what: string, fields: (token: string) => string, headers: Record<string, string>][] = [
    ["no token", () => "", {}],
    ["a wrong token", () => "_csrf=abc-def", {}],
    ["the token twice", (token) => `_csrf=${token}&_csrf=${token}`, {}],
    ["another origin", (token) => `_csrf=${token}`, { origin: "https://evil.example" }],
    ["the origin null", (token) => `_csrf=${token}`, { origin: "null" }],
    ["a cross-site fetch", (token) => `_csrf=${token}`, { "sec-fetch-site": "cross-site" }],
    ["text/plain", (token) => `_csrf=${token}`, { "content-type": "text/plain" }],
  ];
  for (const action of ACTIONS) {
    test.each(FORGED)(`to ${action} with %s are refused and change nothing (W01)`, async (_what, fields, headers) => {
      const browser = await web.logIn();
      const before = await web.rows();
      const token = encodeURIComponent(
        /name="_csrf" value="([^"]+)"/.exec((await browser.get("/settings")).body)?.[1] ?? "",
      );
      web.directory.reset();
      const page = await browser.post(action, fields(token), {
        "content-type": "application/x-www-form-urlencoded",
        ...headers,
      });
      expect([403, 415]).toContain(page.status);
      expect(await web.rows()).toEqual(before);
      expect(web.directory.requests.filter(({ path }) => path === "/v2/venues/add")).toEqual([]);
      expect((await browser.get("/settings")).status).toBe(200);
    });
  }

  test("of another session are refused", async () => {
    const [mine, theirs] = [await web.logIn(), await web.logIn()];
    const form = await theirs.get("/settings");
    expect((await mine.submit(form, "/logout")).status).toBe(403);
    expect((await theirs.submit(form, "/logout")).status).toBe(303);
  });

  test("to log out, from a tab of somebody who has logged out already, lead home", async () => {
    const browser = await web.logIn();
    const [one, other] = [await browser.get("/settings"), await browser.get("/checkins")];
    await browser.submit(one, "/logout");
    const reply = await browser.submit(other, "/logout");
    expect([reply.status, reply.headers.get("location")]).toEqual([303, "/"]);
    expect((await browser.submit(other, "/logout", {})).status).toBe(303);
    expect((await browser.post("/logout", {}, { origin: "https://evil.example" })).status).toBe(403);
  });
});

describe("sessions", () => {
  test("end with log-out, and their cookie opens nothing afterwards (A15)", async () => {
    const browser = await web.logIn();
    const cookie = sessionOf(browser) ?? "";
    expect((await browser.get("/logout")).status).toBe(405);
    const reply = await browser.submit(await browser.get("/settings"), "/logout");
    expect([reply.status, reply.headers.get("location"), sessionOf(browser)]).toEqual([
      303,
      "/?loggedout=1",
      undefined,
    ]);
    const thief = web.newBrowser();
    thief.cookies.set("samespot", cookie);
    expect((await thief.get("/settings")).location).toContain("/login");
  });

  test("all end at once where their owner says so", async () => {
    const [one, other] = [await web.logIn(), await web.logIn()];
    const reply = await one.submit(await one.get("/settings"), "/settings/sessions/end");
    expect([reply.status, sessionOf(one)]).toEqual([303, undefined]);
    expect((await other.get("/settings")).location).toContain("/login");
  });

  const FORGED = ["abc", "abc.def", `${"a".repeat(43)}.${"b".repeat(43)}`, "x".repeat(8000), "%00", "{}"];
  test.each(FORGED)("cannot be made up: %s is a guest (A14)", async (cookie) => {
    const browser = web.newBrowser();
    browser.cookies.set("samespot", cookie);
    expect((await browser.get("/settings")).status).toBe(303);
  });
});
