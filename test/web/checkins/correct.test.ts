import { beforeEach, expect, test } from "vitest";
import { answersError, type Behaviour, hangs, usual } from "../../support/fake-directory/behaviours.ts";
import { formFields, type HttpClient, type Page } from "../../support/http-client.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb({ checkinsMs: 500, deadlineMs: 800 });
const { prisma } = web.database;
const LIST = "/v2/users/self/checkins";
const [EDIT, DELETE] = ["/v2/checkins/edit", "/v2/checkins/delete"];
let browser: HttpClient;
let id = "";
let href = "";

/** Three check-ins, of which the newest may be changed. */
beforeEach(async () => {
  web.directory.reset();
  await prisma.checkinCopy.deleteMany();
  web.directory.setCheckins(3);
  const [first] = web.directory.checkins;
  Object.assign(first ?? {}, { shout: "Helo", editable: true });
  id = first?.id ?? "";
  href = `/checkins/${id}`;
  web.directory.signIn("Vi");
  browser = await web.logIn();
  await browser.get("/checkins");
});

const history = async () => (await browser.get("/checkins")).body;
const send = async (path: string, fields: Record<string, string> = {}) =>
  browser.submit(await browser.get(href), path, fields);

test("only check-ins that the directory marks as editable have a link to change them, and others no such page", async () => {
  const links = [...(await history()).matchAll(/href="(\/checkins\/[0-9a-f]+)">Change/g)].map(([, link]) => link);
  expect(links).toEqual([href]);
  for (const other of [web.directory.checkins[1]?.id, "none", "%00"])
    expect((await browser.get(`/checkins/${other}`)).status).toBe(404);
});

test("what was said to a check-in is changed at the directory, and on the page at once", async () => {
  const form = await browser.get(href);
  expect(form.body).toContain(">Helo</textarea>");
  const sent = await send(href, { shout: "Hello & <good>" });
  expect([sent.status, sent.location]).toEqual([303, `${web.url}/checkins`]);
  expect(web.directory.checkins[0]?.shout).toBe("Hello & <good>");
  expect(await history()).toMatch(/Changed\..*Hello &amp; &lt;good&gt;/s);
  await send(href, { shout: "" });
  expect(await prisma.copiedCheckin.findFirst({ where: { id } })).toMatchObject({ shout: null });
});

test("a check-in is deleted after a confirmation, and gone from the page with one call for the list", async () => {
  expect((await browser.get(href)).body).toMatch(/<details class="checkin-delete">.*This deletes it permanently/s);
  expect((await send(`${href}/delete`)).location).toBe(`${web.url}/checkins`);
  web.directory.requests.length = 0;
  expect(await history()).toMatch(/Deleted\..*2 check-ins, newest first/s);
  expect(web.directory.calls(LIST)).toBe(1);
  expect((await browser.get(href)).status).toBe(404);
});

test("a deletion sent twice, or of what is gone already, ends without the check-in and says so", async () => {
  const page = await browser.get(href);
  const both = await Promise.all([1, 2].map(() => browser.submit(page, `${href}/delete`)));
  expect(both.every(({ status }) => status === 303 || status === 404)).toBe(true);
  expect(web.directory.checkins).toHaveLength(2);
  expect(await history()).toContain("2 check-ins");
});

test("what the directory no longer has is gone here too", async () => {
  const page = await browser.get(href);
  web.directory.checkins.splice(0, 1);
  await browser.submit(page, href, { shout: "Hello" });
  expect(await history()).toMatch(/The check-in was already deleted\..*2 check-ins/s);
});

test.each([
  ["refuses", answersError(403, "not_authorized"), 400],
  ["does not answer", hangs(), 503],
])("while the directory %s, nothing is changed here and what was typed is kept", async (_what, behaviour, status) => {
  web.directory.behave(EDIT, behaviour);
  const sent = await send(href, { shout: "Hello" });
  expect([sent.status, sent.body.includes(">Hello</textarea>")]).toEqual([status, true]);
  expect(await prisma.copiedCheckin.findFirst({ where: { id } })).toMatchObject({ shout: "Helo" });
});

test("after a deletion without a known result, the next visit reads the whole list", async () => {
  web.directory.behave(DELETE, (call) => {
    call.usual();
    hangs()(call);
  });
  expect((await send(`${href}/delete`)).status).toBe(503);
  web.directory.behave(DELETE, usual);
  for (let tries = 0; tries < 50 && !(await history()).includes("2 check-ins"); tries += 1);
  expect(await history()).toContain("2 check-ins");
});

test("a comment of 201 characters is not sent", async () => {
  const sent = await send(href, { shout: "x".repeat(201) });
  expect([sent.status, sent.body.includes("at most 200 characters")]).toEqual([400, true]);
  expect(web.directory.calls(EDIT)).toBe(0);
});

test.each([
  ["changed", (page: Page) => browser.submit(page, href, { shout: "Hello" }), /“<bdi>Hello<\/bdi>”/],
  ["deleted", (page: Page) => browser.submit(page, `${href}/delete`), /2 check-ins/],
])("W28: a check-in that is %s while a copying has read it already stays so", async (_what, change, shown) => {
  const page = await browser.get(href);
  let letGo = () => {};
  const held: Behaviour = (call) => {
    const before = JSON.stringify(web.directory.checkins);
    letGo = () => {
      const now = JSON.stringify(web.directory.checkins);
      web.directory.checkins.splice(0, Infinity, ...JSON.parse(before));
      usual(call);
      web.directory.checkins.splice(0, Infinity, ...JSON.parse(now));
    };
  };
  web.directory.behave(LIST, held);
  expect(await history()).toContain("Last updated");
  await change(page);
  letGo();
  await prisma.$queryRaw`SELECT 1`;
  web.directory.behave(LIST, answersError(500, "server_error"));
  const body = await history();
  expect(body).not.toContain("Helo<");
  expect(body).toMatch(shown);
});

test("W28: another member's check-in is neither shown, changed nor deleted", async () => {
  web.directory.signIn("Gus");
  const gus = await web.logIn();
  expect((await gus.get(href)).status).toBe(404);
  const token = { _csrf: formFields(await gus.get("/settings"), "/settings/disconnect")._csrf ?? "" };
  for (const path of [href, `${href}/delete`])
    expect((await gus.post(path, { ...token, shout: "Mine" })).status).toBe(404);
  expect([web.directory.calls(EDIT), web.directory.calls(DELETE)]).toEqual([0, 0]);
});
