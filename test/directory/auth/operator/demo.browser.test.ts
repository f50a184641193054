import { afterAll, expect, it } from "vitest";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { operatorHost } from "./host.ts";

const host = await operatorHost(["en", "es"]);
const browser = await launchBrowser();
afterAll(() => browser.close());

it("an operator comes from the note on the directory's home to the page that removes the demo data, and removes it", async () => {
  await host.deps.pool.query("INSERT INTO directory.setup_step (name) VALUES ('sample')");
  await host.newOperator();
  const page = await openPage(browser);
  await page.goto(`${host.url}/login`);
  await page.getByLabel("Username").fill(host.asOperator.handle);
  await page.getByLabel("Password").fill(host.asOperator.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { name: "Connected applications" }).waitFor();
  await page.goto(host.url);
  await expectPresentable(page, "directory-demo-note");
  await page.getByRole("link", { name: "Remove the demo data" }).click();
  await expectPresentable(page, "operator-demo");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Remove the demo data" }).click();
  await page.getByText("The demo data is removed.").waitFor();
  await expectPresentable(page, "operator-demo-removed");
  expect(await page.getByRole("checkbox").count()).toBe(0);
});
