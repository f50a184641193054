import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, watchProblems } from "../support/browser.ts";
import { findingsOf } from "./checks.ts";

const FRAME = (main: string) =>
  `<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,"><main><h1>A page</h1>${main}</main></html>`;
/** One fault each. */
const PAGES: Record<string, string> = {
  "/sound": FRAME('<p><a href="/sound">A link</a></p><label>Name <input name="name"></label>'),
  "/axe": FRAME("<h4>A heading that skips two levels</h4>"),
  "/console": FRAME('<script>console.error("said")</script>'),
  "/outside": FRAME('<script src="http://venues.example/x.js"></script>'),
  "/overflow": FRAME('<p style="width: 3000px">wide</p>'),
  "/name": FRAME('<div tabindex="0" style="height: 30px; width: 30px"></div>'),
  "/covered": FRAME(
    '<p><a href="/sound">A link</a></p><div style="position: fixed; inset: 0; background: white"><p>over all</p></div>',
  ),
  "/trap": FRAME(
    '<p><a href="/sound">A link</a></p><label>Text <textarea></textarea></label><p><a href="/trap">Another</a></p>' +
      '<script>document.querySelector("textarea").onkeydown = (event) => event.preventDefault()</script>',
  ),
  "/circle": FRAME(
    '<p><a href="/sound">A link</a></p><p><a id="one" href="/a">One</a> <a id="two" href="/b">Two</a></p><p><a href="/c">Another</a></p>' +
      "<script>two.onkeydown = (event) => { event.preventDefault(); one.focus(); }</script>",
  ),
  "/unreached": FRAME(
    '<p><a id="one" href="/a">One</a> <button id="two">Two</button> <a id="three" href="/c">Three</a></p>' +
      "<script>one.onkeydown = (event) => { event.preventDefault(); three.focus(); }</script>",
  ),
  "/focus": FRAME('<p><a href="/sound" style="outline: none">A link</a></p>'),
};

let browser: Browser;
let server: Server;
beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    response.writeHead(PAGES[url] ? 200 : 404, { "content-type": "text/html; charset=utf-8" }).end(PAGES[url]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  server.close();
});

async function checksThatFail(path: string): Promise<string[]> {
  const context = await browser.newContext();
  try {
    const problems = watchProblems(context);
    const page = await context.newPage();
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}${path}`, { waitUntil: "networkidle" });
    return [...new Set((await findingsOf(page, problems)).map(({ check }) => check))];
  } finally {
    await context.close();
  }
}

test("the crawl finds nothing on a page without a fault", async () =>
  expect(await checksThatFail("/sound")).toEqual([]));

test.each(["axe", "console", "outside", "overflow", "name", "covered", "focus"])(
  "the crawl notices a page that fails its check: %s",
  async (check) => expect(await checksThatFail(`/${check}`)).toContain(check),
);

test.each(["trap", "circle", "unreached"])(
  "the crawl notices by the Tab key alone where the focus does not come: %s",
  async (page) => expect(await checksThatFail(`/${page}`)).toEqual(["tab"]),
);
