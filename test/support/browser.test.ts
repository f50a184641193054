import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { expectAccessible, launchBrowser, openPage, screenshot } from "./browser.ts";

const POLICY = "default-src 'self'; script-src 'self'";
const PAGES: Record<string, string> = {
  "/good":
    '<html lang="en"><title>Good</title><main><h1>Good</h1><p id="js">off</p></main><script src="/on.js"></script>',
  "/on.js":
    'document.getElementById("js").textContent = "on"; document.title = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";',
  "/bad": '<html lang="en"><title>Bad</title><main><h1>Bad</h1><img src="/missing.png"><input name="q"></main>',
  "/inline":
    '<html lang="en"><title>Inline</title><main><h1>Inline</h1></main><script>document.title = "ran";</script>',
  "/throws": '<html lang="en"><title>Throws</title><main><h1>Throws</h1></main><script src="/throws.js"></script>',
  "/throws.js": 'console.error("said"); throw new Error("thrown");',
  "/away":
    '<html lang="en"><title>Away</title><main><h1>Away</h1></main><script src="http://venues.example/x.js"></script>',
};

let browser: Browser;
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const page = PAGES[request.url ?? ""];
    if (request.url === "/leave") return response.writeHead(302, { location: "http://192.0.2.1/" }).end();
    const type = request.url?.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8";
    response.writeHead(page ? 200 : 404, { "content-type": type, "content-security-policy": POLICY });
    response.end(page ?? '<html lang="en"><title>Not found</title><h1>Not found</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  server.close();
});

/** Returns the problems so far, and removes them so that the test does not fail. */
const takeProblems = (page: { problems: string[] }) => page.problems.splice(0);

describe("a test browser page", () => {
  it("has the requested width, colours and script setting", async () => {
    const page = await openPage(browser, { width: 390, colorScheme: "dark" });
    await page.goto(`${origin}/good`);
    expect(await page.locator("#js").textContent()).toBe("on");
    expect(await page.title()).toBe("dark");
    expect(page.viewportSize()?.width).toBe(390);
    expect(page.problems).toEqual([]);
  });

  it("shows the content for readers without script", async () => {
    const page = await openPage(browser, { javaScript: false });
    await page.goto(`${origin}/good`);
    expect(await page.locator("#js").textContent()).toBe("off");
  });

  it("records a violation of the Content-Security-Policy", async () => {
    const page = await openPage(browser);
    await page.goto(`${origin}/inline`);
    expect(await page.title()).toBe("Inline");
    expect(takeProblems(page)).toEqual([expect.stringContaining("Content Security Policy")]);
  });

  it("records script and console errors", async () => {
    const page = await openPage(browser);
    await page.goto(`${origin}/throws`);
    expect(takeProblems(page).sort()).toEqual(["console: said", "page error: thrown"]);
  });

  it("records a missing image, but not the status of the page itself", async () => {
    const page = await openPage(browser);
    await page.goto(`${origin}/no-such-page`);
    expect(page.problems).toEqual([]);
    await page.goto(`${origin}/bad`);
    expect(takeProblems(page)).toEqual(["resource: 404 for /missing.png"]);
  });

  it("reaches no other machine, neither from a page nor by a redirect", async () => {
    const page = await openPage(browser);
    await page.goto(`${origin}/away`);
    expect(takeProblems(page)).toContainEqual("request to another machine: http://venues.example");
    await expect(page.goto(`${origin}/leave`)).rejects.toThrow("ERR_NAME_NOT_RESOLVED");
    expect(takeProblems(page)).toEqual(["request to another machine: http://192.0.2.1"]);
  });
});

describe("the accessibility check", () => {
  it("passes a plain page", async () => {
    const page = await openPage(browser);
    await page.goto(`${origin}/good`);
    await expectAccessible(page);
  });

  it("names the rule and element of each finding", async () => {
    const page = await openPage(browser);
    await page.goto(`${origin}/bad`);
    const findings = await expectAccessible(page).then(() => "", String);
    expect(findings).toContain("/bad is not accessible");
    expect(findings).toMatch(/image-alt: .*\n {2}<img src="\/missing.png">/);
    expect(findings).toMatch(/label: .*\n {2}<input name="q">/);
    takeProblems(page);
  });
});

describe("a screenshot", () => {
  it("is stored in the folder that SCREENSHOTS names", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "screenshots-"));
    vi.stubEnv("SCREENSHOTS", folder);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    });
    const page = await openPage(browser);
    await page.goto(`${origin}/good`);
    await screenshot(page, "good");
    expect(readdirSync(folder)).toEqual(["good.png"]);
  });
});
