import { expect, it, onTestFinished } from "vitest";
import { addApplication } from "../../../src/directory/applications.ts";
import { directoryDeps } from "../../../src/directory/deps.ts";
import { addUser } from "../../../src/directory/users.ts";
import { launchBrowser, openPage, screenshot } from "../../support/browser.ts";
import { startSamespot } from "../../support/samespot.ts";

const samespot = await startSamespot({ env: { ROLES: "directory", SAMPLE_DATA: "off" } });
const deps = directoryDeps(samespot);
const { id: ownerId } = await addUser(deps, { handle: "developer", password: "correct horse battery" });
const application = await addApplication(deps, { ownerId, name: "Docs", redirectUris: ["https://app.example/"] });

it("B29: /docs shows every operation with resources of this host only, under the usual policy", async () => {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await openPage(browser);
  const from = new Set<string>();
  page.on("request", (request) => void from.add(new URL(request.url()).origin));

  const answer = await page.goto(`${samespot.apiUrl}/docs`);
  const policy = (await answer?.headerValue("content-security-policy")) ?? "";
  expect(policy).toMatch(/script-src 'self';/);
  expect(policy).not.toMatch(/unsafe|https?:/);
  await page.getByRole("heading", { name: "Samespot venue directory" }).waitFor();
  await page.locator("#operations-oauth2-postRevoke").waitFor();
  const { paths } = await (await fetch(`${samespot.apiUrl}/docs/openapi.json`)).json();
  const operations = Object.values<object>(paths).flatMap((item) =>
    Object.keys(item).filter((key) => key !== "servers"),
  );
  expect(await page.locator(".opblock").count()).toBe(operations.length);
  expect([...from].filter((origin) => origin !== "null")).toEqual([samespot.apiUrl]);
  await screenshot(page, "docs");
});

it("/docs tries a call with the entered credentials", async () => {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await openPage(browser);
  await page.goto(`${samespot.apiUrl}/docs`);
  await page.getByRole("button", { name: "Authorize", exact: true }).click();
  await page.locator(".auth-container").first().waitFor();
  // HTTP Basic is rejected under /v2, and the page cannot complete a log-in.
  expect(await page.locator(".auth-container h4 code").allInnerTexts()).toEqual([
    "oauth_token",
    "client_id",
    "client_secret",
  ]);
  await screenshot(page, "docs-authorize");
  for (const [name, value] of [
    ["client_id", application.clientId],
    ["client_secret", application.clientSecret],
  ] as const) {
    const section = page.locator(".auth-container", { has: page.getByText(name, { exact: true }) }).first();
    await section.getByRole("textbox").fill(value);
    await section.getByRole("button", { name: "Apply credentials" }).click();
  }
  await page.getByRole("button", { name: "Close", exact: true }).first().click();
  const search = page.locator("#operations-venues-getVenuesSearch");
  await search.locator(".opblock-summary-control").click();
  await search.getByRole("button", { name: "Try it out" }).click();
  expect(await search.getByPlaceholder("ll", { exact: true }).inputValue()).toBe("41.824,-71.413");
  await search.getByPlaceholder("limit", { exact: true }).fill("1");
  await search.getByRole("button", { name: "Execute" }).click();
  await search.locator(".live-responses-table .response-col_status", { hasText: "200" }).first().waitFor();
  expect(await search.locator(".live-responses-table").innerText()).toContain('"confident"');
  await screenshot(page, "docs-tried");

  const add = page.locator("#operations-venues-postVenuesAdd");
  await add.locator(".opblock-summary-control").click();
  await add.getByRole("button", { name: "Try it out" }).click();
  const filledIn = (name: string) =>
    add.locator(`[data-property-name="${name}"] :is(input, select)`).first().inputValue();
  expect(await Promise.all(["ll", "crossStreet", "ignoreDuplicates", "ignoreDuplicatesKey"].map(filledIn))).toEqual([
    "41.824,-71.413",
    "",
    "",
    "",
  ]);

  const revoke = page.locator("#operations-oauth2-postRevoke");
  await revoke.locator(".opblock-summary-control").click();
  await revoke.getByRole("heading", { name: "Parameters" }).or(revoke.getByText("Request body")).first().waitFor();
  expect(await revoke.getByRole("button", { name: "Try it out" }).count()).toBe(0);
});
