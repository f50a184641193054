import type { Request } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { type MadeListing, makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { launchBrowser, openPage } from "../../../support/browser.ts";
import { startWeb } from "../../web-app.ts";
import { ownerOf } from "../runs.ts";

const web = await startWeb({ env: { ADMINS: "nobody" } });
const { prisma } = web.database;
await web.logIn();
const owner = await ownerOf(web);
const browser = await launchBrowser();
afterAll(() => browser.close());

async function make(state: "matching" | "reading" = "matching", asked: MadeListing[] = []) {
  const pending: MadeListing[] = Array.from({ length: 10 }, (_, at) => ({
    name: `Shop ${at}`,
    more: { status: "pending" },
  }));
  const { id } = await makeHarmonization(web.database, owner, [...pending, ...asked], {
    directory: web.config.api.url,
    state,
  });
  return {
    id,
    ask: (number: number) =>
      prisma.listing.update({
        where: { harmonizationId_number: { harmonizationId: id, number } },
        data: { status: "asked" },
      }),
    become: (data: object) => prisma.harmonization.update({ where: { id }, data }),
  };
}

describe("the page of what runs", () => {
  it("updates itself without a reload, and becomes the results", async () => {
    const run = await make();
    const tab = await openPage(browser);
    await tab.goto(`${web.url}/login?next=/harmonizations/${run.id}`);
    await tab.getByText("0 of 10 rows").waitFor();
    await tab.evaluate("globalThis.isSamePage = true");
    await run.ask(1);
    await tab.getByText("1 of 10 rows").waitFor();
    expect(await tab.title()).toBe("10 % – shops.csv – Samespot");
    expect(await tab.evaluate("isSamePage")).toBe(true);
    await run.become({ state: "ready" });
    await tab.getByRole("heading", { name: "All rows" }).waitFor();
  });

  it("does not take back a link that is followed as the run ends", async () => {
    const run = await make("matching", [{ name: "Shop", candidates: [makeCandidate("v", 0.7)] }]);
    const tab = await openPage(browser);
    await tab.goto(`${web.url}/login?next=/harmonizations/${run.id}`);
    await tab.route("**/review", async (route) => {
      const over = tab.waitForEvent("request", { predicate: isRenewal, timeout: 3_000 }).catch(() => "not renewed");
      await run.become({ state: "ready" });
      await over;
      await route.continue().catch(() => {}); // it was taken back
    });
    const isRenewal = (request: Request) => request.url().endsWith(run.id);
    await tab.getByRole("link", { name: "Review 1 row" }).click();
    await tab.waitForURL(/\/review/);
  });

  it("refreshes without script while something may change", async () => {
    const run = await make();
    const tab = await openPage(browser, { javaScript: false });
    const address = `/harmonizations/${run.id}`;
    await tab.goto(`${web.url}/login?next=${address}`);
    expect(
      (await tab.locator("noscript meta[http-equiv=refresh]").count()) +
        (await tab.locator("meta[http-equiv=refresh]").count()),
    ).toBeGreaterThan(0);
    await run.become({ pausedFor: "person" });
    await tab.goto(web.url + address);
    expect(await tab.locator("meta[http-equiv=refresh]").count()).toBe(0);
    await tab.getByRole("button", { name: "Resume" }).waitFor();
  });
});
