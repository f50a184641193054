import { beforeEach, describe, expect, it } from "vitest";
import { snapshot } from "../../support/database/snapshot.ts";
import { formFields, type HttpClient } from "../../support/http-client.ts";
import { confirmedAgo, newAdmin, newMember } from "../../web/admin/browser.ts";
import { sessionOf } from "../../web/web-app.ts";
import { webWithRoutes } from "../web-with-routes.ts";

const { web, routes } = await webWithRoutes({ instances: 2 });
const { prisma, pool } = web.database;

beforeEach(async () => {
  web.directory.reset();
  web.sendTo();
  await prisma.account.deleteMany();
});
/** Before anybody has come. */
const nobodys = await snapshot(pool, "app", ["session"]);

/** Public pages. The others require a log-in, and those below /admin an admin. */
const PUBLIC =
  /^\/(assets\/.*|basemap\/:name|healthz|readyz|example|map\/.*|api\/v1|login|login\/callback|login\/popup)?$/;
const pages = routes.filter((route) => route.startsWith("GET ")).map((route) => route.slice(4));
const actions = routes
  .filter((route) => /^(POST|PUT|PATCH|DELETE) /.test(route))
  .map((route) => route.split(" ", 2)[1] ?? "");
const WRITTEN_BY_PAGES = ["session", "checkin_copy", "copied_checkin"];
const isAdmins = (path: string) => /^\/admin(\/|$)/.test(path);

const filledIn = (path: string) =>
  path.replace(":id", "0190a000-0000-7000-8000-000000000000").replace("/:z/:x/:y", "/0/0/0");

const post = async (browser: HttpClient, path: string) => {
  const { _csrf = "" } = formFields(await browser.get("/settings"), "/logout");
  return browser.post(filledIn(path), { _csrf });
};

