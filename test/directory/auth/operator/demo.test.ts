import { expect, test } from "vitest";
import { addUser } from "../../../../src/directory/users.ts";
import { loggedIn } from "../auth-host.ts";
import { operatorHost } from "./host.ts";

const host = await operatorHost();
const { prisma, pool } = host.deps;
const PAGE = "/operator/demo";
const METADATA = `${host.url}/.well-known/oauth-authorization-server`;
const NOTE = "The directory has sample venues in Rhode Island (2010)";

const addSample = () => pool.query("INSERT INTO directory.setup_step (name) VALUES ('sample') ON CONFLICT DO NOTHING");
const steps = async () => (await prisma.setupStep.findMany()).map(({ name }) => name);
const dataPage = async () => ((await (await fetch(METADATA)).json()) as Record<string, string>).demo_data_page;

test("a directory without demo data says nothing of it, and its page that there is none", async () => {
  const browser = await host.newOperator();
  expect((await browser.get("/")).body).not.toContain(NOTE);
  expect((await browser.get(PAGE)).body).toContain("SAMPLE_DATA has added nothing to this directory.");
  expect(await dataPage()).toBeUndefined();
});

test("everyone reads what is demo data, and only operators get the link to remove it", async () => {
  await addSample();
  expect(await dataPage()).toBe(host.url + PAGE);
  const guest = (await host.browser().get("/")).body;
  expect(guest).toContain(NOTE);
  expect(guest).not.toContain(PAGE);
  const operator = await host.newOperator();
  for (const page of ["/", "/operator/applications", "/operator/venues"])
    expect((await operator.get(page)).body).toContain(`href="${PAGE}"`);
});

test("a guest who follows the link logs in first and then comes to the page", async () => {
  await host.newOperator();
  const browser = host.browser();
  const page = await browser.follow(await browser.get(PAGE));
  expect((await browser.submit(page, "/login", host.asOperator)).location).toBe(host.url + PAGE);
});

test("C64: without the token of the session or the confirmation nothing is removed", async () => {
  const browser = await host.newOperator();
  expect((await browser.post(PAGE, { confirm: "1" })).status).toBe(403);
  const answer = await browser.follow(await browser.submit(await browser.get(PAGE), PAGE, { confirm: "" }));
  expect(answer.body).toContain("Tick the box to confirm the removal.");
  expect(await steps()).toEqual(["sample"]);
});

test("C64: the demo account cannot remove itself, and is told what to do first", async () => {
  const password = "a long password";
  await addUser(host.deps, { handle: "demo", password });
  host.operator.names.push("demo");
  const browser = await loggedIn(host, { handle: "demo", password });
  const page = await browser.get(PAGE);
  expect(page.body).toContain("You are logged in with the demo account");
  expect(page.body).not.toContain('name="confirm"');
  const { _csrf = "" } = { _csrf: /name="_csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? "" };
  const answer = await browser.follow(await browser.post(PAGE, { _csrf, confirm: "1" }));
  expect(answer.body).toContain("Nothing was removed.");
  expect(await steps()).toEqual(["sample"]);
});

test("C64: the only admin of the web app stays, and the page names the setting", async () => {
  const browser = await host.newOperator();
  host.admins.push("Demo");
  expect((await browser.get(PAGE)).body).toContain("The demo account is the only admin of the web app.");
  host.admins.push("OLGA");
  expect((await browser.get(PAGE)).body).toContain('name="confirm"');
});

test("an operator removes the demo data with one confirmation, which ends the notes and the demo account", async () => {
  const browser = await host.newOperator();
  const answer = await browser.follow(await browser.submit(await browser.get(PAGE), PAGE, { confirm: "1" }));
  expect(answer.body).toContain("The demo data is removed.");
  expect((await prisma.user.findUniqueOrThrow({ where: { handle: "demo" } })).disabledAt).not.toBeNull();
  expect(await steps()).toContain("sample removed");
  expect((await browser.get("/")).body).not.toContain(NOTE);
  expect(await dataPage()).toBeUndefined();
  const { _csrf = "" } = { _csrf: /name="_csrf" value="([^"]+)"/.exec(answer.body)?.[1] ?? "" };
  const again = await browser.follow(await browser.post(PAGE, { _csrf, confirm: "1" }));
  expect(again.body).toContain("There is no demo data to remove.");
});

test("an interrupted removal is reported, and an operator continues it", async () => {
  await pool.query("INSERT INTO directory.setup_step (name) VALUES ('sample removal by someone')");
  const browser = await host.newOperator();
  const page = await browser.get(PAGE);
  expect(page.body).toContain("The demo data is being removed.");
  const answer = await browser.follow(await browser.submit(page, PAGE, { confirm: "1" }));
  expect(answer.body).toContain("The demo data is removed.");
});
