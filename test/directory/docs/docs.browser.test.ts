import { afterAll, expect, it } from "vitest";
import { addApplication } from "../../../src/directory/applications/applications.ts";
import { directoryDeps } from "../../../src/directory/deps.ts";
import { addUser } from "../../../src/directory/users.ts";
import { expectPresentable, launchBrowser, openPage, screenshot } from "../../support/browser.ts";
import { startSamespot } from "../../support/samespot.ts";
import { type OpenApi, operationsOf } from "./openapi.ts";

const samespot = await startSamespot({ env: { ROLES: "directory", SAMPLE_DATA: "off" } });
const address = `${samespot.apiUrl}/docs`;
const deps = directoryDeps(samespot);
const { id: ownerId } = await addUser(deps, { handle: "developer", password: "correct horse battery" });
const application = await addApplication(deps, { ownerId, name: "Docs", redirectUris: ["https://app.example/"] });
const browser = await launchBrowser();
afterAll(() => browser.close());

it("/docs shows every operation with its parameters, command and errors, without script", async () => {
  const page = await openPage(browser, { javaScript: false });
  const from = new Set<string>();
  page.on("request", (request) => void from.add(new URL(request.url()).origin));
  const answer = await page.goto(address);
  const policy = (await answer?.headerValue("content-security-policy")) ?? "";
  expect(policy).toMatch(/script-src 'self';/);
  expect(policy).not.toMatch(/unsafe|https?:/);
  const document = (await (await fetch(`${address}/openapi.json`)).json()) as OpenApi;
  const operations = operationsOf(document);
  expect(await page.locator(".operation").count()).toBe(operations.length);
  for (const { method, path, operation } of operations) {
    const shown = (await page.locator(`#${operation.operationId}`).textContent()) ?? "";
    const named = (operation.parameters ?? []).flatMap((each) => ("$ref" in each ? [] : [each.name]));
    const errors = Object.keys(operation.responses).filter((status) => status >= "400");
    expect(operation["x-codeSamples"]).toHaveLength(1);
    for (const words of [method, path, operation["x-codeSamples"][0]?.source, ...named, ...errors])
      expect(shown, operation.operationId).toContain(words);
  }
  expect([...from].filter((origin) => origin !== "null")).toEqual([samespot.apiUrl]);
});

it("/docs is accessible and fits on a phone, also with an open form, and its links lead somewhere", async () => {
  const page = await openPage(browser);
  await page.goto(address);
  const links = await page.locator('a[href^="#"]').evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(links.length).toBeGreaterThan(100);
  const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => `#${id}`));
  expect(links.filter((link) => !ids.includes(link ?? ""))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  await page.locator("#getVenuesSearch").getByRole("button", { name: "Try it" }).click();
  await page.locator("#getVenuesSearch form").waitFor();
  await screenshot(page, "docs-whole");
  // All have the same template, and checking them takes half a minute.
  const kept = ["getVenuesSearch", "postReconcile10Match", "getAuthenticate"].map((id) => `:not(#${id})`).join("");
  await page.locator(`.operation${kept}`).evaluateAll((others) => others.forEach((each) => void each.remove()));
  // Colours of what is out of sight do not follow a change of the scheme until it is in sight, which axe does not wait for.
  await page.evaluate(
    "for (const each of document.querySelectorAll('.operation')) each.style.contentVisibility = 'visible'",
  );
  await expectPresentable(page, "docs");
});

it("/docs tries a call with the entered credentials, which it keeps for other forms only until it is left", async () => {
  const page = await openPage(browser);
  const scripts: string[] = [];
  page.on("request", (request) => void scripts.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""));
  await page.goto(address);
  await page.waitForLoadState("networkidle");
  expect(scripts).not.toContain("try.js");
  const search = page.locator("#getVenuesSearch");
  await search.getByRole("button", { name: "Try it" }).click();
  expect(await search.getByLabel("ll", { exact: true }).inputValue()).toBe("41.824,-71.413");
  await search.getByLabel("client_id").fill(application.clientId);
  await search.getByLabel("client_secret").fill(application.clientSecret);
  await search.getByLabel("limit").fill("1");
  await search.getByRole("button", { name: "Send" }).click();
  await search.getByText(/^200 in/).waitFor();
  expect(await search.getByRole("status").innerText()).toContain('"confident": false');

  const match = page.locator("#postVenuesMatch");
  await match.getByRole("button", { name: "Try it" }).click();
  expect(await match.getByLabel("client_secret").inputValue()).toBe(application.clientSecret);
  await match.getByRole("button", { name: "Send" }).click();
  await match.getByText(/^200 in/).waitFor();
  const batch = page.locator("#postReconcile10Match");
  await batch.getByRole("button", { name: "Try it" }).click();
  for (const name of ["client_id", "client_secret"]) await batch.getByLabel(name).fill("");
  await batch.getByRole("button", { name: "Send" }).click();
  await batch.getByText(/^200 in/).waitFor();
  expect(await page.locator("#postRevoke").getByRole("button", { name: "Try it" }).count()).toBe(0);

  expect(page.url()).not.toContain(application.clientSecret);
  await page.reload();
  await search.getByRole("button", { name: "Try it" }).click();
  expect(await search.getByLabel("client_secret").inputValue()).toBe("");
});

it("/docs is compressed once, and not sent again to a browser that has it", async () => {
  const answer = await fetch(address, { headers: { "accept-encoding": "br" } });
  expect(answer.headers.get("content-encoding")).toBe("br");
  const etag = answer.headers.get("etag") ?? "";
  const again = await fetch(address, { headers: { "if-none-match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});
