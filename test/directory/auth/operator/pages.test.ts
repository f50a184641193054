import { describe, expect, it, test } from "vitest";
import { addUser, OPERATOR_HANDLE } from "../../../../src/directory/users.ts";
import { formFields } from "../../../support/http-client.ts";
import { registered } from "../applications/forms.ts";
import { CALLBACK } from "../auth-host.ts";
import { decide, LIST, operatorHost, pageOf } from "./host.ts";

const host = await operatorHost();
const { deps, operator, newOperator, newDeveloper, accessOf, snapshot } = host;

describe("an operator", () => {
  it("named by id or by handle in any case sees every application, requests first", async () => {
    const browser = await newOperator();
    const developer = await newDeveloper();
    const { page, path, clientId } = await registered(developer, { name: "Asking app" });
    expect(page.body).toContain("May read");
    expect(page.body).toContain("mailto:help@directory.example?subject=Please%20enable%20Asking%20app");
    await developer.submit(page, `${path}/requests`, { why: "For <b>maps</b>" });
    await host.application({ name: "Later app" });
    const { body } = await browser.get(LIST);
    expect(body.indexOf("Asking app")).toBeLessThan(body.indexOf("Later app"));
    expect(body).toContain("Asks for more");
    expect(body).toContain("For &lt;b&gt;maps&lt;/b&gt;");
    expect(body).toContain('aria-current="page">Operator<');
    for (const query of ["ASKING", clientId, "user-"]) {
      const found = await browser.get(`${LIST}?query=${query}`);
      expect([query, found.body.includes("Asking app"), found.body.includes("Later app")]).toEqual([
        query,
        true,
        false,
      ]);
    }
    expect((await browser.get(`${LIST}?query=%25_`)).body).toContain("No applications");
    expect((await browser.get(`${LIST}?page=2`)).body).toContain("No applications");
    for (const query of ["page=-1", "page=x", "query=a&query=b", "query=%00"])
      expect((await browser.get(`${LIST}?${query}`)).status).toBe(200);
    const { id } = await deps.prisma.user.findUniqueOrThrow({ where: { handle: "olga" } });
    operator.names.splice(0, 1, id);
    expect((await browser.get(LIST)).status).toBe(200);
    operator.names.splice(0, 1, "Olga");
  });

  it("enables and stops an application with a reason, which the owner and the history see", async () => {
    const browser = await newOperator();
    const developer = await newDeveloper();
    const { page, path, clientId } = await registered(developer);
    await developer.submit(page, `${path}/requests`, { why: "Please" });
    const enabled = await browser.follow(await decide(browser, clientId, { access: "enabled", why: "They may" }));
    expect([enabled.status, await accessOf(clientId)]).toEqual([200, "enabled"]);
    expect(enabled.body).toContain("Enabled. The application may now do everything.");
    const stopped = await browser.follow(await decide(browser, clientId, { access: "stopped", why: "Too many calls" }));
    expect(await accessOf(clientId)).toBe("stopped");
    const history = stopped.body.slice(stopped.body.indexOf('id="history"'));
    const order = ["Too many calls", "They may", "Please"].map((why) => history.indexOf(why));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(history).toContain("<bdi>olga</bdi>");
    const theirs = (await developer.get(path)).body;
    expect(theirs).toContain("This application is stopped");
    expect(theirs).toContain("Too many calls");
    const lines = host.logs.lines.filter((line) => line.includes("an operator changed the access of an application"));
    expect(lines.filter((line) => line.includes(clientId))).toHaveLength(2);
    expect(lines.join()).toMatch(/"before":"enabled","access":"stopped"/);
  });

  it("B39: cannot change anything later than ten minutes after a log-in", async () => {
    const browser = await newOperator();
    const { clientId } = await host.application();
    const page = await browser.get(pageOf(clientId));
    const before = await snapshot();
    await deps.pool.query(
      "UPDATE directory.session SET created_at = now() - interval '601 seconds' WHERE user_id IS NOT NULL",
    );
    const fields = { ...formFields(page, `${pageOf(clientId)}/access`), access: "stopped", why: "Kept words" };
    const late = await browser.post(`${pageOf(clientId)}/access`, fields);
    expect([late.status, await snapshot()]).toEqual([403, before]);
    expect(late.body).toContain("Nothing was changed");
    const [, href = ""] = /href="(\/login\?next=[^"]*)"/.exec(late.body) ?? [];
    const again = await browser.submit(await browser.get(href), "/login", host.asOperator);
    expect(again.location).toBe(host.url + pageOf(clientId));
    expect((await browser.follow(await decide(browser, clientId, { access: "stopped" }))).status).toBe(200);
    expect(await accessOf(clientId)).toBe("stopped");
  });

  it("sees an earlier decision of another operator or a mistake in the form, and keeps the entries", async () => {
    const browser = await newOperator();
    const { clientId } = await host.application();
    const page = await browser.get(pageOf(clientId));
    await decide(browser, clientId, { access: "reading" });
    const fields = { ...formFields(page, `${pageOf(clientId)}/access`), access: "stopped", why: "Typed &amp; kept" };
    const late = await browser.post(`${pageOf(clientId)}/access`, fields);
    expect([late.status, await accessOf(clientId)]).toEqual([409, "reading"]);
    expect(late.body).toContain("Another operator has changed this");
    expect(late.body).toContain("Typed &amp;amp; kept");
    for (const access of ["", "everything", "__proto__"])
      expect([access, (await decide(browser, clientId, { access })).status]).toEqual([access, 400]);
    const long = await decide(browser, clientId, { access: "enabled", why: "x".repeat(301) });
    expect([long.status, await accessOf(clientId)]).toEqual([400, "reading"]);
    expect((await browser.get(pageOf("0".repeat(24)))).status).toBe(404);
    for (const id of ["x".repeat(9000), "%00", "a'b"]) expect((await browser.get(pageOf(id))).status).not.toBe(500);
  });

  it("B39: stops the web app's own application only with its name", async () => {
    const browser = await newOperator();
    const owner = await addUser(deps, { handle: OPERATOR_HANDLE, password: "nobody knows this" });
    const { clientId } = await host.application({ ownerId: owner.id, name: "Samespot" });
    for (const access of ["stopped", "reading"])
      for (const confirmation of ["", "samespot?"]) {
        const refused = await decide(browser, clientId, { access, confirmation });
        expect([refused.status, await accessOf(clientId)]).toEqual([409, "enabled"]);
        expect(refused.body).toContain("Type the application’s name to confirm.");
      }
    await decide(browser, clientId, { access: "reading", confirmation: "Samespot" });
    expect(await accessOf(clientId)).toBe("reading");
    await decide(browser, clientId, { access: "enabled" });
    expect(await accessOf(clientId)).toBe("enabled");
  });
});

