import { afterAll, expect, test } from "vitest";
import { makeHarmonization } from "../../harmonize/rows.ts";
import { expectPresentable, launchBrowser, openPage } from "../../support/browser.ts";
import { manyListings, startRuns } from "./runs.ts";

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft.csv";
const ARABIC = "قائمة المقاهي.csv";

const { web, owner, fay, gus } = await startRuns();
const browser = await launchBrowser();
afterAll(() => browser.close());

const directory = web.directory.baseUrl;
const make = (name: string, more: Parameters<typeof makeHarmonization>[3]) =>
  makeHarmonization(web.database, owner, manyListings(), { name, ...more });
const matched = await make(LONG, { directory });
await make("shared.csv", { directory, isShared: true, pausedFor: "person", state: "matching" });
await make(ARABIC, { directory, state: "draft", listingCount: 0 });

test("the list of files shows a bar, the counts, the way to the review, and the owner of what others share", async () => {
  const { body } = await fay.get("/harmonizations");
  const own = body.slice(body.indexOf(LONG), body.indexOf("</li>", body.indexOf(LONG)));
  expect(own).toContain("120 rows");
  expect(own).toContain("71 matched · 24 to review · 21 no match · 4 failed");
  expect(own.match(/<rect class="outcome-\w+"/g)).toHaveLength(4);
  expect(own).toContain(`href="/harmonizations/${matched.id}/review">Review 24<`);
  const others = (await gus.get("/harmonizations")).body;
  expect(others).toContain("Shared by Fay");
  expect(others).not.toContain(LONG);
});

test("home shows a member their own files in progress, and no others", async () => {
  const { body } = await fay.get("/");
  for (const shown of [ARABIC, "shared.csv", "Review 24", "Not started", "Paused"]) expect(body).toContain(shown);
  expect((await gus.get("/")).body).not.toMatch(/In progress|shared\.csv/);
});

test("a file whose listings are all decided is not in progress", async () => {
  await web.database.prisma.listing.updateMany({
    where: { harmonizationId: matched.id, status: "asked" },
    data: { decision: "rejected", decidedHow: "person" },
  });
  await expect.poll(async () => (await fay.get("/")).body).not.toContain("Review 24");
  expect((await fay.get("/")).body).not.toContain(LONG);
});

test("home and the list of files fit narrow and dark windows, and the example is one click away", async () => {
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=/harmonizations`);
  await page.getByRole("heading", { name: "Your files" }).waitFor();
  await expectPresentable(page, "files");
  await page.goto(`${web.url}/`);
  await page.getByRole("heading", { name: "In progress" }).waitFor();
  await expectPresentable(page, "home-in-progress");
  await page.getByRole("button", { name: "Try our example" }).press("Enter");
  await page.getByRole("heading", { name: "listings.csv" }).waitFor();
});

test("the title of a time is in the reader's time zone, and in UTC without script", async () => {
  const time = async (page: Awaited<ReturnType<typeof openPage>>) => {
    await page.locator(".runs time").first().hover();
    return page.locator(".runs time").first().getAttribute("title");
  };
  const page = await openPage(browser, { timeZone: "America/New_York" });
  await page.goto(`${web.url}/login?next=/harmonizations`);
  await page.getByRole("heading", { name: "Your files" }).waitFor();
  const at = new Date((await page.locator(".runs time").first().getAttribute("datetime")) ?? "");
  const clock = at.toLocaleTimeString("en-US", { timeStyle: "short", timeZone: "America/New_York" });
  expect(await time(page)).toMatch(new RegExp(`day, .* ${clock}$`));
  const plain = await openPage(browser, { timeZone: "America/New_York", javaScript: false });
  await plain.goto(`${web.url}/login?next=/harmonizations`);
  expect(await time(plain)).toMatch(/, \d\d?:\d\d( [AP]M)? UTC$/);
});