describe("the routes of the app", () => {
  it("W08: are all covered by this test, admin routes included", () => {
    expect(pages.filter(isAdmins).sort()).toEqual([
      "/admin",
      "/admin/lists",
      "/admin/people",
      "/admin/secrets",
      "/admin/status",
    ]);
    expect(actions.filter(isAdmins).length).toBeGreaterThan(8);
    expect(pages.filter((path) => !PUBLIC.test(path) && !isAdmins(path)).length).toBeGreaterThan(4);
  });

  it.each(pages.filter((path) => !PUBLIC.test(path)))("W08: GET %s redirects a guest to the log-in", async (path) => {
    const reply = await web.newBrowser().get(filledIn(path));
    expect([reply.status, reply.headers.get("location")]).toEqual([303, expect.stringMatching(/^\/login\?next=/)]);
  });

  it.each(actions)("W08: POST %s has no effect for a guest", async (path) => {
    const { status } = await web.newBrowser().post(filledIn(path), {});
    const isKept = /^\/venues(\/:id\/(checkins|edit))?$|\/listings\/:number\/add$/.test(path); // comes back filled in after the log-in
    expect(status).toBe(path === "/logout" || isKept ? 303 : 403);
    expect(web.directory.requests).toEqual([]);
    expect(await snapshot(pool, "app", ["session"])).toEqual(nobodys);
  });

  it("W08: return 404 to a member below /admin, and are open elsewhere", async () => {
    const { browser } = await newMember(web, "Mia");
    await confirmedAgo(web);
    const before = await snapshot(pool, "app", WRITTEN_BY_PAGES);
    // harmonization-roles.test.ts covers those of a harmonization.
    for (const path of pages.filter((each) => !PUBLIC.test(each) && !each.startsWith("/harmonizations/:id"))) {
      const { status, body } = await browser.get(filledIn(path));
      expect([path, status === 404 && !/no such venue|no check-in to change here/.test(body)]).toEqual([
        path,
        isAdmins(path),
      ]);
      expect(body).not.toContain('href="/admin');
    }
    for (const path of actions.filter(isAdmins))
      expect([path, (await post(browser, path)).status]).toEqual([path, 404]);
    expect(await snapshot(pool, "app", WRITTEN_BY_PAGES)).toEqual(before);
  });

  it("W08: are visible to an admin below /admin, but change nothing before a password confirmation", async () => {
    const { browser } = await newAdmin(web);
    await confirmedAgo(web, 11);
    for (const path of pages.filter(isAdmins))
      expect((await browser.get(path)).status).toBe(path === "/admin" ? 303 : 200);
    const before = await snapshot(pool, "app", ["session"]);
    for (const path of actions.filter(isAdmins)) {
      const { status, body } = await post(browser, path);
      expect([path, status]).toEqual([path, 403]);
      expect(body).toContain("Confirm at the directory");
    }
    expect(await snapshot(pool, "app", ["session"])).toEqual(before);
    for (const path of pages.filter((each) => isAdmins(each) && each !== "/admin"))
      expect((await browser.get(path)).body).not.toMatch(/method="post" action="\/admin/);
  });

  it("W08: cannot end another user's session, and reject invalid ids", async () => {
    const [mia, admin] = [await newMember(web, "Mia"), await newAdmin(web)];
    const { rows } = await pool.query(
      "SELECT encode(sha256(id_hash), 'hex') AS id FROM app.session WHERE account_id = $1",
      [mia.id],
    );
    await post(admin.browser, `/settings/sessions/${rows[0].id}`);
    expect((await mia.browser.get("/settings")).status).toBe(200);
    for (const id of ["1", "me", "%00", "..%2f", mia.id.slice(1)])
      expect([id, (await post(admin.browser, `/admin/people/${id}/disable`)).status]).toEqual([id, 404]);
  });
});

describe("access ends", () => {
  const act = async (browser: HttpClient, id: string, action: string) =>
    browser.submit(await browser.get("/admin/people"), `/admin/people/${id}/${action}`);

  it("A17: with the next request on both instances, and at log-in, for a disabled user", async () => {
    const { browser: admin } = await newAdmin(web);
    const { browser: mia, id } = await newMember(web, "Mia");
    await confirmedAgo(web);
    const twin = web.newBrowser();
    for (const [name, value] of mia.cookies) twin.cookies.set(name, value);
    expect((await act(admin, id, "disable")).status).toBe(303);
    for (const [instance, browser] of [mia, twin].entries()) {
      web.sendTo(instance);
      expect((await browser.get("/settings")).headers.get("location")).toMatch(/^\/login/);
    }
    web.sendTo();
    const again = web.newBrowser();
    expect((await again.get(await web.beginLogin(again))).status).toBe(403);
    expect(sessionOf(again)).toBeUndefined();
    expect((await act(admin, id, "enable")).status).toBe(303);
    await web.logIn(again);
    expect((await again.get("/settings")).status).toBe(200);
  });

  it("A17: for a disabled account even when its session was not ended", async () => {
    const { browser: mia, id } = await newMember(web, "Mia");
    await prisma.account.update({ where: { id }, data: { disabledAt: new Date() } });
    expect((await mia.get("/settings")).status).toBe(403);
  });

  it("A17: to the admin pages with the next request on both instances, for a demoted admin", async () => {
    const [ada, bob] = [await newAdmin(web, "Ada"), await newAdmin(web, "Bob")];
    for (const instance of [0, 1]) {
      web.sendTo(instance);
      expect((await bob.browser.get("/admin/people")).status).toBe(200);
    }
    expect((await act(ada.browser, bob.id, "take-admin")).status).toBe(303);
    for (const instance of [0, 1]) {
      web.sendTo(instance);
      expect((await bob.browser.get("/admin/people")).status).toBe(404);
      expect((await post(bob.browser, `/admin/people/${ada.id}/disable`)).status).toBe(404);
    }
    web.sendTo();
    expect((await act(ada.browser, bob.id, "make-admin")).status).toBe(303);
    expect((await bob.browser.get("/admin/people")).status).toBe(200);
  });

  it("A17: in every session of a user on both instances, when an admin ends them", async () => {
    const { browser: admin } = await newAdmin(web);
    const { browser: mia, id } = await newMember(web, "Mia");
    await confirmedAgo(web);
    expect((await act(admin, id, "end-sessions")).status).toBe(303);
    for (const instance of [1, 0]) {
      web.sendTo(instance);
      expect((await mia.get("/settings")).status).toBe(303);
    }
  });

  it("A17: for only one of two admins who demote each other at once", async () => {
    for (let round = 0; round < 5; round += 1) {
      await prisma.account.deleteMany();
      const [ada, bob] = [await newAdmin(web, "Ada"), await newAdmin(web, "Bob")];
      const [atAda, atBob] = [await ada.browser.get("/admin/people"), await bob.browser.get("/admin/people")];
      await Promise.all([
        ada.browser.submit(atAda, `/admin/people/${bob.id}/take-admin`),
        bob.browser.submit(atBob, `/admin/people/${ada.id}/take-admin`),
      ]);
      expect(await prisma.account.count({ where: { role: "admin" } })).toBe(1);
    }
  });
});
