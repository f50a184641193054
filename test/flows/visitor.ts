import type { Browser } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible, openPage, screenshot } from "../support/browser.ts";
import type { startSamespot } from "../support/samespot.ts";
import type { Visitor } from "./walk.ts";

interface Eyes {
  name: string;
  width?: number;
  colorScheme?: "light" | "dark";
  javaScript?: boolean;
  /** Pages that another visitor has checked already are skipped. */
  isChecked?: boolean;
}

/** The demo user in a separate browser; takes a picture of every page and checks its accessibility. */
export function visitorsOf(site: Awaited<ReturnType<typeof startSamespot>>, browser: () => Browser) {
  return async ({ name, isChecked = true, ...options }: Eyes): Promise<Visitor> => {
    await site.database.prisma.authorization.deleteMany(); // so that everyone is asked for consent
    const page = await openPage(browser(), options);
    const look = async (step: string) => {
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await screenshot(page, `${name}/${step}`);
      expect(await page.getByRole("heading", { level: 1 }).count(), `headings of ${step}`).toBe(1);
      if (options.javaScript === false || !isChecked) return;
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), `overflow of ${step}`).toBe(0);
      await expectAccessible(page);
    };
    return { page, site, account: site.demo, look };
  };
}
