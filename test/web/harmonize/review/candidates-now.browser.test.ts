import { afterAll, test } from "vitest";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { gone, newCard, startCards, tells, venue } from "./cards.ts";

const web = await startCards();
const browser = await launchBrowser();
afterAll(() => browser.close());

test("a review card with renamed candidates is presentable in Chrome", async () => {
  tells(web, [venue("v1", { name: "A Venue with a Quite Different and Rather Long Name" }), venue("v9"), gone]);
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=${await newCard(web)}`);
  await page.getByText("Renamed since").waitFor();
  await expectPresentable(page, "review-renamed");
});
