import { beforeEach, describe, expect, test } from "vitest";
import { assetBase } from "../../src/http/assets.ts";
import { answers, changes } from "../support/behaviours.ts";
import { expectNoSecrets } from "../support/canaries.ts";
import { sessionOf, startWeb } from "./web-app.ts";

const web = await startWeb({ env: { MAP_TILES_URL: "https://{s}.tiles.example/{z}/{x}/{y}.png" } });

beforeEach(() => web.directory.reset());

const MEMBER_PAGES = ["/venues?query=a&ll=1,2", "/venues/new?name=A", "/venues/abc", "/checkins?page=2", "/settings"];

test.each(MEMBER_PAGES)("a guest who opens %s is sent to log in and comes back", async (path) => {
  const browser = web.newBrowser();
  const reply = await browser.get(path);
  expect([reply.status, reply.headers.get("location")]).toEqual([303, `/login?next=${encodeURIComponent(path)}`]);
  expect(browser.cookies.size).toBe(0);
});

test("guests get a page with a way in, and no cookie", async () => {
  const browser = web.newBrowser();
  const page = await browser.get("/");
  expect(page.status).toBe(200);
  expect(page.body).toContain('href="/login"');
  expect(browser.cookies.size).toBe(0);
});

describe("search", () => {
  test("shows the venues with their count, links and points, and keeps the form", async () => {
    const page = await (await web.logIn()).get("/venues?query=coffee&ll=41.8,-71.4");
    expect(page.body).toContain("1 venue for “coffee”");
    expect(page.body).toMatch(/href="\/venues\/[0-9a-f]{24}">Corner Coffee/);
    expect(page.body).toContain('data-lat="41.8236"');
    expect(page.body).toContain('value="41.8,-71.4"');
    const call = web.directory.requests.find(({ path }) => path === "/v2/venues/search");
    expect(call?.params).toMatchObject({ query: "coffee", ll: "41.8,-71.4", v: "20260101", limit: "20" });
    expect(call?.params.intent).toBeUndefined();
  });

  test("starts at the last check-in, and from then on where it was last", async () => {
    const browser = await web.logIn();
    expect((await browser.get("/venues")).body).toContain('value="41.8236,-71.4222"');
    await browser.get("/venues?ll=40.5,-70.5");
    expect((await browser.get("/venues")).body).toContain('value="40.5,-70.5"');
    expect((await browser.get("/")).body).toContain('value="40.5,-70.5"');
  });

  test("that finds nothing leads to adding what was looked for", async () => {
    const page = await (await web.logIn()).get("/venues?query=Zq&ll=41.8,-71.4");
    expect(page.body).toContain("Nothing found");
    expect(page.body).toContain('href="/venues/new?name=Zq&amp;ll=41.8%2C-71.4"');
  });

  const WRONG = ["ll=1", "ll=91,0", "ll=a,b", "ll=1,2&ll=3,4", "limit=0", "limit=51", `query=${"x".repeat(201)}`];
  test.each(WRONG)("with %s says what is wrong and keeps what was typed", async (query) => {
    const page = await (await web.logIn()).get(`/venues?${query}`);
    expect(page.status).toBe(400);
    expect(page.body).toMatch(/Write the place as|must be between|at most 200/);
  });
});

describe("check-ins", () => {
  test("are shown by day at the place's own time, page by page", async () => {
    const browser = await web.logIn();
    const first = await browser.get("/checkins");
    expect(first.body).toContain("45 check-ins");
    expect(first.body).toContain('<time datetime="2026-09-21">Monday, 21 September 2026</time>');
    expect(first.body).toContain(">10:13</time>");
    expect(first.body).toContain('href="/checkins?page=2"');
    const last = await browser.get("/checkins?page=3");
    expect(last.body).toContain("41–45 of 45");
    expect(last.body).not.toContain("page=4");
    expect((await browser.get("/checkins?page=4")).body).toContain("Nothing on this page");
    expect((await browser.get("/checkins?page=x")).status).toBe(400);
  });

  test("of somebody who has none say so", async () => {
    const none = { meta: { code: 200 }, response: { checkins: { count: 0, items: [] } } };
    web.directory.behave("/v2/users/self/checkins", answers(200, none));
    expect((await (await web.logIn()).get("/checkins")).body).toContain("No check-ins yet");
  });

  test("at times of no calendar do not break the page", async () => {
    web.directory.behave(
      "/v2/users/self/checkins",
      changes((body) => body.replace(/"createdAt":\d+/g, '"createdAt":1e300').replace(/-240/g, "1e9")),
    );
    const page = await (await web.logIn()).get("/checkins");
    expect([page.status, page.body.includes("On an unknown day")]).toEqual([200, true]);
  });
});

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
      expect(web.directory.requests).toEqual([]);
      expect((await browser.get("/settings")).status).toBe(200);
    });
  }

  test("of another session are refused", async () => {
    const [mine, theirs] = [await web.logIn(), await web.logIn()];
    const form = await theirs.get("/settings");
    expect((await mine.submit(form, "/logout")).status).toBe(403);
    expect((await theirs.submit(form, "/logout")).status).toBe(303);
  });
});

