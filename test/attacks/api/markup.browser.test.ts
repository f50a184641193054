import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logIn } from "../../flows/walk.ts";
import { launchBrowser, openPage } from "../../support/browser.ts";
import { runningDirectory } from "../running-directory.ts";
import { type Fields, venueApi } from "../venue-api.ts";

// With the web app, which shows the directory's responses.
const directory = await runningDirectory({ env: { ROLES: "app,directory" } });
const api = venueApi(directory);
const { call } = directory;
const web = directory.config.web.url;

/** Executes in text, in an attribute, in a script or in a template. */
const EVIL = `"'></script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">{{7*7}}<!--`;
const NAME = `Bar ${EVIL}`;
const OTHER = `Zoological Institute ${EVIL}`;
const LL = "41.8242,-71.4128";

let browser: Browser;
let ids: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  const texts = {
    name: NAME,
    address: EVIL,
    crossStreet: EVIL,
    city: EVIL.slice(0, 100),
    state: EVIL.slice(0, 100),
    description: EVIL,
  };
  ids = [await api.add({ ...texts, ll: LL }), await api.add({ ...texts, name: OTHER, ll: "41.85,-71.45" })];
  // Simulates a venue from an old import, which venues/add would reject.
  await directory.database.pool.query(
    "UPDATE directory.venue SET url = 'javascript:window.hacked=1', phone = $1, twitter = $1, zip = $1 WHERE id = ANY($2)",
    [EVIL, ids],
  );
});
afterAll(() => browser?.close());

describe("C07: HTML and script in a text", () => {
  it("C07: is rejected in texts with a fixed format", async () => {
    const before = await api.rows();
    for (const name of ["zip", "phone", "twitter", "url", "primaryCategoryId", "ll"]) {
      const values =
        name === "url" ? ["javascript:alert(1)", "data:text/html,x", " javascript:alert(1)", EVIL] : [EVIL];
      for (const value of values) {
        const { status } = await call("/v2/venues/add", { ...api.user, ...api.newVenue({ [name]: value }) });
        expect([name, value, status]).toEqual([name, value, 400]);
      }
    }
    expect(await api.rows()).toEqual(before);
  });

  it("C07: is returned as JSON that no browser renders as a page, in errors too", async () => {
    const [id = ""] = ids;
    const link = { ...api.user, venueId: id, providerId: api.provider, linkedId: EVIL };
    const self = { ...api.user };
    const answers = [
      await call("/v2/venues/annotate", link, { method: "POST" }),
      await call("/v2/checkins/add", { ...self, venueId: id, shout: EVIL }, { method: "POST" }),
      await call(`/v2/venues/${id}`, self),
      await call(`/v2/venues/${id}/links`, self),
      await call("/v2/venues/search", { ...self, ll: LL }),
      await call("/v2/venues/search", { ...self, ll: LL, intent: "match", name: NAME }),
      await call("/v2/users/self/checkins", self),
      await call("/v2/multi", { ...self, requests: `/venues/${id},/users/self/checkins` }),
      await call("/v2/venues/add", { ...self, ...api.newVenue({ name: NAME, ll: LL }) }), // a duplicate
      await call("/reconcile/0.2/suggest/entity", { prefix: "bar" }),
      await call("/reconcile/0.2", { queries: JSON.stringify({ [EVIL]: { query: NAME } }) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 409, 200, 200]);
    for (const { text } of answers) expect(text).toContain("window.hacked");
    const errors = [
      await call("/v2/venues/search", { ...self, near: EVIL }),
      await call("/v2/venues/search", { ...self, ll: EVIL, intent: EVIL, categoryId: EVIL }),
      await call(`/v2/venues/${encodeURIComponent(EVIL)}`, self),
      await call(`/${encodeURIComponent(EVIL)}`, self),
      await call("/v2/venues/search", { oauth_token: EVIL, ll: LL }),
      await call("/v2/venues/search", { ...self, ll: LL, callback: EVIL }),
    ];
    expect(errors.map(({ status }) => status)).toEqual([400, 400, 400, 404, 401, 400]);
    for (const { headers } of [...answers, ...errors]) {
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("C07: can neither end the script nor change the content type in JSONP", async () => {
    for (const [path, more] of [
      [`/v2/venues/${ids[0]}`, {}],
      ["/v2/venues/search", { near: EVIL }],
    ] as [string, Fields][]) {
      const { headers, text } = await call(path, { ...api.user, ...more, callback: "show" });
      expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(text).toMatch(/^show\(\{.*\}\);$/s);
      expect(text).not.toMatch(/[<\u2028\u2029]/);
    }
  });

  it("C07: is inert on the directory's pages", async () => {
    const [id = ""] = ids;
    const page = await openPage(browser);
    for (const path of [`/venues/${id}`, `/reconcile/0.2/preview?id=${id}`, `/reconcile/1.0/preview?id=${id}`]) {
      await page.goto(directory.api + path);
      expect(await page.locator("h1").textContent()).toBe(NAME);
      if (path.startsWith("/venues/")) await hoverOverMap(page);
      await expectInert(page);
    }
  });

  it("C07: is inert on the pages of the web app", async () => {
    const { handle, password } = await directory.user();
    const page = await openPage(browser);
    const site = { webUrl: web, authUrl: directory.auth };
    await logIn({ page, site, account: { handle, password }, look: async () => {} });
    const { rows } = await directory.database.pool.query<{ id: string; clientId: string }>(
      `SELECT user_id AS id, client_id AS "clientId" FROM directory.authorization JOIN directory."user" u ON u.id = user_id
        WHERE u.handle = $1`,
      [handle],
    );
    const [pair = expect.fail("nobody logged in")] = rows;
    const oauth_token = await directory.token({ userId: pair.id, clientId: pair.clientId });
    await call("/v2/checkins/add", { oauth_token, venueId: ids[0] ?? "", shout: EVIL }, { method: "POST" });
    for (const path of [`/venues?${new URLSearchParams({ query: NAME, ll: LL })}`, `/venues/${ids[0]}`, "/checkins"]) {
      await page.goto(web + path);
      expect(await page.locator("main").innerText()).toContain("<img src=x onerror=");
      await expectInert(page);
    }
  });
});

/** Opens the map's labels of the venues. */
async function hoverOverMap(page: Page): Promise<void> {
  await page.locator(".map.is-live").waitFor();
  await page.locator(".map-dot").first().dispatchEvent("mouseover");
  expect(await page.locator(".leaflet-tooltip:not(.map-name)").textContent()).toBe(OTHER);
  await page.locator(".map-pin").first().click();
  expect(await page.locator(".leaflet-popup-content strong").textContent()).toBe(NAME);
}

/** Expects that nothing executed or became an element, a handler or a link. */
async function expectInert(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    hacked: "hacked" in window,
    handlers: [...document.querySelectorAll("*")].flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith("on")),
    ),
    scripts: [...document.querySelectorAll("script")].filter((script) => !script.src.includes("/assets/")).length,
    images: [...document.querySelectorAll("img")].filter((image) => image.getAttribute("src") === "x").length,
    links: [...document.querySelectorAll("a[href]")]
      .map((link) => (link as HTMLAnchorElement).protocol)
      .filter((each) => !/^https?:$/.test(each)),
  }));
  expect(found).toEqual({ hacked: false, handlers: [], scripts: 0, images: 0, links: [] });
}
