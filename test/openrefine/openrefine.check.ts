import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { launchBrowser, screenshot } from "../support/browser.ts";
import { LISTINGS, PROPERTIES } from "../support/example-listings.ts";
import { startSamespot } from "../support/samespot.ts";
import { menuOf, openProject } from "./page.ts";
import { startOpenRefine } from "./program.ts";
import { createProject } from "./project.ts";

const { apiUrl } = await startSamespot({ env: { ROLES: "directory" } });
const service = `${apiUrl}/reconcile/0.2`;
let openRefine: Awaited<ReturnType<typeof startOpenRefine>>;
let browser: Browser;
beforeAll(async () => {
  [openRefine, browser] = await Promise.all([startOpenRefine(process.env.OPENREFINE ?? "openrefine"), launchBrowser()]);
});
afterAll(() => Promise.all([openRefine?.close(), browser?.close()]));

const countsIn = (rows: Awaited<ReturnType<Awaited<ReturnType<typeof createProject>>["rows"]>>) => ({
  named: rows.filter(({ recon }) => recon).length,
  found: rows.filter(({ recon }) => recon?.c?.length || recon?.j === "matched").length,
  matched: rows.filter(({ recon }) => recon?.j === "matched").length,
});

describe("OpenRefine's server", () => {
  test("finds most example listings with the default settings of its dialog", async () => {
    const project = await createProject(openRefine.url, LISTINGS);
    const [preselected] = await project.guessTypes("Name", service);
    expect(preselected).toMatchObject({ id: "venue", name: "Venue" });
    await project.reconcile("Name", service, preselected ?? null);
    const counts = countsIn(await project.rows());
    console.log("defaults:", counts);
    expect(counts.named).toBe(292);
    expect(counts.found).toBeGreaterThanOrEqual(250);
  });

  test("matches most example listings with their other columns, and adds columns of the directory", async () => {
    const project = await createProject(openRefine.url, LISTINGS);
    await project.reconcile("Name", service, { id: "venue", name: "Venue" }, PROPERTIES);
    const counts = countsIn(await project.rows());
    console.log("with columns:", counts);
    expect(counts.matched).toBeGreaterThanOrEqual(210);
    await project.extend("Name", service, [
      { id: "category", name: "Category" },
      { id: "ll", name: "Position" },
    ]);
    const filled = (await project.rows()).filter(({ cells }) =>
      cells.some((cell) => /^4\d\.\d+,-7\d\.\d+$/.test(cell ?? "")),
    );
    expect(filled).toHaveLength(counts.matched);
  });

  test("matches the example listings whatever type is selected", async () => {
    const project = await createProject(openRefine.url, LISTINGS);
    const types = await project.guessTypes("Name", service);
    const donuts = types.find(({ name }) => name === "Donut Shop");
    expect(donuts).toBeDefined();
    await project.reconcile("Name", service, donuts ?? null, PROPERTIES);
    const counts = countsIn(await project.rows());
    console.log("as donut shops:", counts);
    expect(counts.matched).toBeGreaterThanOrEqual(180);
  });
});

test("OpenRefine's page adds the service by its address, matches, previews, searches and adds a column", async () => {
  const project = await createProject(openRefine.url, LISTINGS);
  const page = await openProject(browser, project.url);

  await menuOf(page, "Name", "Reconcile", "Start reconciling");
  await page.getByText("Add standard service").click();
  await page.locator('input[bind="input"]').fill(service);
  await page.locator('[bind="addButton"]').click();
  const preselected = page.locator('input[name="type-choice"]:checked');
  await preselected.waitFor();
  expect(await preselected.inputValue()).toBe("venue");
  for (const [column, typed] of Object.entries({ Latitude: "lat", Longitude: "lon", ZIP: "postcode", Phone: "tel" })) {
    await page.locator(`input[name="include"][columnname="${column}"]`).check();
    await page.locator(`input[name="property"][columnname="${column}"]`).pressSequentially(typed);
    await page.locator(".fbs-pane:visible .fbs-item").first().click();
  }
  await screenshot(page, "openrefine-dialog");
  await page.locator('[bind="reconcileButton"]').click();

  await page.locator(".data-table a[href*='/venues/']").first().waitFor({ timeout: 60_000 });
  const { matched } = countsIn(await project.rows());
  expect(matched).toBeGreaterThanOrEqual(200);

  // OpenRefine may draw the table again under the pointer, which then has to come back.
  const preview = page.frameLocator("iframe").locator("h1, h2").first();
  const pointAt = async () => {
    await page.mouse.move(5, 500);
    await page.locator(".data-table-recon-candidate a[href*='/venues/']").first().hover();
    await preview.waitFor({ timeout: 5000 });
  };
  await vi.waitFor(pointAt, { timeout: 60_000 });
  await screenshot(page, "openrefine-preview");
  await page.mouse.move(5, 500);

  await page.getByText("Search for match").first().click();
  await page.locator(".fbs-pane:visible .fbs-item").first().waitFor();
  await screenshot(page, "openrefine-search");
  await page.locator('[bind="cancelButton"]').click();

  await menuOf(page, "Name", "Edit column", "Add columns from reconciled values");
  await page.getByText("Telephone", { exact: true }).first().click();
  await page.locator("[bind='previewContainer'] td", { hasText: /555/ }).first().waitFor();
  await screenshot(page, "openrefine-extend");
  await page.locator('[bind="okButton"]').click();
  await page.locator(".column-header-name", { hasText: "Telephone" }).waitFor();
});
