import { beforeEach, describe, expect, test } from "vitest";
import { assetBase } from "../../src/http/files/assets.ts";
import { answers, answersError, changes } from "../support/fake-directory/behaviours.ts";
import { startWeb } from "./web-app.ts";

const web = await startWeb({ env: { MAP_TILES_URL: "https://{s}.tiles.example/{z}/{x}/{y}.png" } });

beforeEach(() => web.directory.reset());

const MEMBER_PAGES = ["/venues?query=a&ll=1,2", "/venues/new?name=A", "/venues/abc", "/checkins?page=2", "/settings"];

test.each(MEMBER_PAGES)("a guest who opens %s is sent to the log-in and returns afterwards", async (path) => {
  const browser = web.newBrowser();
  const reply = await browser.get(path);
  expect([reply.status, reply.headers.get("location")]).toEqual([303, `/login?next=${encodeURIComponent(path)}`]);
  expect(browser.cookies.size).toBe(0);
});

test("guests get a start page with a log-in link, and no cookie", async () => {
  const browser = web.newBrowser();
  const page = await browser.get("/");
  expect(page.status).toBe(200);
  expect(page.body).toContain('href="/login"');
  expect(browser.cookies.size).toBe(0);
});

describe("search", () => {
  test("shows the venues with count, links and points, and keeps the form's values", async () => {
    const page = await (await web.logIn()).get("/venues?query=coffee&ll=41.8,-71.4");
    expect(page.body).toContain("1 match for “coffee”");
    expect(page.body).toMatch(/href="\/venues\/[0-9a-f]{24}"><bdi>Corner Coffee/);
    expect(page.body).toContain('data-lat="41.8236"');
    expect(page.body).toContain('value="41.8,-71.4');
    const call = web.directory.requests.find(({ path }) => path === "/v2/venues/search");
    expect(call?.params).toMatchObject({ query: "coffee", ll: "41.8,-71.4", v: "20260101", limit: "20" });
    expect(call?.params.intent).toBeUndefined();
  });

  test("starts at the last check-in, later at the last place searched", async () => {
    const browser = await web.logIn();
    const first = await browser.get("/venues");
    expect(first.body).toContain('value="Providence, RI"');
    expect(first.body).toContain('value="41.8236,-71.4222 Providence, RI"');
    await browser.get("/venues?ll=40.5,-70.5");
    expect((await browser.get("/venues")).body).toContain('value="40.5,-70.5"');
    expect((await browser.get("/")).body).toContain('value="40.5,-70.5"');
  });

  test("without results offers to add the venue that was searched for", async () => {
    const page = await (await web.logIn()).get("/venues?query=Zq&ll=41.8,-71.4");
    expect(page.body).toContain("Nothing found");
    expect(page.body).toContain('href="/venues/new?name=Zq&amp;ll=41.8%2C-71.4"');
  });

  const WRONG = ["ll=1", "ll=91,0", "ll=a,1", "ll=1,2&ll=3,4", "limit=0", "limit=51", `query=${"x".repeat(201)}`];
  test.each(WRONG)("with %s explains the error and keeps the input", async (query) => {
    const page = await (await web.logIn()).get(`/venues?${query}`);
    expect(page.status).toBe(400);
    expect(page.body).toMatch(/Write the place as|Latitude ranges from −90 to 90|from 1 to 50|at most 200/);
  });
});

test.each(["41.8 , -71.4", "  41.8,-71.4\t", "41.8°, -71.4°", " 41.8 ° ,-71.4 ° "])(
  "a place typed as %j is understood, for a search and for a new venue",
  async (typed) => {
    const browser = await web.logIn();
    const near = encodeURIComponent(typed);
    const page = await browser.get(`/venues?query=coffee&ll=${near}`);
    expect([page.status, page.body.includes("1 match for")]).toEqual([200, true]);
    const call = web.directory.requests.find(({ params }) => params.query === "coffee");
    expect(call?.params.ll).toBe("41.8,-71.4");
    expect((await browser.get(`/venues/new?ll=${near}`)).body).toContain('data-lat="41.8" data-lng="-71.4"');
  },
);

