import { afterAll, expect, test } from "vitest";
import { expectPresentable, expectPresentableNow, launchBrowser, openPage } from "../../support/browser.ts";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());

const LISTING = {
  ...{ name: "Joe’s Pizza Palace", ll: "41.8236,-71.4222", address: "12 Main Street", city: "Providence" },
  ...{ zip: "02903", phone: "+1 401 555 0100", twitter: "@joespizza" },
};
const PATH = `/venues?${new URLSearchParams({ intent: "match", ...LISTING })}`;

const venue = (index: number, name: string, address: string, score: number, evidence: [number, string][]) => ({
  ...{ id: `a${index}`, name, score, contact: { phone: "4015550100", formattedPhone: "(401) 555-0100" } },
  location: {
    ...{ address, city: "Providence", postalCode: "02903" },
    lat: 41.8236 + index / 3000,
    lng: -71.4222,
    distance: 37 * index,
  },
  categories: [{ id: "c1", name: "Pizzeria" }],
  evidence: evidence.map(([weight, text]) => ({ comparison: "c", weight, text })),
});
const VENUES = [
  venue(1, "Joe's Pizza", "12 Main St", 0.976, [
    [3, "same phone"],
    [2.4, "names similar except “palace”"],
    [-0.4, "37 m apart"],
    [0.2, "same postal code"],
  ]),
  venue(2, "Palace Theater", "14 Main Street", 0.35, [
    [1.1, "names 41 % alike"],
    [-0.9, "different house number"],
  ]),
  venue(3, "Joe’s Pizza Palace Parking", "Main Street Mall, Level 1", 0.28, [
    [2, "names 81 % alike"],
    [-1.8, "one may be part of the other"],
  ]),
  venue(4, "Pizza Queen", "44 Far Road", 0.21, [[-2, "148 m apart"]]),
];
const answer = (response: object) =>
  web.directory.behave("/v2/venues/search", answers(200, { meta: { code: 200 }, response }));

test("the match pages are accessible at each width and colour scheme", async () => {
  const page = await openPage(browser, { width: 390, colorScheme: "dark" });
  await page.goto(`${web.url}/login?next=/venues`);
  await page.getByRole("link", { name: "Address or phone" }).click();
  await page.getByRole("heading", { name: "Which venue is it?" }).waitFor();
  await expectPresentableNow(page, "match-empty");
  for (const [label, typed] of [
    ["Name", LISTING.name],
    ["Position", LISTING.ll],
    ["Phone", LISTING.phone],
  ] as const)
    await page.getByLabel(label).first().fill(typed);
  answer({ venues: VENUES.slice(1) });
  await page.getByRole("button", { name: "Match" }).click();
  await page.getByRole("heading", { name: "No venue matches" }).waitFor();
  await expectPresentableNow(page, "match-none");
  await page.goto(`${web.url}${PATH.replace("02903", "~")}`);
  await expectPresentableNow(page, "match-wrong");

  answer({ venues: VENUES, confident: true });
  await page.goto(web.url + PATH);
  await page.getByRole("heading", { name: "This is the same place: Joe's Pizza" }).waitFor();
  await page.locator(".map-listing").waitFor();
  expect(await page.locator(".map-pin").allTextContents()).toEqual(["1", "2", "3", "4"]);
  await expectPresentable(page, "match-same");
});

test("a listing is matched without script, and with script by keyboard alone", async () => {
  answer({ venues: VENUES });
  const plain = await openPage(browser, { javaScript: false });
  await plain.goto(`${web.url}/login?next=${encodeURIComponent("/venues?intent=match")}`);
  await plain.getByLabel("Name", { exact: true }).fill(LISTING.name);
  await plain.getByLabel("Position").fill(LISTING.ll);
  await plain.getByLabel("Position").press("Enter");
  await plain.getByRole("heading", { name: "Probably the same place: Joe's Pizza" }).waitFor();
  expect(new URL(plain.url()).searchParams.get("name")).toBe(LISTING.name);
  const fourth = plain.locator(".match-card").nth(3);
  expect(await fourth.getByRole("table").isVisible(), "only the first few are compared in sight").toBe(false);
  await fourth.locator("summary").focus();
  await plain.keyboard.press("Enter");
  await fourth.getByRole("row", { name: "Address" }).waitFor();
});
