import { mkdirSync } from "node:fs";
import path from "node:path";
import { launchBrowser } from "../support/browser.ts";

const SECONDS = 60;

/** Keeps a picture of Prometheus' own page with a graph of each expression, as Grafana is not to be had from Debian or npm. */
export async function drawPanels(
  prometheus: string,
  panels: readonly { title: string; expr: string }[],
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  for (const { title, expr } of panels) {
    const query = { "g0.expr": expr, "g0.tab": "0", "g0.range_input": `${SECONDS}s`, "g0.stacked": "0" };
    await page.goto(`${prometheus}/graph?${new URLSearchParams(query)}`);
    await page.locator("svg").first().waitFor();
    await page.screenshot({ path: path.join(folder, `${title.replace(/\W+/g, "-").toLowerCase()}.png`) });
  }
  await browser.close();
}
