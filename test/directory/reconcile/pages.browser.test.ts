import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, launchBrowser, openPage, screenshot } from "../../support/browser.ts";
import { API_URL, apiHost, categoryId, venueOf } from "../api/host.ts";
import { V02, V10 } from "./host.ts";

const host = await apiHost({ sample: true });
let origin: string;
let browser: Browser;
let full: string;

beforeAll(async () => {
  origin = `http://127.0.0.1:${await host.listen()}`;
  browser = await launchBrowser();
  full = await add({
    name: "Quiet Lantern Tea House",
    primaryCategoryId: categoryId("Coffee Shop"),
    address: "12 Harbor Street",
    crossStreet: "at Mill Road",
    city: "Providence",
    state: "RI",
    zip: "02903",
    phone: "+1 401 555 0142",
    twitter: "quietlantern",
    url: "https://tea.example/a-long-address/that-has-to-break-somewhere/in-a-narrow-window?really=yes",
    description: "Forty kinds of tea\nand a garden.",
  });
});
afterAll(() => browser?.close());

async function add(venue: Record<string, string>): Promise<string> {
  return venueOf(await host.asUser("/v2/venues/add", { ll: "41.8242,-71.4128", ...venue }, { method: "POST" })).id;
}

describe("a venue page", () => {
  test.each([
    { width: 1280, colorScheme: "light" as const },
    { width: 360, colorScheme: "dark" as const },
  ])("shows the directory's data, is accessible, and never scrolls sideways: %j", async (how) => {
    const page = await openPage(browser, how);
    await page.goto(`${origin}/venues/${full}`);
    await page.locator(".map.is-live").waitFor();
    expect(await page.locator("h1").textContent()).toBe("Quiet Lantern Tea House");
    const facts = await page.locator(".facts").innerText();
    for (const fact of [
      "12 Harbor Street (at Mill Road), Providence, RI 02903",
      "+1 401 555 0142",
      "41.82420, -71.41280",
      full,
    ])
      expect(facts).toContain(fact);
    expect(await page.getByText("Forty kinds of tea").count()).toBe(1);
    await look(page, `venue-${how.width}-${how.colorScheme}`);
  });

  test("links to the website without a referrer, an opener or a ranking benefit", async () => {
    const page = await openPage(browser);
    await page.goto(`${origin}/venues/${full}`);
    const site = page.locator(".facts a");
    expect(await site.getAttribute("href")).toMatch(/^https:\/\/tea\.example\//);
    expect(await site.getAttribute("rel")).toBe("noopener noreferrer nofollow ugc");
  });

  test("works without script", async () => {
    const page = await openPage(browser, { javaScript: false });
    await page.goto(`${origin}/venues/${full}`);
    expect(await page.locator(".map-points").innerText()).toMatch(/Quiet Lantern Tea House\s+41\.82420, -71\.41280/);
  });

  test.each(["nobody", "%3Cscript%3E", "a%00b", "0".repeat(200)])(
    "is an error page when there is no venue %s",
    async (id) => {
      for (const path of [`/venues/${id}`, `${V02}/preview?id=${id}`, `${V10}/preview`]) {
        const { status, headers, text } = await host.send("GET", path);
        expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
        expect(text).toContain("no venue with this id");
        expect(text).not.toContain("<script>");
      }
    },
  );

  test("for a missing venue looks like the others", async () => {
    const page = await openPage(browser, { width: 360 });
    await page.goto(`${origin}/venues/nobody`);
    await look(page, "venue-missing");
  });

  test("is the canonicalUrl of the venue, with its id unchanged", async () => {
    const venue = venueOf(await host.userless(`/v2/venues/${full}`));
    expect(venue).toMatchObject({ canonicalUrl: `${API_URL}/venues/${full}`, shortUrl: `${API_URL}/venues/${full}` });
    await host.deps.pool.query("UPDATE directory.venue SET id = 'Kept:Id.1-x_y' WHERE id = $1", [full]);
    const kept = venueOf(await host.userless("/v2/venues/Kept:Id.1-x_y"));
    expect((await host.send("GET", String(kept.canonicalUrl).slice(API_URL.length))).status).toBe(200);
    await host.deps.pool.query("UPDATE directory.venue SET id = $1 WHERE id = 'Kept:Id.1-x_y'", [full]);
  });

  test("W05: cannot be framed, and has nothing inline", async () => {
    const { headers, text } = await host.send("GET", `/venues/${full}`);
    expect(headers["content-security-policy"]).toMatch(/frame-ancestors 'none'$/);
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(text.replace(/"[^"]*"/g, '""')).not.toMatch(/\sstyle=|\son\w+=|<style|<script(?! type="" src="")/);
  });
});

describe("a venue preview", () => {
  test.each([V02, V10])("can be framed by every site, and has nothing inline (%s)", async (root) => {
    const { status, headers, text } = await host.send("GET", `${root}/preview`, { id: full });
    expect(status).toBe(200);
    expect(headers["content-security-policy"]).toMatch(/script-src 'self';.*frame-ancestors \*$/);
    expect(headers).not.toHaveProperty("x-frame-options");
    expect(text).not.toMatch(/\sstyle=|\son\w+=|<style|<script/);
  });

  test.each(["light", "dark"] as const)("fits into the frame size of the manifest (%s)", async (colorScheme) => {
    const { preview } = (await host.send("GET", V10)).body as unknown as {
      preview: { width: number; height: number };
    };
    const frame = `<iframe width="${preview.width}" height="${preview.height}" src="${origin}${V02}/preview?id=${full}"></iframe>`;
    const site = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<!doctype html><link rel="icon" href="data:,"><title>Elsewhere</title>${frame}`);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const page = await openPage(browser, { colorScheme });
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}`);
    const framed = page.frameLocator("iframe");
    await framed.getByRole("heading", { name: "Quiet Lantern Tea House" }).waitFor();
    const overflow =
      'document.documentElement.scrollHeight - innerHeight + " " + (document.documentElement.scrollWidth - innerWidth)';
    await screenshot(page, `preview-${colorScheme}`);
    expect(await page.frames()[1]?.evaluate(overflow)).toBe("0 0");
    site.close();
  });

  test("is accessible", async () => {
    const page = await openPage(browser, { width: 420 });
    await page.goto(`${origin}${V02}/preview?id=${full}`);
    await expectAccessible(page);
  });
});

async function look(page: Page, name: string): Promise<void> {
  await screenshot(page, name);
  await expectAccessible(page);
  const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  expect(overflow, `${name} scrolls sideways`).toBe(0);
}