test("the settings of a user mark a connected application as stopped", async () => {
  const browser = await newDeveloper();
  const { clientId } = await host.application({ name: "Halted app", redirectUris: [CALLBACK] });
  const query = new URLSearchParams({ client_id: clientId, response_type: "code", redirect_uri: CALLBACK });
  await browser.submit(await browser.get(`/oauth2/authenticate?${query}`), "/oauth2/consent", { decision: "allow" });
  expect((await browser.get("/settings")).body).not.toContain("Stopped");
  await deps.prisma.application.update({ where: { clientId }, data: { access: "stopped" } });
  expect((await browser.get("/settings")).body).toContain("The directory has stopped this application");
});

describe("a user who is not an operator", () => {
  test("B39: finds no operator page and changes nothing, as owner of the application or not", async () => {
    const developer = await newDeveloper();
    const { clientId } = await registered(developer);
    const other = await newDeveloper();
    const before = await snapshot();
    for (const browser of [developer, other]) {
      const { _csrf = "" } = formFields(await browser.get("/applications/new"), "/applications");
      const answers = [
        await browser.get("/operator"),
        await browser.get(LIST),
        await browser.get(pageOf(clientId)),
        await browser.get("/operator/venues"),
        await browser.get("/operator/duplicates"),
        await browser.get("/operator/venues/edit?id=a"),
        await browser.get("/operator/proposals"),
        await browser.get("/operator/demo"),
      ];
      answers.push(await browser.post(`${pageOf(clientId)}/access`, { _csrf, access: "enabled", before: "reading" }));
      answers.push(await browser.post("/operator/venues/merge", { _csrf, id: "a", into: "b" }));
      answers.push(await browser.post("/operator/venues/edit", { _csrf, id: "a", name: "b" }));
      answers.push(await browser.post("/operator/proposals", { _csrf, accept: "1" }));
      answers.push(await browser.post("/operator/changes/1/revert", { _csrf }));
      answers.push(await browser.post("/operator/duplicates", { _csrf, merge: "a b" }));
      answers.push(await browser.post("/operator/duplicates/1/undo", { _csrf }));
      answers.push(await browser.post("/operator/demo", { _csrf, confirm: "1" }));
      expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(404));
      expect((await browser.get("/applications")).body).not.toContain(LIST);
    }
    expect(await snapshot()).toBe(before);
  });

  test("B39: is sent to the log-in as a guest, and then to the page", async () => {
    const browser = host.browser();
    const page = await browser.follow(await browser.get(LIST));
    await newOperator();
    const answer = await browser.submit(page, "/login", host.asOperator);
    expect(answer.location).toBe(host.url + LIST);
    const { clientId } = await host.application();
    const before = await snapshot();
    const guest = host.browser();
    const { _csrf = "" } = formFields(await guest.get("/login"), "/login");
    const posted = await guest.post(`${pageOf(clientId)}/access`, { _csrf, access: "stopped", before: "enabled" });
    expect([posted.status, posted.location]).toEqual([303, `${host.url}/login`]);
    expect(await snapshot()).toBe(before);
  });

  test("B39: can send requests for own applications only, one at a time", async () => {
    const [developer, other] = [await newDeveloper(), await newDeveloper()];
    const { clientId, path, page } = await registered(developer);
    const { _csrf = "" } = formFields(await other.get("/applications/new"), "/applications");
    expect((await other.post(`${path}/requests`, { _csrf, why: "mine now" })).status).toBe(404);
    const ask = () => developer.submit(page, `${path}/requests`, { why: "For <b>maps</b>" });
    const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([303, 409, 409]);
    expect(await deps.prisma.accessEvent.count({ where: { clientId } })).toBe(1);
    const refused = await developer.submit(page, `${path}/requests`, { why: "x".repeat(301) });
    expect([refused.status, refused.body.includes("at most 300 characters")]).toEqual([400, true]);
  });
});