describe("sessions", () => {
  test("end with log-out, and their cookie opens nothing afterwards (A15)", async () => {
    const browser = await web.logIn();
    const cookie = sessionOf(browser) ?? "";
    expect((await browser.get("/logout")).status).toBe(404);
    const reply = await browser.submit(await browser.get("/settings"), "/logout");
    expect([reply.status, reply.headers.get("location"), sessionOf(browser)]).toEqual([303, "/", undefined]);
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

test("what a hostile directory says stays text (W03)", async () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>`;
  const venue = {
    id: `../${evil}`,
    name: evil,
    url: "javascript:alert(3)",
    description: evil,
    location: { address: evil, lat: 41.8, lng: -71.4, formattedAddress: [evil] },
    categories: [{ id: "c", name: evil, icon: { prefix: "javascript:", suffix: "" }, primary: true }],
    evidence: [{ comparison: "name", weight: 1, text: evil }],
  };
  const ok = (response: object) => answers(200, { meta: { code: 200 }, response });
  const browser = await web.logIn();
  web.directory.behave("/v2/venues/search", ok({ venues: [venue] }));
  web.directory.behave("/v2/venues/abc", ok({ venue }));
  web.directory.behave("/v2/venues/categories", ok({ categories: [{ ...venue.categories[0], categories: [] }] }));
  web.directory.behave("/v2/venues/add", answers(400, { meta: { code: 400, errorDetail: evil }, response: {} }));
  const items = [{ id: "1", createdAt: 1_790_000_000, shout: evil, venue }];
  web.directory.behave("/v2/users/self/checkins", ok({ checkins: { count: 1, items } }));
  const form = await browser.get("/venues/new");
  const typed = { name: evil, ll: "41.8,-71.4", primaryCategoryId: "c" };
  const candidates = await browser.submit(form, "/venues", typed);
  const pages = [
    await browser.get(`/venues?query=${encodeURIComponent(evil)}&ll=41.8,-71.4`),
    await browser.get("/venues/abc"),
    await browser.get("/checkins"),
    form,
    candidates,
    await browser.submit(candidates, "/venues"),
    await browser.get(`/${encodeURIComponent(evil)}`),
  ];
  for (const page of pages) {
    expect(page.body).not.toMatch(/<script(?! type="module" src="\/assets\/\w+\/app\.js")/);
    expect(page.body.replace(/="[^"]*"/g, "")).not.toMatch(/<img|<[^>]*\son\w+=/);
    expect(page.body).not.toMatch(/(href|src|action)="\s*javascript:/i);
  }
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400, 404]);
});

test("tokens, codes, secrets and verifiers reach neither pages nor headers nor cookies nor logs nor rows (A21, S01)", async () => {
  const browser = await web.logIn();
  const seen: Record<string, string> = {};
  for (const path of ["/", "/venues?query=coffee&ll=41.8,-71.4", "/venues/new", "/checkins", "/settings", "/nothing"]) {
    const page = await browser.get(path);
    seen[path] = `${page.body}\n${JSON.stringify([...page.headers])}`;
  }
  web.directory.behave("/v2/*", (call) => {
    const { oauth_token } = web.directory.requests.at(-1)?.params ?? {};
    answers(400, { meta: { code: 400, errorDetail: `bad token ${oauth_token}` }, response: {} })(call);
  });
  seen.echo = (await browser.get("/venues?query=coffee&ll=41.8,-71.4")).body;
  seen.cookies = [...browser.cookies].join();
  const tables = ["account", "connection", "login_attempt", "session", "client_credential"];
  for (const table of tables) {
    const { rows } = await web.database.pool.query(`SELECT to_jsonb(t)::text AS row FROM app.${table} t`);
    seen[`table ${table}`] = rows.map(({ row }) => row).join("\n");
  }
  seen.logs = web.logs.text();
  const exchanged = web.directory.requests.flatMap(({ params }) => params.code_verifier ?? []);
  expectNoSecrets(seen, { "of the directory": web.directory.secrets });
  expectNoSecrets(
    { tables: tables.map((table) => seen[`table ${table}`]).join("\n"), logs: seen.logs },
    {
      "session cookie": [(sessionOf(browser) ?? "").split(".")[0] ?? ""],
      ...(exchanged.length ? { verifier: exchanged } : {}),
    },
  );
});

test("every page is private, never framed, and runs no script but ours; map pictures come from the tile host", async () => {
  const browser = await web.logIn();
  for (const path of ["/", "/settings", "/venues/new", "/nothing", `${assetBase}/app.js`]) {
    const { headers } = await browser.get(path);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("img-src 'self' data: https://*.tiles.example;");
    expect(policy).not.toContain("unsafe");
    if (!path.startsWith(assetBase)) expect(headers.get("cache-control")).toBe("no-store");
  }
});
