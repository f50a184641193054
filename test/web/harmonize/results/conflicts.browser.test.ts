import { afterAll, expect, test } from "vitest";
import { searchConflicts } from "../../../../src/harmonize/conflicts/search.ts";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { expectAccessible, expectPresentable, launchBrowser, openPage, screenshot } from "../../../support/browser.ts";
import { startWeb } from "../../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());
const directory = web.config.api.url;
const account = () => web.database.prisma.account.findFirstOrThrow({ orderBy: { createdAt: "desc" } });

const on = (venue: string, name: string, more: object = {}) => ({
  name,
  candidates: [makeCandidate(venue, 0.95)],
  more: { isClear: true, ...more },
});
const LISTINGS = [
  on("v1", "Joe’s Pizza <b>Palace</b>"),
  on("v1", "Joe’s Pizza"),
  on("v2", "Harbor Books", { ownId: "17" }),
  on("v3", "Harbour Books", { ownId: "17" }),
  { name: "Upside Down Café", more: { query: { name: "Upside Down Café", ll: { lat: -71.41, lng: 41.83 } } } },
  ...Array.from({ length: 6 }, (_, each) => ({
    name: `Shop ${each}`,
    more: { query: { name: `Shop ${each}`, ll: { lat: 41.8236, lng: -71.4222 } } },
  })),
];

test("the conflicts page counts and shows conflicts, at each width and colour scheme", async () => {
  const page = await openPage(browser, { width: 360, colorScheme: "dark" });
  await page.goto(`${web.url}/login?next=/settings`);
  const { id: accountId } = await account();
  const { id } = await makeHarmonization(web.database, accountId, LISTINGS, { directory, name: "Stores & more.csv" });
  await page.goto(`${web.url}/harmonizations/${id}/conflicts`);
  expect(await page.locator(".stats dd").allTextContents()).toEqual(["1", "1", "0", "1", "1"]);
  const links = page.locator(".conflicts .rows li li a");
  expect(await links.first().getAttribute("href")).toBe(`/harmonizations/${id}/review/1`);
  expect(await links.first().textContent()).toBe("Joe’s Pizza <b>Palace</b>");
  const [group = ""] = await page.locator(".conflicts .rows > li").allTextContents();
  expect(group.split("Venue v1").length, "the venue is named once").toBe(2);
  await page.getByText("Latitude and longitude swapped: -71.41, 41.83 should perhaps be 41.83, -71.41").waitFor();
  await page.getByText("The id 17 is in 2 rows: matched to 2 venues").waitFor();
  await expectPresentable(page, "conflicts");
});

test("the conflicts page reports that there are none, and is not found for a file that the member may not see", async () => {
  web.directory.signIn("Ann");
  const ann = await web.logIn();
  const { id: accountId } = await account();
  const { id } = await makeHarmonization(web.database, accountId, LISTINGS.slice(1, 3), { directory });
  const { status, body } = await ann.get(`/harmonizations/${id}/conflicts`);
  expect([status, body.includes("No conflicts")]).toEqual([200, true]);
  web.directory.signIn("Bob");
  expect((await (await web.logIn()).get(`/harmonizations/${id}/conflicts`)).status).toBe(404);
});

test("a shifted file is reported first, with distance and direction", async () => {
  web.directory.signIn("Cy");
  const cy = await web.logIn();
  const { id: accountId } = await account();
  const shifted = Array.from({ length: 25 }, (_, each) => {
    const ll = { lat: 41.8182 + each / 1e6, lng: -71.41 };
    return {
      name: "Shop",
      candidates: [makeCandidate(`s${each}`, 0.95)],
      more: { isClear: true, query: { name: "Shop", ll } },
    };
  });
  const { id } = await makeHarmonization(web.database, accountId, shifted, { directory });
  const { body } = await cy.get(`/harmonizations/${id}/conflicts`);
  expect(body).toContain("The whole file is shifted.");
  expect(body).toMatch(/about (19|20)\d? m south of their venues, according to 25 clear matches/);
});

test("for a large file the conflicts page shows the progress of the search, then its result and age, and can repeat it", async () => {
  const page = await openPage(browser, { width: 360 });
  await page.goto(`${web.url}/login?next=/settings`);
  const { id: accountId } = await account();
  const more = { directory, name: "Large.csv", listingCount: 1_000_000 };
  const h = await makeHarmonization(web.database, accountId, LISTINGS, more);
  await page.goto(`${web.url}/harmonizations/${h.id}/conflicts`);
  await page.getByRole("progressbar", { name: "Searching for conflicts" }).waitFor();
  await page.getByText("0 of 1,000,000 rows searched so far. Conflicts appear here when the search is done.").waitFor();
  await page.getByText("No worker is running at the moment").waitFor();
  const still = await page.context().newPage();
  await still.route("**/conflicts", async (route) => {
    const response = await route.fetch();
    const { refresh, ...headers } = response.headers();
    expect(refresh).toBe("2");
    await route.fulfill({ response, headers });
  });
  await still.goto(page.url());
  await expectAccessible(still);
  await screenshot(still, "conflicts-finding");
  await still.close();
  const deps = { ...web.database, databaseUrl: web.config.databaseUrl ?? "", directoryUrl: directory };
  const found = { ...h, listingCount: LISTINGS.length };
  await searchConflicts(deps, found, { signal: new AbortController().signal });
  await page.getByText("Found just now.").waitFor(); // it refreshes by itself
  expect(await page.locator(".stats dd").allTextContents()).toEqual(["1", "1", "0", "1", "1"]);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Search again" }).click();
  await page.getByText("The earlier results are below.").waitFor();
  expect(await page.locator(".stats dd").allTextContents()).toEqual(["1", "1", "0", "1", "1"]);
});
