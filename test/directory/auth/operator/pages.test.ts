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
    expect(theirs).toContain("It is stopped");
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
        expect(refused.body).toContain("Type its name to confirm.");
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
  expect((await browser.get("/settings")).body).toContain("The directory has stopped it");
});