describe("the page of a venue", () => {
  const UNKNOWN = [answersError(400, "param_error"), answersError(404, "endpoint_error")];
  test.each(UNKNOWN)("of an unknown id says so, and links to the search", async (behaviour) => {
    web.directory.behave("/v2/venues/abc", behaviour);
    const page = await (await web.logIn()).get("/venues/abc");
    expect(page.status).toBe(404);
    expect(page.body).toContain("There is no such venue. It may have been removed.");
    expect(page.body).toContain('<a class="btn btn-primary" href="/venues">Search venues</a>');
    expect(page.body, "the menu").toContain('aria-label="Main"');
  });

  test("with a reserved word of the API as its id is not requested from the directory", async () => {
    const browser = await web.logIn();
    web.directory.reset();
    for (const word of ["categories", "search", "add", "Add", "ADD", "match"])
      expect((await browser.get(`/venues/${word}?name=x`)).status).toBe(404);
    expect(web.directory.requests).toEqual([]);
  });

  test("reports no add to somebody who only opens its address", async () => {
    const browser = await web.logIn();
    const [href = ""] = /\/venues\/[0-9a-f]{24}/.exec((await browser.get("/venues?ll=41.8,-71.4")).body) ?? [];
    expect((await browser.get(`${href}?added=1`)).body).not.toContain("Added.");
  });
});

test("while the directory is unavailable, members keep their menu and the log has a warning, not an error", async () => {
  const browser = await web.logIn();
  web.directory.behave("/v2/*", answersError(500, "server_error"));
  const page = await browser.get("/checkins");
  expect(page.status).toBe(503);
  expect(page.body).toContain('aria-label="Main"');
  expect(page.body).toContain('action="/logout"');
  expect(web.logs.text()).toMatch(/"level":40.*"the directory failed"/);
  expect(web.logs.text()).not.toContain('"level":50');
});

describe("check-ins", () => {
  test("are shown by local day, in pages", async () => {
    const browser = await web.logIn();
    const first = await browser.get("/checkins");
    expect(first.body).toContain("45 check-ins");
    expect(first.body).toContain('<time datetime="2026-09-21">Mon 21 Sept</time>');
    expect(first.body).toContain(">10:13</time>");
    expect(first.body).toContain('href="/checkins?page=2"');
    const last = await browser.get("/checkins?page=2");
    expect(last.body).toContain("41–45 of 45");
    expect(last.body).not.toContain("page=3");
    expect((await browser.get("/checkins?page=3")).body).toContain("No check-ins on this page");
  });

  test.each(["0", "x", "-1", "999999"])("have no page %s: the error page links to the newest", async (number) => {
    const page = await (await web.logIn()).get(`/checkins?page=${number}`);
    expect(page.status).toBe(400);
    expect(page.body).toContain('href="/checkins">Newest check-ins</a>');
    expect(page.body, "the menu").toContain('aria-label="Main"');
  });

  test("are reported as none if there are none", async () => {
    const none = { meta: { code: 200 }, response: { checkins: { count: 0, items: [] } } };
    web.directory.behave("/v2/users/self/checkins", answers(200, none));
    expect((await (await web.logIn()).get("/checkins")).body).toContain("No check-ins yet");
  });

  test("with impossible times do not break the page", async () => {
    web.directory.behave(
      "/v2/users/self/checkins",
      changes((body) => body.replace(/"createdAt":\d+/g, '"createdAt":1e300').replace(/-240/g, "1e9")),
    );
    const page = await (await web.logIn()).get("/checkins");
    expect([page.status, page.body.includes("Unknown date")]).toEqual([200, true]);
  });
});

test("every page is uncached, cannot be framed and runs only our scripts; map tiles come from the tile host", async () => {
  const browser = await web.logIn();
  for (const path of ["/", "/settings", "/venues/new", "/nothing", "/%zz", `${assetBase}/app.js`]) {
    const { headers } = await browser.get(path);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("img-src 'self' data: https://*.tiles.example;");
    expect(policy).not.toContain("unsafe");
    if (!path.startsWith(assetBase)) expect(headers.get("cache-control")).toBe("no-store");
  }
});
