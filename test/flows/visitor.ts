import type { Browser } from "playwright-core";
import { expect } from "vitest";
import { directoryDeps } from "../../src/directory/deps.ts";
import { addUser } from "../../src/directory/users.ts";
import { expectAccessible, openPage, screenshot } from "../support/browser.ts";
import type { startSamespot } from "../support/samespot.ts";
import type { Visitor } from "./walk.ts";

type Site = Awaited<ReturnType<typeof startSamespot>>;

interface Eyes {
  name: string;
  width?: number;
  colorScheme?: "light" | "dark";
  javaScript?: boolean;
  /** Pages that another visitor has checked already are skipped. */
  isChecked?: boolean;
}

/** The demo user in a separate browser; takes a picture of every page and checks its accessibility. */
export function visitorsOf(site: Site, browser: () => Browser) {
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

/** Adds a person to the directory. */
export async function newcomer(site: Site, name: string): Promise<Visitor["account"]> {
  const handle = `${name}${crypto.randomUUID().slice(0, 8)}`;
  const account = { handle, password: `${handle}-password-9x7` };
  await addUser(directoryDeps(site), account);
  return account;
}
