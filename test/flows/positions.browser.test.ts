import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Prisma } from "../../src/db/generated/client.ts";
import type { Positions } from "../../src/harmonize/run/positions.ts";
import { expectPresentable, launchBrowser } from "../support/browser.ts";
import { startSamespot } from "../support/samespot.ts";
import { visitorsOf } from "./visitor.ts";
import { logIn, type Visitor } from "./walk.ts";

const site = await startSamespot();
const { prisma } = site.database;
const text = await readFile("examples/listings.csv", "utf8");
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function enter(): Promise<Visitor> {
  const visitor = await visitorsOf(site, () => browser)({ name: "positions" });
  await logIn({ ...visitor, look: async () => {} });
  return visitor;
}

type Change = (lat: number, lng: number, row: number) => [lat: number, lng: number];
const swap: Change = (lat, lng) => [lng, lat];

function changed(change: Change): string {
  const [header = "", ...lines] = text.trimEnd().split("\n");
  const positions = /^((?:[^,"]*|"(?:[^"]|"")*"),(?:[^,"]*|"(?:[^"]|"")*")),(-?[\d.]+),(-?[\d.]+),/;
  const spoilt = lines.map((line, row) =>
    line.replace(positions, (_, before, lat, lng) => `${[before, ...change(+lat, +lng, row)].join(",")},`),
  );
  return [header, ...spoilt].join("\n");
}

/** Uploads the file and opens its draft; also returns the judgement of its positions. */
async function upload(page: Page, file: string): Promise<{ id: string; found: Positions }> {
  await page.goto(`${site.webUrl}/harmonizations`);
  await page.locator("textarea[name=text]").evaluate((field, value) => Object.assign(field, { value }), file);
  await page.locator("form:has(textarea[name=text])").evaluate((form) => (form as { submit?: () => void }).submit?.());
  await page.getByRole("button", { name: /^Match / }).waitFor();
  const id = page.url().split("/").at(-1) ?? "";
  const positions = async () => (await prisma.harmonization.findUniqueOrThrow({ where: { id } })).positions;
  await expect.poll(positions).not.toBeNull();
  await page.reload();
  return { id, found: (await positions()) as unknown as Positions };
}

async function startAndWait(page: Page, id: string): Promise<Record<string, string>[]> {
  await page.getByRole("button", { name: /^Match / }).click();
  await expect.poll(async () => (await prisma.harmonization.findUniqueOrThrow({ where: { id } })).state).toBe("ready");
  const exported = await page.request.get(`${site.webUrl}/harmonizations/${id}/export?format=csv`);
  return parse(await exported.text(), { columns: true, bom: true }) as Record<string, string>[];
}
const matched = (rows: Record<string, string>[]) => rows.filter(({ decision }) => decision === "matched").length;
const heading = (page: Page) => page.locator("#positions-title");

test("F30: the example file starts without a question about positions", async () => {
  const { page } = await enter();
  const { id, found } = await upload(page, text);
  expect(found).toMatchObject({ verdict: "fine", by: "places" });
  expect(await heading(page).count()).toBe(0);
  expect(matched(await startAndWait(page, id))).toBeGreaterThan(150);
  await page.goto(`${site.webUrl}/harmonizations/${id}`);
  expect(await heading(page).count()).toBe(0);
});

test.each<[string, Change, string, string]>([
  ["swapped", swap, "Latitude and longitude seem to be swapped.", "Swap them back"],
  [
    "of which 60 % are swapped",
    (lat, lng, row) => (row % 5 < 3 ? [lng, lat] : [lat, lng]),
    "Latitude and longitude seem to be swapped.",
    "Swap them back",
  ],
])(
  "F30: the example %s waits for the owner's answer, and matches after the repair",
  async (_what, change, seems, button) => {
    const { page, look } = await enter();
    const file = changed(change);
    const { id, found } = await upload(page, file);
    expect(found).toMatchObject({ verdict: "wrong" });
    expect(await heading(page).textContent()).toContain(seems);
    // The pages differ in a few words.
    if (change === swap) await expectPresentable(page, "positions/draft");
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: /^Match / }).click();
    await page.getByText("First confirm whether the positions are right.").waitFor();
    expect(await prisma.harmonization.findUniqueOrThrow({ where: { id } })).toMatchObject({ state: "draft" });
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    if (change === swap) await look("draft-answered");
    const rows = await startAndWait(page, id);
    expect(matched(rows)).toBeGreaterThan(150);
    expect(rows.find((row) => row["Store ID"] === "RI-0001")?.Latitude).toBe(
      (parse(file, { columns: true }) as Record<string, string>[])[0]?.Latitude,
    );
    expect(rows.filter(({ reason }) => reason?.includes("position: ")).length).toBeGreaterThan(150);
  },
);

test("F30: a swapped file started without an answer shows the question, adds nothing, and restarts with the repair", async () => {
  const { page, look } = await enter();
  await page.goto(`${site.webUrl}/harmonizations`);
  const { id } = await upload(page, changed(swap));
  // As if started before the judgement.
  await prisma.harmonization.update({ where: { id }, data: { state: "reading", positions: Prisma.DbNull } });
  const row = () => prisma.harmonization.findUniqueOrThrow({ where: { id } });
  await expect.poll(async () => (await row()).state).toBe("ready");
  await expect.poll(async () => (await row()).positions).not.toBeNull();
  await page.goto(`${site.webUrl}/harmonizations/${id}`);
  expect(await heading(page).textContent()).toBe("Latitude and longitude seem to be swapped.");
  expect(await page.getByRole("link", { name: /as new$/ }).count()).toBe(0);
  await expectPresentable(page, "positions/results");
  await page.setViewportSize({ width: 1280, height: 900 });
  const venues = await prisma.venue.count();
  const csrf = await page.locator("input[name=_csrf]").first().inputValue();
  const { id: categoryId } = { id: "4bf58dd8d48988d1e0931735" };
  const pressed = await page.request.post(`${site.webUrl}/harmonizations/${id}/add`, {
    form: { _csrf: csrf, categoryId },
    headers: { origin: site.webUrl },
  });
  expect(await pressed.text()).toContain("Until then no venues are added.");
  expect([(await row()).state, await prisma.venue.count()]).toEqual(["ready", venues]);
  await page.goto(`${site.webUrl}/harmonizations/${id}/conflicts`);
  expect(await heading(page).textContent()).toBe("Latitude and longitude seem to be swapped.");
  expect(await page.getByText("No conflicts").count()).toBe(0);
  await look("conflicts");
  await page.goto(`${site.webUrl}/harmonizations/${id}`);
  await page.getByRole("button", { name: "Begin again: swap them back" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  const again = page.url().split("/").at(-1) ?? "";
  expect(again).not.toBe(id);
  expect(matched(await startAndWait(page, again))).toBeGreaterThan(150);
});
