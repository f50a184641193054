import { expect, it } from "vitest";
import { formFields } from "../../../support/http-client.ts";
import { authHost, CALLBACK, loggedIn } from "../auth-host.ts";
import { everyForm, press, registered, rotate } from "./forms.ts";

const host = await authHost();
const { deps } = host;
const developer = async () => loggedIn(host, await host.user());

/** Everything that forms can change. */
const snapshot = async () =>
  JSON.stringify([
    await deps.prisma.application.findMany({ orderBy: { clientId: "asc" } }),
    await deps.prisma.applicationSecret.findMany({ orderBy: { id: "asc" }, omit: { lastUsedAt: true } }),
    await deps.prisma.provider.findMany({ orderBy: { id: "asc" } }),
  ]);

/** An application whose page has every form, and these forms. */
async function fullPage(provider: string) {
  const browser = await developer();
  const { path } = await registered(browser);
  await rotate(browser, path, "7d");
  const page = await press(browser, path, "/providers", { provider });
  const forms = everyForm(page, path);
  const actions = ["", "/delete", "/providers", "/providers/release", "/secrets", "/secrets/end"];
  expect(forms.map(([action]) => action.slice(path.length)).sort()).toEqual(actions);
  return { browser, path, forms };
}

it("B39: another user's application is not found by any page or form, and stays unchanged", async () => {
  const { path, forms } = await fullPage("theirs");
  const browser = await developer();
  const { _csrf = "" } = formFields(await browser.get("/applications/new"), "/applications");
  const before = await snapshot();
  const unknown = await browser.get(`/applications/${"0".repeat(24)}`);
  const page = await browser.get(path);
  const bare = (body: string) => body.replace(/[0-9a-f]{24}/g, "").replace(/value="[\w-]{30,}"/g, "");
  expect([page.status, bare(page.body)]).toEqual([404, bare(unknown.body)]);
  for (const [action, fields] of forms) {
    const { status } = await browser.post(action, { ...fields, _csrf });
    expect([action, status]).toEqual([action, 404]);
  }
  for (const id of ["x".repeat(9000), "%00", "..", "a'b"])
    expect((await browser.get(`/applications/${id}`)).status).not.toBe(500);
  expect(await snapshot()).toBe(before);
});

it.each([
  ["no token", (fields: Record<string, string>) => ({ ...fields, _csrf: "" }), {}],
  ["another session's token", (fields: Record<string, string>, foreign: string) => ({ ...fields, _csrf: foreign }), {}],
  ["another origin", (fields: Record<string, string>) => fields, { origin: "http://evil.example" }],
  ["another site", (fields: Record<string, string>) => fields, { "sec-fetch-site": "cross-site" }],
])("W01: every form is rejected with %s, without any effect", async (kind, change, headers) => {
  const { browser, forms } = await fullPage(`w01-${kind.replaceAll(/\W/g, "-")}`);
  const foreign = formFields(await (await developer()).get("/applications/new"), "/applications")._csrf ?? "";
  const registration = formFields(await browser.get("/applications/new"), "/applications");
  const all = [...forms, ["/applications", { ...registration, name: "New", redirectUris: CALLBACK }] as const];
  const before = await snapshot();
  for (const [action, fields] of all) {
    const { status } = await browser.post(action, change(fields, foreign), headers);
    expect([action, status]).toEqual([action, 403]);
  }
  expect(await snapshot()).toBe(before);
});

it.each(["/applications", "/applications/new"])("%s asks a guest to log in and then shows the page", async (path) => {
  const browser = host.browser();
  const page = await browser.follow(await browser.get(path));
  const { handle, password } = await host.user();
  expect((await browser.submit(page, "/login", { handle, password })).location).toBe(`${host.url}${path}`);
});

it.each([
  "//evil.example",
  "/applications//evil.example",
  "https://evil.example",
  "/applications/../logout",
  "/\\evil.example",
])("A18: a log-in never redirects to %s", async (next) => {
  const browser = host.browser();
  const page = await browser.get(`/login?${new URLSearchParams({ next })}`);
  const { handle, password } = await host.user();
  expect((await browser.submit(page, "/login", { handle, password, next })).location).toBe(`${host.url}/settings`);
});
