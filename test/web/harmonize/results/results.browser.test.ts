import { afterAll, describe, expect, it } from "vitest";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { expectAccessible, launchBrowser, openPage, screenshot } from "../../../support/browser.ts";
import { startWeb } from "../../web-app.ts";
import { manyListings, ownerOf } from "../runs.ts";

const web = await startWeb();
const { prisma } = web.database;
const browser = await launchBrowser();
afterAll(() => browser.close());

await web.logIn();
const owner = await ownerOf(web);
const make = (every = 1) => {
  const listings = manyListings().filter((_, at) => at % every === 0);
  return makeHarmonization(web.database, owner, listings, { directory: web.config.api.url });
};

describe("the pages", () => {
  it.each([
    [1280, "light", ["results", "progress"]],
    [360, "dark", ["results", "failed", "manage", "add", "progress"]],
  ] as const)("are accessible at %i pixels in %s", async (width, colorScheme, looks) => {
    const { id } = await make(8);
    const tab = await openPage(browser, { width, colorScheme });
    const address = `${web.url}/harmonizations/${id}`;
    const ways: Record<(typeof looks)[number], () => Promise<unknown>> = {
      results: () => tab.getByRole("heading", { name: "All rows" }).waitFor({ state: "attached" }),
      manage: async () => {
        await tab.getByText("More", { exact: true }).click();
        await tab.getByText("Delete…").click();
      },
      failed: () => tab.goto(`${address}?show=failed`),
      add: async () => {
        await tab.goto(`${address}/add`);
        await tab.locator("html.is-painted").waitFor(); // with the rows below the window, also on paper
      },
      progress: async () => {
        await prisma.harmonization.update({ where: { id }, data: { state: "matching", pausedFor: "connection" } });
        await tab.goto(address);
        expect(await tab.locator(".run-progress .btn-primary").allTextContents()).toEqual(["Connect again"]);
        expect(await tab.getByRole("link", { name: "Review 3 rows" }).isVisible()).toBe(true);
        await tab.getByText("Cancel…").click();
      },
    };
    await tab.goto(`${web.url}/login?next=/harmonizations/${id}`);
    for (const name of looks) {
      await ways[name]();
      await expectAccessible(tab);
      expect(await tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${name} fits`).toBe(true);
      await screenshot(tab, `harmonize-${name}-${width}-${colorScheme}`);
    }
  });

  it("give one format after another: the button of a download is soon free again", async () => {
    const { id } = await make(8);
    const tab = await openPage(browser);
    await tab.goto(`${web.url}/login?next=/harmonizations/${id}`);
    await tab.locator("summary", { hasText: "Download" }).click();
    for (const format of ["csv", "geojson"]) {
      await tab.getByLabel("Format").selectOption(format);
      const saved = tab.waitForEvent("download");
      await tab.locator("button:not([data-busy])", { hasText: "Download" }).click({ timeout: 8_000 });
      expect((await saved).suggestedFilename()).toMatch(new RegExp(`-matched\\.${format}$`));
    }
  });

  it.each([1280, 360])("open one menu at a time, within the page, at %i pixels", async (width) => {
    const { id } = await make(8);
    const tab = await openPage(browser, { width });
    await tab.goto(`${web.url}/login?next=/harmonizations/${id}`);
    const boxOf = (text: string) => tab.locator("summary, .tile-label").filter({ hasText: text }).first().boundingBox();
    const before = [await boxOf("Download"), await boxOf("Failed")];
    for (const name of ["Download", "More"]) {
      await tab.evaluate(`document.querySelectorAll("details.menu:not([open]) > summary").forEach((each) =>
        each.textContent === ${JSON.stringify(name)} && each.parentElement.setAttribute("open", ""))`);
      expect(await tab.locator("details.menu[open]").count(), name).toBe(1);
      const { x = -1, width: wide = 0 } = (await tab.locator("details[open] > .menu-body").boundingBox()) ?? {};
      expect(x >= 0 && x + wide <= width, `${name} at ${x}, ${wide} wide`).toBe(true);
      expect([await boxOf("Download"), await boxOf("Failed")]).toEqual(before);
      // Buttons half under an open menu are too small targets for axe.
      if (width < 1280) await expectAccessible(tab);
      await screenshot(tab, `harmonize-menu-${name.split(/\W/)[0]}-${width}`);
    }
  });

  it("close a menu on Escape and return the focus to its button", async () => {
    const { id } = await make(30);
    const tab = await openPage(browser);
    await tab.goto(`${web.url}/login?next=/harmonizations/${id}`);
    await tab.locator("summary", { hasText: "Download" }).press("Enter");
    await tab.getByLabel("Format").focus();
    await tab.keyboard.press("Escape");
    expect(await tab.locator("details[open]").count()).toBe(0);
    expect(await tab.evaluate("document.activeElement.textContent")).toBe("Download");
  });
});

describe("the slider", () => {
  it("shows the effect of each cut while it moves, and one button applies it", async () => {
    const { id } = await make();
    const tab = await openPage(browser);
    await tab.goto(`${web.url}/login?next=/harmonizations/${id}`);
    await tab.getByText("Accepting from 77 %").click();
    const [slider, sentence] = [tab.getByRole("slider"), tab.locator("output")];
    const accepted = () => tab.locator("rect.is-accepted").count();
    expect(await sentence.textContent()).toMatch(
      /^56 accepted automatically, about 4.9.% \(3\) of them probably wrong, judging also by the 14 you checked/,
    );
    await tab.getByText("Rows decided by hand don’t change: 15 of 71 matched rows.").waitFor();
    await tab.getByText("A match is held back if another venue is almost as likely").waitFor();
    const before = await accepted();
    for (const key of ["End", "ArrowLeft", "ArrowLeft"]) await slider.press(key);
    expect(await sentence.textContent()).toMatch(
      /^8 accepted automatically, about 0\.\d.% of them probably wrong, judging also by the \d+ you checked\.$/,
    );
    expect(await tab.getByLabel("Accept at or above").inputValue()).toBe("98.5");
    expect(await accepted()).toBeLessThan(before);
    expect(await tab.getByRole("button", { name: "Show" }).isVisible()).toBe(false);

    await tab.getByLabel("Accept at or above").fill("95.12");
    await tab.getByRole("button", { name: "Show" }).click();
    await tab.getByText("26 accepted automatically").waitFor();
    await tab.getByRole("button", { name: "Apply" }).click();
    await tab.getByText("Matches from 95.1 % are accepted without review.").waitFor();
    expect(await prisma.harmonization.findUnique({ where: { id } })).toMatchObject({ acceptFrom: 0.951 });
  });
});
