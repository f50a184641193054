import { expect, test } from "vitest";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await web.logIn();
const SEARCH = "/venues?query=coffee&ll=41.8%2C-71.4&limit=50";
const [venue = ""] = /\/venues\/[0-9a-f]{24}/.exec((await browser.get(SEARCH)).body) ?? [];

/** Where the breadcrumb of the venue's page leads for this Referer. */
async function wayBack(referer: string | undefined): Promise<string> {
  const { body } = await browser.get(venue, referer === undefined ? {} : { referer });
  return /aria-label="Breadcrumb"><ol><li><a href="([^"]*)"/.exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "";
}

test("the page of a venue links back to the search it was opened from, with its words, place and length", async () => {
  expect(await wayBack(web.url + SEARCH)).toBe(SEARCH);
  expect((await browser.get(await wayBack(web.url + SEARCH))).body).toContain("1 match for “coffee”");
});

test.each([
  undefined,
  "",
  "/venues?query=x",
  "https://evil.example/venues?query=x",
  `https://evil.example/?${SEARCH}`,
  `${web.url}.evil.example/venues?query=x`,
  `${web.url}@evil.example/venues?query=x`,
  `${web.url}/`,
  `${web.url}/checkins`,
  `${web.url}/venues/new?name=x`,
  `${web.url}/login?next=/venues?query=x`,
  `${web.url}/venues?query=<script>`,
  `${web.url}/venues?${"x".repeat(15_000)}`.slice(0, 15_000),
])("the page of a venue opened from %s links to an empty search", async (referer) => {
  expect(await wayBack(referer)).toBe("/venues");
});

test("the parameter `near` is read like `ll`, and the form uses `ll`", async () => {
  web.directory.reset();
  const page = await browser.get("/venues?query=coffee&near=41.8,-71.4");
  expect(web.directory.requests.find(({ path }) => path === "/v2/venues/search")?.params.ll).toBe("41.8,-71.4");
  expect(page.body).toMatch(/<input[^>]* name="ll"[^>]* value="41.8,-71.4"/);
  expect(page.body).not.toContain('name="near"');
  expect((await browser.get("/venues?near=1")).status).toBe(400);
  expect((await browser.get("/venues?near=1,2&near=3,4")).status).toBe(400);
  await browser.get("/venues?query=tea&ll=1,2&near=3,4");
  expect(web.directory.requests.find(({ params }) => params.query === "tea")?.params.ll).toBe("1,2");
});