test.each([
  ["no token", (fields: Record<string, string>) => ({ ...fields, _csrf: "" }), {}],
  ["another session's token", (fields: Record<string, string>, foreign: string) => ({ ...fields, _csrf: foreign }), {}],
  ["another origin", (fields: Record<string, string>) => fields, { origin: "http://evil.example" }],
  ["a null origin", (fields: Record<string, string>) => fields, { origin: "null" }],
  ["another site", (fields: Record<string, string>) => fields, { "sec-fetch-site": "cross-site" }],
])(
  "W01: the operators' decision forms and the owners' request forms are rejected with %s",
  async (_kind, change, headers) => {
    const browser = await newOperator();
    const developer = await newDeveloper();
    const { page, path, clientId } = await registered(developer);
    const decision = formFields(await browser.get(pageOf(clientId)), `${pageOf(clientId)}/access`);
    const request = formFields(page, `${path}/requests`);
    const before = await snapshot();
    const foreign = { theirs: decision._csrf ?? "", olgas: request._csrf ?? "" };
    const sent = change({ ...decision, access: "stopped", why: "" }, foreign.olgas);
    const answers = [await browser.post(`${pageOf(clientId)}/access`, sent, headers)];
    answers.push(await developer.post(`${path}/requests`, change({ ...request, why: "" }, foreign.theirs), headers));
    expect([answers.map(({ status }) => status), await snapshot()]).toEqual([[403, 403], before]);
  },
);
