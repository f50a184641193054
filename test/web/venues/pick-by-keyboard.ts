import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Sets the position on the map of /pick: Enter takes the middle, and an arrow key moves it `beyond` a latitude. */
export async function pickByKeyboard(page: Page, beyond: number): Promise<void> {
  await page.locator(".map-canvas").focus();
  await page.keyboard.press("Enter");
  expect(await page.inputValue("#ll")).toMatch(/^41\.823\d+,-71\.422\d+$/);
  await page.keyboard.press("ArrowUp");
  const moved = async () => {
    await page.keyboard.press("Enter");
    return Number((await page.inputValue("#ll")).split(",")[0]);
  };
  await expect.poll(moved).toBeGreaterThan(beyond);
  expect(await page.locator(".map [tabindex='0']").count(), "stops besides the buttons").toBe(1);
}
