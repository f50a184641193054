import { afterAll, expect, test } from "vitest";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { manyListings, startRuns } from "../runs.ts";

const { web, owner } = await startRuns();
const browser = await launchBrowser();
afterAll(() => browser.close());

const COLOURS = `(() => {
  const probe = document.body.appendChild(document.createElement("span"));
  probe.style.color = "var(--danger)";
  const [wanted, found] = [probe, document.querySelector("#cut-error")].map((node) => getComputedStyle(node).color);
  probe.remove();
  return { wanted, found };
})()`;

test("an impossible limit is refused in the colour of errors", async () => {
  const { id } = await makeHarmonization(web.database, owner, manyListings(), { directory: web.directory.baseUrl });
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=/harmonizations/${id}`);
  await page.getByText("Accepting from").click();
  await page.getByLabel("Review at or above (%)").fill("99.99");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByText("Review at or above: enter a number").waitFor();
  const { wanted, found } = (await page.evaluate(COLOURS)) as { wanted: string; found: string };
  expect(found).toBe(wanted);
  page.problems.length = 0; // the status of the page, 400, is meant
  await expectPresentable(page, "cuts-refused");
});

test("in Spanish the slider and its ends show a decimal comma, also once it is moved", async () => {
  const { id } = await makeHarmonization(web.database, owner, manyListings(), { directory: web.directory.baseUrl });
  const page = await openPage(browser);
  await page.setExtraHTTPHeaders({ "accept-language": "es" });
  await page.goto(`${web.url}/login?next=/harmonizations/${id}`);
  await page.getByText("Acepta desde").click();
  expect(await page.locator(".cuts-ends span").allTextContents()).toEqual(["50 %", "99,9 %"]);
  const [slider, number] = [page.getByRole("slider"), page.locator("#cut")];
  await slider.fill("97.5");
  expect(await number.inputValue()).toBe("97,5");
  expect(await slider.getAttribute("aria-valuetext")).toMatch(/^97,5 /);
  expect(await page.locator("[data-cuts-chosen]").inputValue()).toBe("97.5");
});
