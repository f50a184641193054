import { afterAll, expect, it } from "vitest";
import { addApplication } from "../../../src/directory/applications/applications.ts";
import { directoryDeps } from "../../../src/directory/deps.ts";
import { addUser } from "../../../src/directory/users.ts";
import { expectPresentable, launchBrowser, openPage } from "../../support/browser.ts";
import { startSamespot } from "../../support/samespot.ts";
import { type OpenApi, operationsOf } from "./openapi.ts";

const samespot = await startSamespot({ env: { ROLES: "directory", SAMPLE_DATA: "off" } });
const address = `${samespot.apiUrl}/docs`;
const deps = directoryDeps(samespot);
const { id: ownerId } = await addUser(deps, { handle: "developer", password: "correct horse battery" });
const application = await addApplication(deps, { ownerId, name: "Docs", redirectUris: ["https://app.example/"] });
const browser = await launchBrowser();
afterAll(() => browser.close());

const documented = async () => (await (await fetch(`${address}/openapi.json`)).json()) as OpenApi;

interface Read {
  at: string;
  bytes: number;
  ids: string[];
  links: string[];
  operations: string[];
}

/** All pages, read as a browser without script does: the start, those that it leads to, and so on. */
async function readAll(): Promise<Read[]> {
  const page = await openPage(browser);
  await page.goto(address);
  const read: Read[] = [];
  for (let next = [address]; next.length > 0; ) {
    const htmls = await Promise.all(next.map(async (each) => (await fetch(each)).text()));
    const parts = await page.evaluate((all) => {
      const texts = (of: Element[]) => of.map((each) => each.textContent ?? "");
      return all.map((html) => {
        const parsed = new DOMParser().parseFromString(html, "text/html");
        return {
          ids: [...parsed.querySelectorAll("[id]")].map(({ id }) => id),
          links: [...parsed.querySelectorAll("main a")].map((link) => link.getAttribute("href") ?? ""),
          operations: texts([...parsed.querySelectorAll(".operation")]),
        };
      });
    }, htmls);
    for (const [index, { links, ...more }] of parts.entries()) {
      const at = next[index] ?? "";
      const bytes = Buffer.byteLength(htmls[index] ?? "");
      read.push({ at, bytes, links: links.map((link) => new URL(link, at).href), ...more });
    }
    const known = new Set(read.map(({ at }) => at));
    const found = read.flatMap(({ links }) => links.map((link) => link.split("#")[0] ?? ""));
    next = [...new Set(found)].filter(
      (each) => each.startsWith(`${address}/`) && !/\.json$/.test(each) && !known.has(each),
    );
  }
  return read;
}

it("/docs leads to every operation with its parameters, command and errors", async () => {
  const shown = (await readAll()).flatMap(({ operations }) => operations);
  for (const { method, path, operation } of operationsOf(await documented())) {
    const named = (operation.parameters ?? []).flatMap((each) => ("$ref" in each ? [] : [each.name]));
    const errors = Object.keys(operation.responses).filter((status) => status >= "400");
    expect(operation["x-codeSamples"]).toHaveLength(1);
    const wanted = [method, path, ...named, ...errors];
    const has = (text: string) => wanted.every((words) => text.includes(words));
    expect(shown.filter(has).length, operation.operationId).toBeGreaterThan(0);
  }
});

it("the pages of /docs are small, and their links lead somewhere", async () => {
  const pages = await readAll();
  expect(pages.length).toBeGreaterThan(35);
  expect(pages.filter(({ bytes }) => bytes > 60_000).map(({ at }) => at)).toEqual([]);
  expect(pages.filter(({ ids }) => new Set(ids).size < ids.length).map(({ at }) => at)).toEqual([]);
  const ids = new Map(pages.map((each) => [each.at, each.ids]));
  const wrong = pages
    .flatMap(({ links }) => links)
    .filter((link) => {
      const [to = "", id] = link.split("#");
      return ids.has(to) && id !== undefined && !ids.get(to)?.includes(id);
    });
  expect(wrong).toEqual([]);
});

