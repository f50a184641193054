import { afterAll, expect, test } from "vitest";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { addHeld, addVenue, operatorHost } from "./host.ts";

const host = await operatorHost();
const { prisma, pool } = host.deps;
const browser = await launchBrowser();
afterAll(() => browser.close());

const AREAS = ["/operator/proposals", "/operator/duplicates", "/operator/venues", "/operator/applications"];

test("the operators' overview leads to every page of theirs, and says how much waits where", async () => {
  const operator = await host.newOperator();
  const empty = (await operator.get("/operator")).body;
  for (const href of AREAS) expect(empty).toContain(`<a href="${href}"><b>`);
  expect(empty).not.toMatch(/class="chip|\/operator\/demo/);
  await addHeld(host, "Waiting Café");
  const [a, b] = [await addVenue(host, "Corner Café"), await addVenue(host, "The Corner Café")];
  const pair = { aId: a < b ? a : b, bId: a < b ? b : a, staysId: a, score: 0.9, family: "name", evidence: [] };
  await prisma.duplicatePair.create({ data: { ...pair } });
  const { clientId } = await host.application();
  await prisma.application.update({ where: { clientId }, data: { requestedAt: new Date() } });
  await pool.query("INSERT INTO directory.setup_step (name) VALUES ('sample')");
  const overview = await operator.get("/operator");
  const { body } = overview;
  for (const waiting of ["1 waits, 1 of them a new venue", "1 group waits", "1 asks for more access"])
    expect(body).toMatch(new RegExp(`<a class="chip chip-accent" href="/operator/\\w+">\\w+: ${waiting}</a>`));
  expect(body, "decided right there").toContain("Approve<span");
  expect(body).toContain(`name="merge" value="${a} ${b}"`);
  expect(body).toContain('<a href="/operator/demo"><b>');
  expect(body.match(/<details class="card fold" open>/g), "one is open, the others a line each").toHaveLength(1);
  const apart = await operator.submit(overview, "/operator/duplicates", { apart: `${a} ${b}` });
  expect([apart.status, apart.location], "back to what waits").toEqual([303, `${host.url}/operator`]);
  expect((await operator.follow(apart)).body).toContain("1 group marked as different places.");
  await pool.query("DELETE FROM directory.setup_step WHERE name = 'sample'");
});

test("an operator gets from the directory's home to each of these pages and back, and other users see no link", async () => {
  const operator = await host.newOperator();
  expect((await operator.get("/")).body).toContain('href="/operator">Operate the directory</a>');
  for (const path of AREAS) {
    const { body } = await operator.get(path);
    expect(body).toContain(`<a href="${path}" aria-current="page">`);
    expect(body).toContain('<a href="/operator">Overview</a>');
  }
  const { clientId } = await host.application();
  const id = await addVenue(host, "Linked Café");
  for (const path of [`/operator/applications/${clientId}`, `/operator/venues/edit?id=${id}`, "/operator/demo"])
    expect((await operator.get(path)).body).toContain('<li><a href="/operator">Operator</a></li>');
  expect((await (await host.newDeveloper()).get("/")).body).not.toContain("/operator");
});

test.each(["/operator", ...AREAS, "/operator/demo"])("an operator who logs in for %s comes to it", async (path) => {
  await host.newOperator();
  const guest = host.browser();
  const login = await guest.follow(await guest.get(path));
  expect((await guest.submit(login, "/login", host.asOperator)).location).toBe(host.url + path);
});

test("the operators' overview is presentable in Chrome", async () => {
  await host.newOperator();
  const page = await openPage(browser);
  await page.goto(`${host.url}/operator`);
  await page.getByLabel("Username").fill("olga");
  await page.getByLabel("Password").fill(host.asOperator.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { name: "Waiting for you" }).waitFor();
  await expectPresentable(page, "operator-overview");
});
