import { parse } from "csv-parse/sync";
import { afterAll, expect, test } from "vitest";
import { newList } from "../../../src/harmonize/run/lists.ts";
import { makeCandidate, makeHarmonization } from "../../harmonize/rows.ts";
import { expectPresentable, expectPresentableNow, launchBrowser, openPage } from "../../support/browser.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());

const on = (venue: string, name: string) => ({
  name,
  candidates: [makeCandidate(venue, 0.95)],
  more: { isClear: true, matchedAt: new Date("2026-03-04T05:06:00Z") },
});

/** A file of the person who logged in last. */
async function makeFile() {
  const { id } = await web.database.prisma.account.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  const listings = [on("v1", "Joe’s Pizza"), on("v2", "=Harbor Books"), { name: "Nowhere" }];
  const more = { directory: web.config.api.url, name: "stores <2026>.csv" };
  return makeHarmonization(web.database, id, listings, more);
}

test("pasted ids are looked up, at each width and colour scheme", async () => {
  const page = await openPage(browser, { width: 360, colorScheme: "dark" });
  await page.goto(`${web.url}/login?next=/mappings`);
  await page.getByRole("heading", { name: "No matches yet" }).waitFor();
  await expectPresentableNow(page, "mappings-empty");
  const { id } = await makeFile();
  await page.getByLabel("Ids").fill("own-1\nv2, nobody\nown-3");
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByText("2 mappings found, 1 row without a venue, 1 unknown id").waitFor();
  expect(new URL(page.url()).searchParams.get("ids")).toBe("own-1\r\nv2, nobody\r\nown-3");
  expect(await page.getByLabel("Ids").inputValue()).toBe("own-1\nv2, nobody\nown-3");
  expect(await page.locator("tbody th a").allTextContents()).toEqual(["own-1", "own-2", "own-3"]);
  expect(await page.locator("tbody td a").first().getAttribute("href")).toBe("/venues/v1");
  expect(await page.locator("tbody td a").nth(1).getAttribute("href")).toBe(`/harmonizations/${id}`);
  expect(await page.locator(".id-list code").allTextContents()).toEqual(["nobody"]);
  await expectPresentable(page, "mappings");
  for (const _ of ["once", "and soon again"]) {
    const downloading = page.waitForEvent("download");
    await page.locator("button:not([data-busy])", { hasText: "Download as CSV" }).click({ timeout: 8_000 });
    expect((await downloading).suggestedFilename()).toBe("mappings.csv");
  }
});

test("a thousand ids are looked up; more are refused, and the input is kept", async () => {
  web.directory.signIn("Ann");
  const ann = await web.logIn();
  await makeFile();
  const ids = (count: number) =>
    Array.from({ length: count }, (_, each) => `own-0000000000000000000000000${each}`).join("\r\n");
  const form = await ann.get("/mappings");
  const many = await ann.submit(form, "/mappings", { ids: `own-1\r\n${ids(999)}` });
  expect([many.status, many.body.includes("1 mapping found, 999 unknown ids")]).toEqual([200, true]);
  const tooMany = await ann.submit(form, "/mappings", { ids: ids(1001) });
  expect(tooMany.status).toBe(400);
  expect(tooMany.body).toContain("Look up at most 1000 at once.");
  expect(tooMany.body).toContain("own-00000000000000000000000001000</textarea>");
  const file = await ann.submit(form, "/mappings", { ids: "v2", format: "csv" });
  expect(file.headers.get("content-disposition")).toContain('filename="mappings.csv"');
  const [row] = parse(file.body, { columns: true, bom: true }) as Record<string, string>[];
  expect(row).toMatchObject({
    listing_id: "own-2",
    listing_name: "'=Harbor Books",
    decided_by: "rule",
    superseded: "no",
  });
});

test("the character 0 is removed from an id", async () => {
  web.directory.signIn("Bob");
  const bob = await web.logIn();
  await makeFile();
  const form = await bob.get("/mappings");
  const asked = [
    await bob.get("/mappings?ids=own%00-1"),
    await bob.submit(form, "/mappings", { ids: "own\0-1", format: "csv" }),
  ];
  for (const { status, body } of asked) expect([status, body.includes("Joe’s Pizza")]).toEqual([200, true]);
});

test("the page says if not all files are searched", async () => {
  web.directory.signIn("Cy");
  const cy = await web.logIn();
  const { accountId } = await makeFile();
  const of = { accountId, directory: web.config.api.url, name: "old.csv" };
  const file = { ...of, listId: await newList(web.database.prisma, of), state: "ready" as const };
  await web.database.prisma.harmonization.createMany({ data: Array.from({ length: 200 }, () => file) });
  expect((await cy.get("/mappings")).body).toContain("the 200 newest files you can see");
});

test("guests log in first, and return to their query", async () => {
  const guest = await web.newBrowser().get("/mappings?ids=own-1");
  expect([guest.status, new URL(guest.location).searchParams.get("next")]).toEqual([303, "/mappings?ids=own-1"]);
});

test("a mapping names a decider whose name is a property of objects", async () => {
  web.directory.signIn("constructor");
  const person = await web.logIn();
  const { id, accountId } = await makeFile();
  const decided = { decision: "matched", decidedHow: "person", decidedBy: accountId, venueId: "v1" } as const;
  await web.database.prisma.listing.updateMany({ where: { harmonizationId: id, number: 1 }, data: decided });
  const { status, body } = await person.get("/mappings?ids=own-1");
  expect([status, body.includes("by <bdi>constructor</bdi>")]).toEqual([200, true]);
});