it("/docs needs no script and nothing of another host", async () => {
  const page = await openPage(browser, { javaScript: false });
  const from = new Set<string>();
  page.on("request", (request) => void from.add(new URL(request.url()).origin));
  const answer = await page.goto(address);
  const policy = (await answer?.headerValue("content-security-policy")) ?? "";
  expect(policy).toMatch(/script-src 'self';/);
  expect(policy).not.toMatch(/unsafe|https?:/);
  expect(await page.getByLabel("Search the operations").isVisible()).toBe(false);
  await page.getByRole("link", { name: "/v2/venues/search" }).click();
  await page.getByRole("heading", { level: 1, name: /^Searches venues/ }).waitFor();
  expect([...from].filter((origin) => origin !== "null")).toEqual([samespot.apiUrl]);
});

it("/docs is narrowed by words", async () => {
  const page = await openPage(browser);
  await page.goto(address);
  await page.getByLabel("Search the operations").fill("LINKS listing");
  expect(await page.locator(".operations li:visible code").allTextContents()).toEqual([
    "/v2/venues/{id}/annotate",
    "/v2/venues/annotate",
    "/v2/venues/{id}/links",
  ]);
  await page.getByLabel("Search the operations").fill("nothing of the kind");
  await page.getByText("No operation has these words.").waitFor();
  expect(await page.locator(".operations h2:visible").count()).toBe(0);
});

it("the pages of /docs are accessible and fit on a phone, also with an open form", async () => {
  const page = await openPage(browser);
  for (const [name, at] of [
    ["docs", address],
    ["docs-match", `${address}/reconcile-1-0-match`],
    ["docs-log-in", `${address}/oauth2-authenticate`],
    ["docs-errors", `${address}/errors`],
    ["docs-resources", `${address}/resources`],
  ] as const) {
    await page.goto(at);
    await expectPresentable(page, name);
  }
  await page.goto(`${address}/venues-search`);
  await page.getByRole("button", { name: "Try it" }).click();
  await page.locator("#getVenuesSearch form").waitFor();
  await expectPresentable(page, "docs-search");
});

it("a page of /docs tries a call with the entered credentials, which it forgets", async () => {
  const page = await openPage(browser);
  const scripts: string[] = [];
  page.on("request", (request) => void scripts.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""));
  await page.goto(`${address}/venues-search`);
  await page.waitForLoadState("networkidle");
  expect(scripts).not.toContain("try.js");
  const call = page.locator(".operation").first();
  const open = () => call.getByRole("button", { name: "Try it" }).click();
  const send = async () => {
    await call.getByLabel("client_id").fill(application.clientId);
    await call.getByLabel("client_secret").fill(application.clientSecret);
    await call.getByRole("button", { name: "Send" }).click();
    await call.getByText(/^200 in/).waitFor();
  };
  await open();
  expect(await call.getByLabel("ll", { exact: true }).inputValue()).toBe("41.824,-71.413");
  await call.getByLabel("limit").fill("1");
  await send();
  expect(await call.getByRole("status").innerText()).toContain('"confident": false');
  expect(page.url()).not.toContain(application.clientSecret);
  await page.reload();
  await open();
  expect(await call.getByLabel("client_secret").inputValue()).toBe("");

  await page.goto(`${address}/venues-match`);
  await open();
  await send();
  await page.goto(`${address}/reconcile-1-0-match`);
  await open();
  await call.getByRole("button", { name: "Send" }).click();
  await call.getByText(/^200 in/).waitFor();
  await page.goto(`${address}/oauth2-revoke`);
  expect(await page.getByRole("button", { name: "Try it" }).count()).toBe(0);
});

it("/docs is compressed once, and not sent again to a browser that has it", async () => {
  const answer = await fetch(address, { headers: { "accept-encoding": "br" } });
  expect(answer.headers.get("content-encoding")).toBe("br");
  const etag = answer.headers.get("etag") ?? "";
  const again = await fetch(address, { headers: { "if-none-match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});
